import type { CardinalityName, Multiplicity, SchemaStatus } from "../format/EnumAttributes.ts"
import type { RelationType } from "../format/RelationTypes.ts"
import { IndexTable } from "./IndexTable.ts"

/** A property key. */
export interface PropertyKey extends RelationType {
  readonly isKey: true
  readonly cardinality: CardinalityName
}

/** An edge label. */
export interface EdgeLabel extends RelationType {
  readonly isKey: false
  /** Only the row of the out-vertex has the edge. */
  readonly unidirected: boolean
}

/** A vertex label. */
export interface VertexLabel {
  readonly id: number
  readonly name: string
  readonly partitioned: boolean
  /** Vertices cannot be changed after the transaction that makes them. */
  readonly static: boolean
}

/** How a mixed index stores a field: sorted by value, by the words of a text, or by places on the earth. */
export type FieldForm = "ordered" | "text" | "geo"

/** A key of a mixed index that a search engine keeps, as a field of its documents. */
export interface DocumentField {
  readonly key: PropertyKey
  /** The name of the field in the documents. */
  readonly name: string
  /** The field with the whole text, for a key that is searched by words and as a whole. */
  readonly wholeName: string | undefined
  /** True if the field is searched by words. */
  readonly hasWords: boolean
  /** JanusGraph's Mapping of the field. */
  readonly mapping: string
  /** The analyzers of the field, by the names that the engine knows. The words are then not those of this server. */
  readonly textAnalyzer: string | undefined
  readonly stringAnalyzer: string | undefined
  /** True if the field has an analyzer of its own. */
  readonly hasAnalyzer: boolean
  /** With the mapping PREFIX_TREE: the levels of the tree, and the part of the size of a shape by which it may be wrong. */
  readonly tree: { readonly levels: number; readonly error: number }
  /** Searches use the field if it is ENABLED. Before, the documents of existing elements may lack it. */
  readonly status: SchemaStatus
}

/** The documents of a mixed index that a search engine keeps. */
export interface DocumentStore {
  /** JanusGraph's name of the index store. The engine's index has this name in lower case after a prefix. */
  readonly store: string
  readonly fields: ReadonlyArray<DocumentField>
}

/** An index over all vertices, edges or vertex properties. */
export interface GraphIndex {
  readonly id: number
  readonly name: string
  readonly element: "vertex" | "edge" | "property"
  /**
   * `equality`: by the exact values of all fields (JanusGraph's composite index). `ordered`: sorted by the values of
   * all fields. `mixed`: each field is indexed separately, for the elements that have it.
   */
  readonly kind: "equality" | "ordered" | "mixed"
  readonly fields: ReadonlyArray<PropertyKey>
  /** The forms of each field of a mixed index. */
  readonly forms: ReadonlyArray<ReadonlyArray<FieldForm>>
  /** The name of the index backend of a mixed index, which is in this store or in a search engine. Other indexes have an internal name. */
  readonly backing: string
  /** JanusGraph's name of the store of the index. It stays when the index is renamed. */
  readonly store: string
  readonly cardinality: CardinalityName
  readonly unique: boolean
  readonly status: SchemaStatus
  /** The id of the label to whose elements the index is restricted. */
  readonly onlyLabel: number | undefined
  /** In a mixed index in a search engine: the names of the keys that its documents contain. Absent if they contain none. */
  readonly engineKeys?: ReadonlyArray<string>
  /** In such an index: its documents. Absent if a key has values or a mapping that this server cannot write. */
  readonly documents?: DocumentStore | undefined
  /** In a mixed index in a search engine, also if all of its fields are disabled: the status of the field that is least advanced. */
  readonly engineStatus?: SchemaStatus | undefined
  /** Keys whose values are copied into the entries of a composite index. */
  readonly inlineKeys: ReadonlyArray<PropertyKey>
}

/** A vertex-centric index: copies of the relations of one type in the same rows, sorted by other keys. */
export interface RelationIndex {
  /** The type of the copies. */
  readonly type: RelationType
  /** The id of the indexed type. */
  readonly base: number
  readonly direction: "OUT" | "IN" | "BOTH"
  readonly status: SchemaStatus
}

/** Properties of types beside their definitions. */
export interface Modifiers {
  /** TTLs in seconds by the id of the type. */
  readonly timesToLive: ReadonlyMap<number, number>
  /** The ids of the types that have a TTL, or had one: cells that were written with it still expire. */
  readonly expiring: ReadonlySet<number>
  /** DEFAULT, LOCK or FORK by the id of a type or index. Only stores without atomic commits use them. */
  readonly consistencies: ReadonlyMap<number, string>
  /** The ids of the keys that elements with a label may have, by the id of the label. */
  readonly properties: ReadonlyMap<number, ReadonlySet<number>>
  readonly connections: ReadonlyArray<Connection>
}

/** Allows edges with a label between vertices with two labels. */
export interface Connection {
  /** The name of the edge label; the format stores the name, not the id. */
  readonly edge: string
  /** Ids of the labels of the out-vertex and the in-vertex. */
  readonly out: number
  readonly into: number
}

/**
 * The key of the expiry time of an element with a TTL: a Long in ms since the epoch. It is a property of a vertex or an
 * edge, and a meta-property of a property. Clients do not see it. JanusGraph sees an ordinary property.
 */
export const EXPIRES = "engine-expires"

const noModifiers: Modifiers = {
  timesToLive: new Map(),
  expiring: new Set(),
  consistencies: new Map(),
  properties: new Map(),
  connections: []
}

/** The multiplicity with which the format stores the cardinality of a key. */
export const multiplicityOf = (cardinality: CardinalityName): Multiplicity =>
  cardinality === "SINGLE" ? "MANY2ONE" : cardinality === "SET" ? "SIMPLE" : "MULTI"

/** The inverse of {@link multiplicityOf}. */
export const cardinalityOf = (multiplicity: Multiplicity): CardinalityName =>
  multiplicity === "MULTI" ? "LIST" : multiplicity === "SIMPLE" ? "SET" : "SINGLE"

/**
 * True for the status of an index that commits must update. JanusGraph defines an index on existing keys as INSTALLED, and writes it from
 * then on.
 */
export const isWritten = (status: SchemaStatus): boolean => status !== "DISABLED" && status !== "DISCARDED"

/** The label of vertices without a stored label. */
export const DEFAULT_VERTEX_LABEL = "vertex"

/** The types and indexes of a graph as of one schema version. Immutable. */
export class Schema {
  /** See CellSnapshot.schemaVersion. */
  readonly version: number
  readonly keys: ReadonlyMap<string, PropertyKey>
  readonly labels: ReadonlyMap<string, EdgeLabel>
  readonly vertexLabels: ReadonlyMap<string, VertexLabel>
  readonly indexes: ReadonlyArray<GraphIndex>
  readonly relationIndexes: ReadonlyArray<RelationIndex>
  readonly modifiers: Modifiers
  /** The key {@link EXPIRES}; undefined while no type has had a TTL. */
  readonly expires: PropertyKey | undefined
  /** True when a type has a TTL, also in a store that removes expired cells. */
  readonly hasTimesToLive: boolean
  /** The mixed indexes in search engines. This server searches and updates those whose engine it knows. */
  readonly engineIndexes: ReadonlyArray<GraphIndex>
  /** The composite indexes on vertex properties, which only JanusGraph makes, searches and updates. */
  readonly propertyIndexes: ReadonlyArray<GraphIndex>
  /** True when there is a static vertex label. */
  readonly hasStatic: boolean
  /** True when there is a partitioned vertex label. */
  readonly hasPartitioned: boolean
  /** True when only transactions can add elements: a time to live, static or partitioned labels, indexes that are not kept up here. */
  readonly hasRules: boolean
  /** True when a new edge depends on the labels or properties of its vertices: a static label, or a time to live. */
  readonly hasRulesForEnds: boolean
  /** True when vertices may have expiry times. They keep them even after the label's TTL was removed. */
  readonly hasExpiringVertices: boolean
  readonly #types = new Map<number, RelationType>()
  readonly #vertexLabels = new Map<number, VertexLabel>()
  #indexTable: IndexTable<GraphIndex, RelationIndex> | undefined
  #connections: ReadonlySet<string> | undefined
  readonly #bases = new Map<number, number>()

  constructor(
    version: number,
    types: {
      readonly keys: Iterable<PropertyKey>
      readonly labels: Iterable<EdgeLabel>
      readonly vertexLabels: Iterable<VertexLabel>
      readonly indexes: ReadonlyArray<GraphIndex>
      readonly relationIndexes: ReadonlyArray<RelationIndex>
    },
    modifiers: Modifiers = noModifiers
  ) {
    this.version = version
    this.keys = new Map([...types.keys].map((key) => [key.name, key]))
    this.labels = new Map([...types.labels].map((label) => [label.name, label]))
    this.vertexLabels = new Map([...types.vertexLabels].map((label) => [label.name, label]))
    this.indexes = types.indexes
    this.relationIndexes = types.relationIndexes
    this.modifiers = modifiers
    this.expires = this.keys.get(EXPIRES)
    this.hasRulesForEnds = this.expires !== undefined || [...this.vertexLabels.values()].some((label) => label.static)
    this.hasStatic = [...this.vertexLabels.values()].some((label) => label.static)
    this.hasTimesToLive = this.expires !== undefined || modifiers.timesToLive.size > 0
    this.engineIndexes = types.indexes.filter(({ engineKeys }) => engineKeys !== undefined)
    const isOfProperties = (index: GraphIndex) => index.element === "property" && isWritten(index.status)
    this.propertyIndexes = types.indexes.filter(isOfProperties)
    this.hasPartitioned = [...this.vertexLabels.values()].some((label) => label.partitioned)
    const isKeptElsewhere = this.engineIndexes.length + this.propertyIndexes.length > 0
    this.hasRules = isKeptElsewhere || this.hasTimesToLive || this.hasPartitioned || this.hasStatic
    this.hasExpiringVertices = this.expires !== undefined && this.hasStatic
    for (const type of [...this.keys.values(), ...this.labels.values()]) this.#types.set(type.id, type)
    for (const { base, type } of types.relationIndexes) {
      this.#types.set(type.id, type)
      this.#bases.set(type.id, base)
    }
    for (const label of this.vertexLabels.values()) this.#vertexLabels.set(label.id, label)
  }

  /** The property key, edge label or type of a vertex-centric index with this id. */
  readonly type = (id: number): RelationType | undefined => this.#types.get(id)

  /**
   * This schema and a type of a newer one, with its TTL. Indexes of the newer schema are not in the result, because they may lack
   * elements of the snapshot of this schema.
   */
  withType(newest: Schema, type: PropertyKey | EdgeLabel | VertexLabel): Schema {
    const expires = this.expires ?? newest.expires
    const isKey = "isKey" in type && type.isKey
    const timesToLive = new Map(this.modifiers.timesToLive)
    const ttl = newest.timeToLive(type.id)
    if (ttl > 0) timesToLive.set(type.id, ttl)
    const types = {
      keys: [...this.keys.values(), ...(this.expires === undefined && expires !== undefined ? [expires] : [])],
      labels: [...this.labels.values()],
      vertexLabels: [...this.vertexLabels.values()],
      indexes: this.indexes,
      relationIndexes: this.relationIndexes
    }
    if (!("isKey" in type)) types.vertexLabels.push(type)
    else if (isKey) types.keys.push(type as PropertyKey)
    else types.labels.push(type as EdgeLabel)
    const expiring = new Set([...this.modifiers.expiring, ...timesToLive.keys()])
    return new Schema(this.version, types, { ...this.modifiers, timesToLive, expiring })
  }

  /** The TTL of a type in seconds; 0 when it has none. */
  timeToLive(id: number): number {
    return this.modifiers.timesToLive.get(id) ?? 0
  }

  /** True when cells of a type may expire in a store that removes expired cells. */
  mayExpire(id: number): boolean {
    return this.modifiers.expiring.has(id)
  }

  /** True when edges with a label, given by name, are allowed between vertices with these labels, given by id. */
  connects(edge: string, out: number | undefined, into: number | undefined): boolean {
    this.#connections ??= new Set(this.modifiers.connections.map(connectionName))
    return out !== undefined && into !== undefined && this.#connections.has(connectionName({ edge, out, into }))
  }

  /** The vertex label with this id. */
  vertexLabel(id: number): VertexLabel | undefined {
    return this.#vertexLabels.get(id)
  }

  /** The type that a vertex-centric index copies, for the type of its copies; any other type is returned unchanged. */
  baseOf(type: RelationType): RelationType {
    const base = this.#bases.get(type.id)
    return base === undefined ? type : (this.#types.get(base) ?? type)
  }

  /** Lookups of indexes. */
  get indexTable(): IndexTable<GraphIndex, RelationIndex> {
    this.#indexTable ??= new IndexTable(this.indexes, this.relationIndexes)
    return this.#indexTable
  }

  /** The vertex-centric indexes of a type. */
  copiesOf(type: number): ReadonlyArray<RelationIndex> {
    return this.indexTable.copiesOf(type)
  }
}

const connectionName = ({ edge, into, out }: Partial<Connection>): string => `${out} ${into} ${edge}`

/** A schema without types, older than any stored one. */
export const emptySchema = new Schema(-1, {
  keys: [],
  labels: [],
  vertexLabels: [],
  indexes: [],
  relationIndexes: []
})
