import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { ElementExists, ElementNotFound } from "../../structure/errors/StoreErrors.ts"
import type { EdgeRequest } from "../../structure/graph/GraphReads.ts"
import { shown } from "../shared/IdManager.ts"
import { lookupKey } from "../shared/LookupKey.ts"
import { checkLabel } from "../shared/PropertyWrites.ts"
import type { TableView } from "./TableView.ts"
import type { WriteContext } from "./WriteContext.ts"

/** Estimated bytes of a new element besides its properties, for the memory limit. */
const ELEMENT_BYTES = 120

/** Edges of a vertex that are removed between two readings of the clock. */
const REMOVED_EDGES = 1024

/** Adds and removes the elements of one transaction. They are the own changes of its views until the commit. */
export class ElementWriter {
  readonly #context: WriteContext

  constructor(context: WriteContext) {
    this.#context = context
  }

  /** See `GraphWrites.addVertex`. */
  addVertex(label: string, id: unknown): Ref {
    this.#context.begin(ELEMENT_BYTES)
    checkLabel(label)
    const { data, views } = this.#context
    const number = data.vertices.labels.intern(label)
    if (!this.#context.isIdGiven(id, data.options.features.userSuppliedVertexIds, "vertex")) {
      return this.#addCounted(views.vertices, number)
    }
    const converted = data.vertexIds.convert(id)
    if (views.vertices.find(lookupKey(converted)) !== -1) {
      throw new ElementExists(`Vertex with id already exists: ${shown(converted)}`)
    }
    return views.vertices.open().add(number, converted)
  }

  #addCounted(view: TableView, label: number): Ref {
    const { table } = view
    const random = table.idManager.random()
    const own = view.open()
    if (random !== undefined) return own.add(label, random)
    return own.addCounted(label, this.#context.data.nextNumber(table.idManager, table, own))
  }

  /** See `GraphWrites.addEdge`. */
  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    this.#context.begin(ELEMENT_BYTES)
    checkLabel(label)
    const { data, views } = this.#context
    if (!views.vertices.has(out) || !views.vertices.has(into)) {
      throw new ElementNotFound(`An end of the new edge ${label} is not in the graph (any more).`)
    }
    const number = data.edges.labels.intern(label)
    let edge: Ref
    if (this.#context.isIdGiven(id, data.options.features.userSuppliedEdgeIds, "edge")) {
      const converted = data.edgeIds.convert(id)
      if (views.edges.find(lookupKey(converted)) !== -1) {
        throw new ElementExists(`Edge with id already exists: ${shown(converted)}`)
      }
      edge = views.edges.open().add(number, converted)
    } else edge = this.#addCounted(views.edges, number)
    views.adjacency.open().add(out, into)
    return edge
  }

  /** Removes a vertex with its edges. */
  removeVertex(ref: Ref): void {
    runWhole(this.removeVertexTask(ref, new TimeSlice()))
  }

  /** {@link removeVertex} as a task, for a vertex that may have very many edges. */
  *removeVertexTask(ref: Ref, slice: TimeSlice): Task {
    this.#context.begin(0)
    const { adjacency, vertices } = this.#context.views
    if (!vertices.has(ref)) return
    const request: EdgeRequest = {
      edges: true,
      refs: Int32Array.of(ref),
      length: 1,
      direction: "BOTH",
      labels: null,
      cursor: { row: 0, offset: 0 },
      limit: REMOVED_EDGES,
      out: { rows: new Int32Array(64), refs: new Int32Array(64), length: 0 }
    }
    const { out } = request
    for (let done = false; !done; out.length = 0) {
      done = adjacency.expand(request)
      for (let i = 0; i < out.length; i++) this.removeEdge(out.refs[i]!)
      if (!done && slice.isOverNow()) yield
    }
    vertices.open().remove(ref, vertices.labelNumber(ref))
  }

  /** Removes an edge. */
  removeEdge(ref: Ref): void {
    this.#context.begin(0)
    const { edges } = this.#context.views
    if (edges.has(ref)) edges.open().remove(ref, edges.labelNumber(ref))
  }
}
