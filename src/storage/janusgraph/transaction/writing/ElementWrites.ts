import { runWhole, type Task } from "../../../../scheduling/Task.ts"
import type { Ref } from "../../../../structure/elements/Element.ts"
import { ElementExists, ElementNotFound, UnsupportedValue } from "../../../../structure/errors/StoreErrors.ts"
import { shown } from "../../../shared/IdManager.ts"
import { Entry } from "../../../shared/Properties.ts"
import { checkLabel } from "../../../shared/PropertyWrites.ts"
import { isUnique } from "../../format/RelationTypes.ts"
import { newIdProblem, vertexIdOf } from "../../ids/VertexIds.ts"
import { CellLabelSet } from "../../rows/LabelSets.ts"
import { rowExists } from "../../rows/SystemCells.ts"
import type { EdgeLabel } from "../../schema/Schema.ts"
import { Expander, edgesOfVertex } from "../Expander.ts"
import { OwnVertex } from "../Overlay.ts"
import type { WritingState } from "./WritingState.ts"

/** Edges of a vertex that one call reads; {@link ElementWrites.removingVertex} yields after them. */
const EDGES_PER_CALL = 256

/** Estimated bytes of the changes of a new edge, besides its properties and what the table of edges holds of it. */
const NEW_EDGE_BYTES = 80
/** Estimated bytes of the note that an element was removed. */
const REMOVED_BYTES = 100

/** Adds and removes vertices and edges in a transaction. */
export class ElementWrites {
  readonly #state: WritingState
  readonly #expander: Expander
  /** False for a store that answers later: the commit checks the multiplicity of edges there. */
  readonly #checksMultiplicity: boolean

  constructor(state: WritingState, expander: Expander, checksMultiplicity: boolean) {
    this.#state = state
    this.#expander = expander
    this.#checksMultiplicity = checksMultiplicity
  }

  addVertex(label: string, id: unknown): Ref {
    checkLabel(label)
    const own = this.#state.open()
    this.#state.typing.vertexLabel(label, own)
    const ref = this.#newVertexRef(id, label)
    const vertex = new OwnVertex(true, label, own.vertexLog.add(ref))
    const before = own.vertices.get(ref)
    this.#state.addVertex(own, ref, vertex)
    const wasListed = before?.isListed === true
    if (!wasListed) own.newVertices.push(ref)
    vertex.isListed = true
    own.count(own.vertexCounts, label, 1)
    if (this.#state.journal.isOpen) {
      this.#state.journal.add(() => {
        vertex.removed = true
        vertex.isListed = wasListed
        if (before !== undefined) own.vertices.set(ref, before)
        if (!wasListed) own.newVertices.pop()
        own.count(own.vertexCounts, label, -1)
        own.vertexLog.add(ref)
      })
    }
    this.#setExpiry(ref, label)
    return ref
  }

  /** Stores the expiry time of a vertex whose label has a TTL. */
  #setExpiry(ref: Ref, label: string): void {
    const { expires, vertexLabels } = this.#state.reading.schema
    if (expires === undefined) return
    const end = this.#state.rules.expiryOf(vertexLabels.get(label)?.id ?? 0)
    if (end === undefined) return
    const change = this.#state.change(ref, expires)
    change.state = new Entry(this.#state.ids.relation(), end, null)
    change.replaced = true
  }

  #newVertexRef(id: unknown, label: string): Ref {
    const { userVertexIds, textVertexIds, partitionBits, name } = this.#state.options
    const { partitioned: isPartitioned = false, static: isStatic = false } =
      this.#state.reading.schema.vertexLabels.get(label) ?? {}
    if (id === undefined || id === null) {
      if (userVertexIds)
        throw new UnsupportedValue(`Must provide vertex id: the graph ${name} has graph.set-vertex-id=true.`)
      const { ids, reading } = this.#state
      if (isStatic) return reading.vertexRefs.of(ids.staticVertex())
      return isPartitioned ? reading.vertexRefs.of(ids.partitionedVertex()) : ids.vertex()
    }
    if (!userVertexIds) {
      throw new UnsupportedValue(
        `The graph ${name} assigns the id of each vertex itself: leave the id out, or set graph.set-vertex-id=true.`
      )
    }
    if (isPartitioned) {
      throw new UnsupportedValue(
        `A vertex of the partitioned label ${label} cannot have an id of your own. Choose another label, or unset graph.set-vertex-id.`
      )
    }
    const problem = newIdProblem(id, textVertexIds, partitionBits)
    if (problem !== undefined) throw new UnsupportedValue(problem)
    const vertex = vertexIdOf(id, textVertexIds)!
    const { reading } = this.#state
    if (reading.existing(vertex) !== -1) throw new ElementExists(`Vertex with id already exists: ${shown(id)}`)
    const ref = reading.vertexRefs.of(vertex)
    if (this.#hasLeft(ref)) runWhole(this.removingVertex(ref))
    return ref
  }

  /** Whether a vertex that has expired still has a row, for one that does not exist. */
  #hasLeft(ref: Ref): boolean {
    const { reading } = this.#state
    return reading.hasVertex(ref) && rowExists(reading.rows, reading.row(ref))
  }

  freeIdTask(id: unknown): Task | undefined {
    const { reading } = this.#state
    const { textVertexIds, userVertexIds } = this.#state.options
    const vertex = userVertexIds ? vertexIdOf(id, textVertexIds) : undefined
    if (vertex === undefined || reading.existing(vertex) !== -1) return undefined
    const ref = reading.vertexRefs.of(vertex)
    return this.#hasLeft(ref) ? this.removingVertex(ref) : undefined
  }

  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    checkLabel(label)
    if (id !== undefined && id !== null) {
      throw new UnsupportedValue(
        `The graph ${this.#state.options.name} assigns the id of each edge itself: leave the id out, or keep your own id in a property.`
      )
    }
    const reading = this.#state.reading
    for (const end of [out, into]) {
      if (!reading.hasVertex(end)) throw new ElementNotFound(`An end of the new edge ${label} is not in the graph.`)
    }
    const own = this.#state.open()
    const type = this.#state.typing.label(label, own)
    this.#state.rules.checkEnd(out)
    this.#state.rules.checkEnd(into)
    this.#state.rules.checkConnection(type, out, into)
    if (this.#checksMultiplicity) this.#checkMultiplicity(type, out, into)
    const edge = reading.edges.intern(this.#state.ids.relation(), type, out, into, null, 0)
    own.newEdges.push(edge)
    own.newEdgeSet.add(edge)
    own.edgeLog.add(edge)
    this.#state.journal.countLasting(NEW_EDGE_BYTES)
    this.#state.ownVertex(out).out.push(edge)
    if (!type.unidirected) this.#state.ownVertex(into).in.push(edge)
    own.count(own.edgeCounts, label, 1)
    if (this.#state.journal.isOpen) {
      this.#state.journal.add(() => {
        // The edge stays in the lists as a removed one.
        own.removedEdges.add(edge)
        own.edgeLog.add(edge)
        own.count(own.edgeCounts, label, -1)
      })
    }
    const end = this.#state.rules.expiryOfEdge(type, out, into)
    if (end !== undefined) this.#state.setEdgeValue(edge, reading.schema.expires!, end)
    return edge
  }

  #checkMultiplicity(type: EdgeLabel, out: Ref, into: Ref): void {
    if (type.multiplicity === "MULTI") return
    if (isUnique(type.multiplicity, false) && this.#hasEdge(type, out, "OUT", -1)) throw tooMany(type, "out")
    if (isUnique(type.multiplicity, true) && this.#hasEdge(type, into, "IN", -1)) throw tooMany(type, "in")
    if (type.multiplicity === "SIMPLE" && this.#hasEdge(type, out, "OUT", into)) throw tooMany(type, "pair")
  }

  /** True when a vertex has an edge of the type to the other vertex (-1: to any vertex). */
  #hasEdge(type: EdgeLabel, ref: Ref, direction: "OUT" | "IN", other: Ref): boolean {
    const labels = new CellLabelSet([type.name], this.#state.reading)
    const request = edgesOfVertex(ref, direction, labels, EDGES_PER_CALL)
    const { out: found } = request
    for (let done = false; !done; found.length = 0) {
      done = this.#expander.expand(request)
      if (other === -1 && found.length > 0) return true
      if (found.refs.subarray(0, found.length).includes(other)) return true
    }
    return false
  }

  removeVertex(ref: Ref): void {
    runWhole(this.removingVertex(ref))
  }

  /** Removes a vertex and its edges. Yields after some of the edges. */
  *removingVertex(ref: Ref): Task {
    const reading = this.#state.reading
    if (!reading.hasVertex(ref)) return
    yield* this.#removeEdgesOf(ref)
    const own = this.#state.open()
    const label = reading.vertexLabel(ref)
    const vertex = this.#state.ownVertex(ref)
    if (!vertex.isNew) {
      own.removedVertices.set(ref, label)
      this.#state.journal.count(REMOVED_BYTES)
    }
    vertex.removed = true
    own.vertexLog.add(ref)
    own.count(own.vertexCounts, label, -1)
    if (this.#state.journal.isOpen) {
      this.#state.journal.add(() => {
        if (!vertex.isNew) own.removedVertices.delete(ref)
        vertex.removed = false
        own.vertexLog.add(ref)
        own.count(own.vertexCounts, label, 1)
      })
    }
  }

  /** Removes all edges of a vertex. Expired edges are included: they still have cells in both rows. */
  *#removeEdgesOf(ref: Ref): Task {
    const { rows, schema, vertexRefs, edges, own } = this.#state.reading
    const everything = new Expander({ rows, schema, vertexRefs, edges, own })
    const request = edgesOfVertex(ref, "BOTH", null, EDGES_PER_CALL)
    request.edges = true
    const { out: found } = request
    for (let done = false; !done; found.length = 0) {
      done = everything.expand(request)
      for (let i = 0; i < found.length; i++) this.#removeEdge(found.refs[i]!)
      if (!done) yield
    }
  }

  removeEdge(ref: Ref): void {
    if (!this.#state.reading.hasEdge(ref)) return
    this.#state.rules.checkEdgeChange(ref)
    this.#removeEdge(ref)
  }

  /** Removes an edge, whatever the labels of its vertices are. */
  removeAnyEdge(ref: Ref): void {
    this.#removeEdge(ref)
  }

  #removeEdge(ref: Ref): void {
    const reading = this.#state.reading
    if (!reading.hasEdge(ref)) return
    const own = this.#state.open()
    const relation = reading.edges.relation(ref)
    const label = reading.edges.type(ref).name
    own.removedEdges.add(ref)
    own.edgeLog.add(ref)
    this.#state.journal.count(REMOVED_BYTES)
    if (!own.newEdgeSet.has(ref)) own.removedRelations.add(relation)
    own.count(own.edgeCounts, label, -1)
    if (this.#state.journal.isOpen) {
      this.#state.journal.add(() => {
        own.removedEdges.delete(ref)
        own.edgeLog.add(ref)
        own.removedRelations.delete(relation)
        own.count(own.edgeCounts, label, 1)
      })
    }
  }
}

const tooMany = (type: EdgeLabel, end: "out" | "in" | "pair"): UnsupportedValue =>
  new UnsupportedValue(
    end === "pair"
      ? `An edge with the given label already exists between the pair of vertices and the label [${type.name}] is simple`
      : `An edge with the given label already exists on the ${end}-vertex and the label [${type.name}] is ${end}-unique`
  )
