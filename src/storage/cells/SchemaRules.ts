import type { Ref } from "../../structure/Element.ts"
import { UnsupportedValue } from "../../structure/StoreErrors.ts"
import type { CellGraphOptions } from "./Options.ts"
import type { TransactionReading } from "./Reading.ts"
import type { EdgeLabel, PropertyKey } from "./schema/Schema.ts"

/** What a schema forbids to write, and how long what is written lives. */
export class SchemaRules {
  readonly #reading: TransactionReading
  /** Only a schema that is not made as it is used can forbid what it does not have. */
  readonly #constrained: boolean

  constructor(reading: TransactionReading, options: CellGraphOptions) {
    this.#reading = reading
    this.#constrained = options.constraints && options.schemaMaker === "none"
  }

  /** A vertex with a static label is not changed after the transaction that made it. */
  checkChange(ref: Ref): void {
    const { own, schema } = this.#reading
    if (!schema.hasStatic || own?.vertices.get(ref)?.isNew) return
    const label = this.#reading.vertexLabel(ref)
    if (schema.vertexLabels.get(label)?.static) {
      throw new UnsupportedValue(
        `The vertex label ${label} is static: its vertices are changed in the transaction that makes them only.`
      )
    }
  }

  checkProperty(ref: Ref, key: PropertyKey): void {
    if (!this.#constrained) return
    const label = this.#reading.vertexLabel(ref)
    this.#checkAllowed(this.#reading.schema.vertexLabels.get(label)?.id, "Vertex", label, key)
  }

  checkEdgeProperty(type: EdgeLabel, key: PropertyKey): void {
    if (this.#constrained) this.#checkAllowed(type.id, "Edge", type.name, key)
  }

  #checkAllowed(id: number | undefined, what: string, label: string, key: PropertyKey): void {
    if (id !== undefined && this.#reading.schema.modifiers.properties.get(id)?.has(key.id)) return
    throw new UnsupportedValue(
      `Property Key constraint does not exist for given ${what} Label [${label}] and property key [${key.name}]: allow ` +
        "it by addProperties() of the management."
    )
  }

  checkConnection(type: EdgeLabel, out: Ref, into: Ref): void {
    if (!this.#constrained) return
    const { schema } = this.#reading
    const [from, to] = [this.#reading.vertexLabel(out), this.#reading.vertexLabel(into)]
    const [fromId, toId] = [schema.vertexLabels.get(from)?.id, schema.vertexLabels.get(to)?.id]
    const isAllowed = schema.modifiers.connections.some(
      (known) => known.edge === type.name && known.out === fromId && known.into === toId
    )
    if (isAllowed) return
    throw new UnsupportedValue(
      `Connection constraint does not exist for given Edge Label [${type.name}], outgoing Vertex Label [${from}] and ` +
        `incoming Vertex Label [${to}]: allow it by addConnection() of the management.`
    )
  }

  /** When something of a type ends that is written now, ms since the epoch; undefined when it does not. */
  endOf(type: number): bigint | undefined {
    const seconds = this.#reading.schema.timeToLive(type)
    return seconds === 0 ? undefined : BigInt(this.#reading.now + seconds * 1000)
  }

  /** When an edge ends: no later than its vertices. */
  endOfEdge(type: EdgeLabel, out: Ref, into: Ref): bigint | undefined {
    const { expires } = this.#reading.schema
    if (expires === undefined) return undefined
    const ends = [this.endOf(type.id), ...[out, into].map((ref) => this.#reading.endOfVertex(ref))]
    return ends.reduce((first, end) => (end === undefined || (first !== undefined && first < end) ? first : end))
  }
}
