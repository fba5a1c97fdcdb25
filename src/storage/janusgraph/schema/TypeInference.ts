import { TransactionConflict, UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { EnumValue } from "../../../structure/scalars/Enums.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Attribute } from "../format/Attribute.ts"
import { attributeOf, objectType } from "../format/Attributes.ts"
import type { CardinalityName } from "../format/EnumAttributes.ts"
import { MAX_PLAIN_UNITS } from "../format/Strings.ts"
import type { IdAllocator } from "../ids/IdAllocator.ts"
import { type CellGraphOptions, makesTypes, type SchemaMaker } from "../Options.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import {
  DEFAULT_VERTEX_LABEL,
  type EdgeLabel,
  multiplicityOf,
  type PropertyKey,
  type Schema,
  type VertexLabel
} from "./Schema.ts"
import { checkTypeName } from "./TypeNames.ts"

/** TinkerPop: Edge.DEFAULT_LABEL. */
const DEFAULT_EDGE_LABEL = "edge"

/** The data types that a key takes from its first value. For a value of another type the key gets the type Object. */
const inferred: ReadonlySet<string> = new Set([
  "String",
  "Character",
  "Boolean",
  "Byte",
  "Short",
  "Integer",
  "Long",
  "Float",
  "Double",
  "Date",
  "Geoshape",
  "UUID"
])

/** The data type of a key that is created automatically for a value. */
export const inferredType = (value: unknown): Attribute => {
  const type = attributeOf(value)
  return type !== undefined && inferred.has(type.name) ? type : objectType
}

/** Finds the types with which a transaction writes, and creates missing ones as the settings of the graph say. */
export class Typing {
  readonly #reading: { schema: Schema }
  readonly #newest: () => Schema
  readonly #maker: SchemaMaker
  readonly #ids: IdAllocator
  readonly #onTypeMade: CellGraphOptions["onTypeMade"]

  /**
   * `newest` returns the newest schema. A transaction takes from it the types that others have defined since it began.
   */
  constructor(
    reading: { schema: Schema },
    newest: () => Schema,
    options: Pick<CellGraphOptions, "schemaMaker" | "onTypeMade">,
    ids: IdAllocator
  ) {
    this.#reading = reading
    this.#newest = newest
    this.#maker = options.schemaMaker
    this.#onTypeMade = options.onTypeMade
    this.#ids = ids
  }

  /** The key for a write; undefined when the setting `ignore-prop` ignores the property. Throws UnsupportedValue. */
  key(name: string, value: unknown, cardinality: EnumValue | null, own: Overlay): PropertyKey | undefined {
    const known = this.#reading.schema.keys.get(name) ?? own.newKeys.get(name)
    if (known !== undefined) return known
    const newest = this.#newest()
    const defined = this.#taken(newest, newest.keys.get(name))
    if (defined !== undefined) {
      own.addType(own.newKeys, name, defined)
      return defined
    }
    if (newest.labels.has(name) || own.newLabels.has(name)) {
      throw new UnsupportedValue(
        `The name ${name} is that of an edge label; property keys and edge labels need different names.`
      )
    }
    if (this.#maker === "ignore-prop") return undefined
    this.#assertMakes("property key", name)
    checkTypeName(name)
    const given = cardinality?.name.toUpperCase() as CardinalityName | undefined
    const made = newKey(
      this.#ids.schema("propertyKey"),
      name,
      inferredType(value),
      given ?? (this.#maker === "tp3" ? "LIST" : "SINGLE")
    )
    own.addType(own.newKeys, name, made)
    this.#onTypeMade?.("property key", name)
    return made
  }

  #assertMakes(what: string, name: string): void {
    if (makesTypes(this.#maker)) return
    throw new UnsupportedValue(
      `Undefined ${what}: ${name}. The graph makes no types by itself (schema.default=${this.#maker}); define it first.`
    )
  }

  /** A type that another transaction has defined since this one began. A type with a TTL becomes part of the schema. */
  #taken<A extends PropertyKey | EdgeLabel>(newest: Schema, type: A | undefined): A | undefined {
    if (type !== undefined && newest.timeToLive(type.id) > 0) {
      this.#reading.schema = this.#reading.schema.withType(newest, type)
    }
    return type
  }

  /**
   * A static or partitioned vertex label that another transaction has defined becomes part of the schema. Its vertices have ids of
   * their own kind. Throws TransactionConflict while none of these ids is available.
   */
  #takeLabel(newest: Schema, label: VertexLabel): void {
    const kind = label.static ? "unmodifiableVertex" : "partitionedVertex"
    const claim = this.#ids.missing(kind, 1)
    if (claim !== undefined) {
      // The next attempt finds the ids. When the claim fails, the next attempt claims again.
      claim.catch(() => undefined)
      throw new TransactionConflict(`the type ${label.name} was defined`)
    }
    this.#reading.schema = this.#reading.schema.withType(newest, label)
  }

  /** The label for a new edge. Throws UnsupportedValue. */
  label(name: string, own: Overlay): EdgeLabel {
    const known = this.#reading.schema.labels.get(name) ?? own.newLabels.get(name)
    if (known !== undefined) return known
    const newest = this.#newest()
    const defined = this.#taken(newest, newest.labels.get(name))
    if (defined !== undefined) {
      own.addType(own.newLabels, name, defined)
      return defined
    }
    if (newest.keys.has(name) || own.newKeys.has(name)) {
      throw new UnsupportedValue(
        `The name ${name} is that of a property key; property keys and edge labels need different names.`
      )
    }
    this.#assertMakes("edge label", name)
    // TinkerPop and graph files give this label to edges without one.
    if (name !== DEFAULT_EDGE_LABEL) checkTypeName(name)
    const made = newLabel(this.#ids.schema("edgeLabel"), name)
    own.addType(own.newLabels, name, made)
    this.#onTypeMade?.("edge label", name)
    return made
  }

  /** Creates the label of a new vertex if the schema does not have it. Throws UnsupportedValue. */
  vertexLabel(name: string, own: Overlay): void {
    if (name === DEFAULT_VERTEX_LABEL || own.newVertexLabels.has(name)) return
    if (this.#reading.schema.vertexLabels.has(name)) return
    const newest = this.#newest()
    const defined = newest.vertexLabels.get(name)
    if (defined !== undefined) {
      if (defined.static || defined.partitioned) this.#takeLabel(newest, defined)
      else own.addType(own.newVertexLabels, name, defined.id)
    } else {
      this.#assertMakes("vertex label", name)
      checkTypeName(name)
      own.addType(own.newVertexLabels, name, this.#ids.schema("vertexLabel"))
      this.#onTypeMade?.("vertex label", name)
    }
  }
}

/** A property key without a sort key or signature. */
export const newKey = (id: number, name: string, dataType: Attribute, cardinality: CardinalityName): PropertyKey => ({
  id,
  name,
  isKey: true,
  dataType,
  cardinality,
  multiplicity: multiplicityOf(cardinality),
  sortKey: [],
  descending: false,
  signature: []
})

/** An edge label with the multiplicity MULTI, without a sort key or signature. */
export const newLabel = (id: number, name: string): EdgeLabel => ({
  id,
  name,
  isKey: false,
  dataType: objectType,
  multiplicity: "MULTI",
  sortKey: [],
  descending: false,
  signature: [],
  unidirected: false
})

/** Converts a value to the data type of a key. Throws UnsupportedValue when it cannot be converted or stored. */
export const typedValue = (key: PropertyKey, value: unknown): unknown => {
  const typed = convertedValue(key, value)
  checkStorable(key, typed)
  return typed
}

const convertedValue = (key: PropertyKey, value: unknown): unknown => {
  const { dataType } = key
  if (dataType.is(value)) return value
  if (dataType === objectType) {
    throw new UnsupportedValue(`The property ${key.name} cannot hold a value of the type ${typeName(value)}.`)
  }
  const converted = dataType.convert(value)
  if (converted !== undefined) return converted
  throw new UnsupportedValue(
    `Value [${briefText(value)}] is not an instance of the expected data type for property key [${key.name}] and cannot ` +
      `be converted. Expected: ${dataType.name}, found: ${typeName(value)}`
  )
}

/** Throws UnsupportedValue for a text that JanusGraph's format would change: it compresses long texts, as UTF-8. */
const checkStorable = (key: PropertyKey, value: unknown): void => {
  if (Array.isArray(value)) for (const member of value) checkStorable(key, member)
  if (typeof value !== "string" || value.length <= MAX_PLAIN_UNITS || value.isWellFormed()) return
  const at = /\p{Surrogate}/u.exec(value)!.index
  throw new UnsupportedValue(
    `The property ${key.name} cannot hold this text of ${value.length} characters: the one at index ${at} is incomplete (half of a ` +
      `surrogate pair), and texts of more than ${MAX_PLAIN_UNITS} characters are stored as UTF-8. Remove this half, or add the other one.`
  )
}
