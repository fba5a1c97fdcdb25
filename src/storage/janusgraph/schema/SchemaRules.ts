import type { Ref } from "../../../structure/elements/Element.ts"
import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { isStaticId } from "../format/Ids.ts"
import { type CellGraphOptions, makesTypes } from "../Options.ts"
import type { NewConstraint } from "../transaction/Overlay.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { DEFAULT_VERTEX_LABEL, type EdgeLabel, type PropertyKey } from "./Schema.ts"

/** Checks writes against the constraints of the schema, and computes expiry times. */
export class SchemaRules {
  readonly #reading: TransactionView
  readonly #constrained: boolean
  /** True when a missing constraint is added to the schema, because types are created automatically. */
  readonly #makes: boolean

  constructor(reading: TransactionView, options: CellGraphOptions) {
    this.#reading = reading
    this.#constrained = options.constraints
    this.#makes = makesTypes(options.schemaMaker)
  }

  /** {@link checkChange} for an end of a new edge, at which some transactions may add one. */
  checkEnd(ref: Ref): void {
    if (!this.#reading.options.joinsStaticVertices) this.checkChange(ref)
  }

  /** Throws UnsupportedValue for a vertex with a static label that another transaction has made. */
  checkChange(ref: Ref): void {
    const { own, schema } = this.#reading
    if (!schema.hasStatic || own?.vertices.get(ref)?.isNew) return
    const label = this.#reading.vertexLabel(ref)
    if (schema.vertexLabels.get(label)?.static) {
      throw new UnsupportedValue(
        `The vertex label ${label} is static: its vertices can be changed only in the transaction that makes them.`
      )
    }
  }

  /**
   * Throws UnsupportedValue for an edge of another transaction at a vertex with a static label. As in JanusGraph, the id of the vertex
   * shows the label: a store that answers later need not be asked.
   */
  checkEdgeChange(edge: Ref): void {
    const { edges, own, schema, vertexRefs } = this.#reading
    if (!schema.hasStatic || own?.newEdgeSet.has(edge)) return
    for (const end of [edges.out(edge), edges.in(edge)]) {
      const id = vertexRefs.id(end)
      if (!isStaticId(id)) continue
      throw new UnsupportedValue(
        `The vertex ${id} has a static label: its edges (here ${edges.type(edge).name}) can be changed only in the transaction that makes them.`
      )
    }
  }

  /** Checks that a vertex may have a property. Vertices with the default label may have any, as in JanusGraph. */
  checkProperty(ref: Ref, key: PropertyKey): void {
    if (!this.#constrained) return
    const label = this.#reading.vertexLabel(ref)
    if (label === DEFAULT_VERTEX_LABEL) return
    if (!this.#allows(this.#reading.schema.vertexLabels.get(label)?.id, key)) this.#newProperty("vertex", label, key)
  }

  /** Checks that an edge may have a property. */
  checkEdgeProperty(type: EdgeLabel, key: PropertyKey): void {
    if (this.#constrained && !this.#allows(type.id, key)) this.#newProperty("edge", type.name, key)
  }

  #allows(label: number | undefined, key: PropertyKey): boolean {
    return label !== undefined && this.#reading.schema.modifiers.properties.get(label)?.has(key.id) === true
  }

  #newProperty(of: "vertex" | "edge", label: string, key: PropertyKey): void {
    if (this.#makes) {
      this.#make(JSON.stringify([of, label, key.name]), { kind: "property", of, label, key: key.name })
      return
    }
    throw new UnsupportedValue(
      `Property Key constraint does not exist for given ${of === "vertex" ? "Vertex" : "Edge"} Label [${label}] and ` +
        `property key [${key.name}]: allow it by addProperties() of the management.`
    )
  }

  /** Checks that an edge label may connect two vertices. */
  checkConnection(type: EdgeLabel, out: Ref, into: Ref): void {
    if (!this.#constrained) return
    const { schema } = this.#reading
    const [from, to] = [this.#reading.vertexLabel(out), this.#reading.vertexLabel(into)]
    if (from === DEFAULT_VERTEX_LABEL || to === DEFAULT_VERTEX_LABEL) return
    const [fromId, toId] = [schema.vertexLabels.get(from)?.id, schema.vertexLabels.get(to)?.id]
    if (schema.connects(type.name, fromId, toId)) return
    if (this.#makes) {
      const constraint = { kind: "connection", edge: type.name, out: from, into: to } as const
      this.#make(JSON.stringify(["connection", type.name, from, to]), constraint)
      return
    }
    throw new UnsupportedValue(
      `Connection constraint does not exist for given Edge Label [${type.name}], outgoing Vertex Label [${from}] and ` +
        `incoming Vertex Label [${to}]: allow it by addConnection() of the management.`
    )
  }

  #make(name: string, constraint: NewConstraint): void {
    const own = this.#reading.own!
    if (!own.newConstraints.has(name)) own.addType(own.newConstraints, name, constraint)
  }

  /** When an element of a type that is written now expires, ms since the epoch; undefined without a TTL. */
  expiryOf(type: number): bigint | undefined {
    const seconds = this.#reading.schema.timeToLive(type)
    return seconds === 0 ? undefined : BigInt(this.#reading.now + seconds * 1000)
  }

  /** When a new edge expires: at the latest with its vertices. */
  expiryOfEdge(type: EdgeLabel, out: Ref, into: Ref): bigint | undefined {
    const { expires } = this.#reading.schema
    if (expires === undefined) return undefined
    const ends = [this.expiryOf(type.id), ...[out, into].map((ref) => this.#reading.expiryOfVertex(ref))]
    return ends.reduce((first, end) => (end === undefined || (first !== undefined && first < end) ? first : end))
  }
}
