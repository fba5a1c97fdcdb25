import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { checkKey, checkLabel } from "../../shared/PropertyWrites.ts"
import type { Attribute } from "../format/Attribute.ts"
import { attributeByName, objectType } from "../format/Attributes.ts"
import type { CardinalityName, Multiplicity, SchemaCategory } from "../format/EnumAttributes.ts"
import type { IdAllocator } from "../ids/IdAllocator.ts"
import {
  type EdgeLabel,
  EXPIRES,
  type GraphIndex,
  type PropertyKey,
  type RelationIndex,
  type Schema,
  type VertexLabel
} from "../schema/Schema.ts"
import { newKey, newLabel } from "../schema/TypeInference.ts"
import { checkTypeName } from "../schema/TypeNames.ts"
import { checkAddedKey, checkIndexName, checkSortKey, checkStoreName } from "./IndexChecks.ts"
import { type FieldOptions, type NewIndex, nameOfRelationIndex, newDocuments, plainField } from "./IndexDefinition.ts"
import { nameTaken } from "./NameChange.ts"
import { addNameEdit, checkNotGiven } from "./NameEdits.ts"
import type { SchemaEdit } from "./SchemaEdits.ts"

/** The data types of property keys, by the simple names of their Java classes. */
const dataTypes: ReadonlySet<string> = new Set([
  ...["String", "Character", "Boolean", "Byte", "Short", "Integer", "Long", "Float", "Double", "Date", "Geoshape"],
  ...["UUID", "Object", "Instant", "Duration", "BigInteger", "BigDecimal", "OffsetDateTime"],
  ...["byte[]", "short[]", "int[]", "long[]", "float[]", "double[]", "char[]", "boolean[]", "String[]"]
])

/** Java's names of array classes. */
const arrayNames: Readonly<Record<string, string>> = {
  "[B": "byte[]",
  "[S": "short[]",
  "[I": "int[]",
  "[J": "long[]",
  "[F": "float[]",
  "[D": "double[]",
  "[C": "char[]",
  "[Z": "boolean[]",
  "[Ljava.lang.String;": "String[]"
}

/** The data type with the name of a Java class; the package is ignored. Throws UnsupportedValue. */
export const dataTypeOf = (className: string): Attribute => {
  const name = arrayNames[className] ?? className.slice(className.lastIndexOf(".") + 1)
  const type = dataTypes.has(name) ? attributeByName(name) : undefined
  if (type !== undefined) return type
  throw new UnsupportedValue(
    `${className} is not a data type of property keys; use one of ${[...dataTypes].join(", ")}.`
  )
}

/** The maximum number of ids that a change takes: a new key with a time to live and a consistency level, and the key of expiry times. */
const IDS_PER_CHANGE = 4

/** Collects changes of a schema for one commit. It shows the schema with these changes. */
export class SchemaEditor {
  readonly schema: Schema
  readonly edits: Array<SchemaEdit> = []
  readonly #ids: IdAllocator
  readonly #cellsExpire: boolean
  readonly #isEngine: (backing: string) => boolean
  readonly #keys = new Map<string, PropertyKey>()
  readonly #labels = new Map<string, EdgeLabel>()
  readonly #vertexLabels = new Map<string, VertexLabel>()
  readonly #indexes = new Map<string, NewIndex>()
  readonly #relationIndexes: Array<RelationIndex> = []

  /** `cellsExpire`: see CellStore.cellsExpire. `isEngine`: true for the name of an index backend that is a search engine. */
  constructor(
    schema: Schema,
    ids: IdAllocator,
    cellsExpire = false,
    isEngine: (backing: string) => boolean = () => false
  ) {
    this.#isEngine = isEngine
    this.schema = schema
    this.#ids = ids
    this.#cellsExpire = cellsExpire
  }

  /**
   * Runs a change that takes new ids: a definition, or a modifier. The result is a promise if the change must wait until the store has
   * given ids to this process, as a store that answers later does.
   */
  withIds<A>(change: () => A): A | Promise<A> {
    const missing = this.#missingIds()
    return missing === undefined ? change() : this.#afterIds(missing, change)
  }

  #missingIds(): Promise<void> | undefined {
    return this.#ids.missing("schema", IDS_PER_CHANGE)
  }

  async #afterIds<A>(first: Promise<void>, change: () => A): Promise<A> {
    // Other editors take ids, too: nothing may happen between the last look and the change.
    for (let missing: Promise<void> | undefined = first; missing !== undefined; missing = this.#missingIds()) {
      await missing
    }
    return change()
  }

  // ---- lookups

  get keys(): ReadonlyArray<PropertyKey> {
    return [...this.schema.keys.values(), ...this.#keys.values()].filter(({ name }) => name !== EXPIRES)
  }

  get labels(): ReadonlyArray<EdgeLabel> {
    return [...this.schema.labels.values(), ...this.#labels.values()]
  }

  get vertexLabels(): ReadonlyArray<VertexLabel> {
    return [...this.schema.vertexLabels.values(), ...this.#vertexLabels.values()]
  }

  get relationIndexes(): ReadonlyArray<RelationIndex> {
    return [...this.schema.relationIndexes, ...this.#relationIndexes]
  }

  /** A key by its name; undefined for the hidden key of expiry times. */
  key(name: string): PropertyKey | undefined {
    return name === EXPIRES ? undefined : this.#knownKey(name)
  }

  #knownKey(name: string): PropertyKey | undefined {
    return this.schema.keys.get(name) ?? this.#keys.get(name)
  }

  label(name: string): EdgeLabel | undefined {
    return this.schema.labels.get(name) ?? this.#labels.get(name)
  }

  vertexLabel(name: string): VertexLabel | undefined {
    return this.schema.vertexLabels.get(name) ?? this.#vertexLabels.get(name)
  }

  /** The existing indexes, then the new ones. */
  get indexes(): ReadonlyArray<GraphIndex | NewIndex> {
    return [...this.schema.indexes, ...this.#indexes.values()]
  }

  index(name: string): GraphIndex | NewIndex | undefined {
    return this.schema.indexTable.named(name) ?? this.#indexes.get(name)
  }

  /** The vertex-centric index of a type, by the id of the type and the name that the user gave to the index. */
  relationIndex(base: number, name: string): RelationIndex | undefined {
    return this.relationIndexes.find((index) => index.base === base && nameOfRelationIndex(index) === name)
  }

  // ---- types

  makeKey(name: string, dataType: Attribute | undefined, cardinality: CardinalityName | undefined): PropertyKey {
    checkKey(name)
    this.#checkFree(name)
    if (dataType === undefined) throw new UnsupportedValue(`Need to specify a datatype for the property key ${name}.`)
    if (cardinality === "SET" && dataType === objectType) {
      throw new UnsupportedValue(
        `The property key ${name} cannot have the data type Object and the cardinality SET: give it another data type, or the ` +
          "cardinality LIST."
      )
    }
    const key = newKey(this.#ids.schema("propertyKey"), name, dataType, cardinality ?? "SINGLE")
    this.#keys.set(name, key)
    this.edits.push({ kind: "key", key })
    return key
  }

  makeLabel(
    name: string,
    multiplicity: Multiplicity,
    unidirected: boolean,
    signature: ReadonlyArray<PropertyKey>
  ): EdgeLabel {
    checkLabel(name)
    this.#checkFree(name)
    if (unidirected && multiplicity !== "MULTI" && multiplicity !== "SIMPLE" && multiplicity !== "MANY2ONE") {
      throw new UnsupportedValue(
        `The unidirected edge label ${name} cannot have the multiplicity ${multiplicity}: its edges are not known at the in-vertex.`
      )
    }
    const label = { ...newLabel(this.#ids.schema("edgeLabel"), name), multiplicity, unidirected, signature }
    this.#labels.set(name, label)
    this.edits.push({ kind: "label", label })
    return label
  }

  makeVertexLabel(name: string, isStatic: boolean, partitioned: boolean): VertexLabel {
    checkLabel(name)
    checkTypeName(name)
    if (this.vertexLabel(name) !== undefined) throw nameTaken("vertex label", name)
    checkNotGiven(this.edits, "vertex label", name)
    if (partitioned && isStatic) {
      throw new UnsupportedValue("A vertex label cannot be partitioned and static at the same time")
    }
    const label = { id: this.#ids.schema("vertexLabel"), name, partitioned, static: isStatic }
    this.#vertexLabels.set(name, label)
    this.edits.push({ kind: "vertexLabel", label })
    return label
  }

  #checkFree(name: string): void {
    checkTypeName(name)
    if (this.key(name) !== undefined) throw nameTaken("property key", name)
    if (this.label(name) !== undefined) throw nameTaken("edge label", name)
    checkNotGiven(this.edits, "relation type", name)
  }

  // ---- indexes

  makeIndex(given: NewIndex): NewIndex {
    checkIndexName(given.name)
    if (this.index(given.name) !== undefined) throw nameTaken("index", given.name)
    checkNotGiven(this.edits, "index", given.name)
    const isServed = given.kind === "mixed" && this.#isEngine(given.backing ?? "search")
    const index = isServed
      ? { ...given, backing: given.backing ?? "search", documents: newDocuments(given.name, given) }
      : given
    if (isServed) checkStoreName(index, this.indexes)
    this.#indexes.set(index.name, index)
    this.edits.push({ kind: "index", id: this.#ids.schema("other"), index })
    return index
  }

  /** Creates a vertex-centric index on an edge label or property key, sorted by the values of `sortKey`. */
  makeRelationIndex(
    base: EdgeLabel | PropertyKey,
    name: string,
    direction: RelationIndex["direction"],
    descending: boolean,
    sortKey: ReadonlyArray<PropertyKey>
  ): RelationIndex {
    checkIndexName(name)
    checkSortKey(base, name, sortKey)
    if (this.relationIndex(base.id, name) !== undefined) throw nameTaken("vertex-centric index", name)
    const id = this.#ids.schema(base.isKey ? "propertyKey" : "edgeLabel")
    const type = { ...base, id, name: `${base.id}:${name}`, multiplicity: "MULTI" as const, sortKey, descending }
    const unidirected = !base.isKey && (base as EdgeLabel).unidirected
    const index: RelationIndex = {
      type,
      base: base.id,
      direction: base.isKey || unidirected ? "OUT" : direction,
      status: "REGISTERED"
    }
    this.#relationIndexes.push(index)
    this.edits.push({ kind: "relationIndex", index })
    return index
  }

  /** Adds a key to a mixed index. */
  addIndexKey(index: GraphIndex, key: PropertyKey, options: FieldOptions = plainField): void {
    const added = { index, key, options }
    const others = this.edits.filter((edit) => edit.kind === "indexKey")
    checkAddedKey(added, others, this.#isEngine)
    this.edits.push({ kind: "indexKey", ...added })
  }

  // ---- modifiers

  /** Sets the TTL of a type in seconds; 0 removes it. */
  setTimeToLive(type: PropertyKey | EdgeLabel | VertexLabel, seconds: number): void {
    if ("static" in type && !type.static) {
      throw new UnsupportedValue(`must be a static vertex label to set a TTL: ${type.name} (setStatic()).`)
    }
    if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > 2_147_483_647) {
      throw new UnsupportedValue(`A TTL is a whole number of seconds from 0 to 2147483647; ${seconds} is not.`)
    }
    if (!this.#cellsExpire && this.#knownKey(EXPIRES) === undefined) {
      const key = newKey(this.#ids.schema("propertyKey"), EXPIRES, attributeByName("Long")!, "SINGLE")
      this.#keys.set(EXPIRES, key)
      this.edits.push({ kind: "key", key })
    }
    this.edits.push({ kind: "timeToLive", type: type.id, modifier: this.#ids.schema("other"), seconds })
  }

  setConsistency(type: number, name: string): void {
    this.edits.push({ kind: "consistency", type, modifier: this.#ids.schema("other"), name })
  }

  addProperties(label: VertexLabel | EdgeLabel, keys: ReadonlyArray<PropertyKey>): void {
    const known = this.schema.modifiers.properties.get(label.id)
    const added = keys.map(({ id }) => id).filter((id) => known?.has(id) !== true)
    if (added.length > 0) this.edits.push({ kind: "properties", label: label.id, keys: added })
  }

  addConnection(edge: EdgeLabel, out: VertexLabel, into: VertexLabel): void {
    if (!this.schema.connects(edge.name, out.id, into.id))
      this.edits.push({ kind: "connection", edge, out: out.id, into: into.id })
  }

  /** Gives a committed type or index another name; `before` is its name in the schema. */
  changeName(id: number, category: SchemaCategory, before: string, name: string): void {
    addNameEdit(this.schema, this.edits, { kind: "name", id, category, before, name })
  }
}
