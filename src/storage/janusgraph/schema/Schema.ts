import type { CardinalityName, Multiplicity, SchemaStatus } from "../format/EnumAttributes.ts"
import type { RelationType } from "../format/RelationTypes.ts"

/** A key of properties. */
export interface PropertyKey extends RelationType {
  readonly isKey: true
  readonly cardinality: CardinalityName
}

/** A label of edges. */
export interface EdgeLabel extends RelationType {
  readonly isKey: false
  /** Only the out-vertex's row has the edge. */
  readonly unidirected: boolean
}

export interface VertexLabel {
  readonly id: number
  readonly name: string
  readonly partitioned: boolean
  readonly static: boolean
}

/** How a field of a mixed index is kept: sorted by value, by the words of a text, by places on the earth. */
export type FieldForm = "ordered" | "text" | "geo"

/** An index over all elements of a kind. */
export interface GraphIndex {
  readonly id: number
  readonly name: string
  readonly element: "vertex" | "edge" | "property"
  /**
   * `equality`: entries by the exact values of all fields (JanusGraph's composite index); `ordered`: sorted by the
   * values of all fields; `mixed`: each field by itself, for those elements that have it.
   */
  readonly kind: "equality" | "ordered" | "mixed"
  readonly fields: ReadonlyArray<PropertyKey>
  /** Of a mixed index, for each field. */
  readonly forms: ReadonlyArray<ReadonlyArray<FieldForm>>
  /** What a mixed index was named to be in: it is in this store all the same. */
  readonly backing: string
  readonly cardinality: CardinalityName
  readonly unique: boolean
  readonly status: SchemaStatus
  /** Only elements with this label are in it. */
  readonly onlyLabel: number | undefined
  readonly inlineKeys: ReadonlyArray<PropertyKey>
}

/** A second copy of the relations of one type in the rows, sorted by other keys. */
export interface RelationIndex {
  /** The type of the copies. */
  readonly type: RelationType
  readonly base: number
  readonly direction: "OUT" | "IN" | "BOTH"
  readonly status: SchemaStatus
}

/** What is said about types beside their definitions. */
export interface Modifiers {
  /** Seconds that elements with a type live, by the id of the type. */
  readonly timesToLive: ReadonlyMap<number, number>
  /** DEFAULT, LOCK or FORK by the id of a type or index; this server needs none of them. */
  readonly consistencies: ReadonlyMap<number, string>
  /** Keys that a vertex or edge with the label may have, by the id of the label. */
  readonly properties: ReadonlyMap<number, ReadonlySet<number>>
  readonly connections: ReadonlyArray<Connection>
}

/** Vertices with these labels may be joined by an edge with this label. */
export interface Connection {
  /** The name of the edge label: the format keeps it so. */
  readonly edge: string
  readonly out: number
  readonly into: number
}

/**
 * The key under which what has a time to live keeps its end, as a Long of ms since the epoch: a property of a vertex or
 * an edge, a meta-property of a property. Clients do not see it; a JanusGraph sees an ordinary property.
 */
export const EXPIRES = "engine-expires"

const noModifiers: Modifiers = {
  timesToLive: new Map(),
  consistencies: new Map(),
  properties: new Map(),
  connections: []
}

/** Cardinality of a key as the multiplicity its cells are written with. */
export const multiplicityOf = (cardinality: CardinalityName): Multiplicity =>
  cardinality === "SINGLE" ? "MANY2ONE" : cardinality === "SET" ? "SIMPLE" : "MULTI"

export const cardinalityOf = (multiplicity: Multiplicity): CardinalityName =>
  multiplicity === "MULTI" ? "LIST" : multiplicity === "SIMPLE" ? "SET" : "SINGLE"

/** True while elements that change must change the index too. */
export const isWritten = (status: SchemaStatus): boolean => status === "REGISTERED" || status === "ENABLED"

/** The label of vertices that have none; nothing is stored for it. */
export const DEFAULT_VERTEX_LABEL = "vertex"

/** Everything that is known about the types of a graph at one moment. Never changed. */
export class Schema {
  /** The store's number of the schema it was read at. */
  readonly version: number
  readonly keys: ReadonlyMap<string, PropertyKey>
  readonly labels: ReadonlyMap<string, EdgeLabel>
  readonly vertexLabels: ReadonlyMap<string, VertexLabel>
  readonly indexes: ReadonlyArray<GraphIndex>
  readonly relationIndexes: ReadonlyArray<RelationIndex>
  readonly modifiers: Modifiers
  /** Undefined while nothing has a time to live. */
  readonly expires: PropertyKey | undefined
  /** True when there is a static vertex label. */
  readonly hasStatic: boolean
  /** True when vertices may have an end: they keep it when their label has a time to live no more. */
  readonly hasMortals: boolean
  readonly #types = new Map<number, RelationType>()
  readonly #vertexLabels = new Map<number, VertexLabel>()
  readonly #keyIndexes = new Map<number, Array<GraphIndex>>()
  readonly #copies = new Map<number, Array<RelationIndex>>()
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
    this.hasStatic = [...this.vertexLabels.values()].some((label) => label.static)
    this.hasMortals = this.expires !== undefined && this.hasStatic
    for (const type of [...this.keys.values(), ...this.labels.values()]) this.#types.set(type.id, type)
    for (const { base, type } of types.relationIndexes) {
      this.#types.set(type.id, type)
      this.#bases.set(type.id, base)
    }
    for (const label of this.vertexLabels.values()) this.#vertexLabels.set(label.id, label)
    for (const index of types.indexes) for (const { id } of index.fields) append(this.#keyIndexes, id, index)
    for (const index of types.relationIndexes) append(this.#copies, index.base, index)
  }

  /** A property key or edge label, or the type of a relation index. */
  readonly type = (id: number): RelationType | undefined => this.#types.get(id)

  /** Seconds that what has the type lives, 0 for ever. */
  timeToLive(id: number): number {
    return this.modifiers.timesToLive.get(id) ?? 0
  }

  /** Whether an edge label, by its name, may join vertices with these labels. */
  connects(edge: string, out: number | undefined, into: number | undefined): boolean {
    return this.modifiers.connections.some((known) => known.edge === edge && known.out === out && known.into === into)
  }

  vertexLabel(id: number): VertexLabel | undefined {
    return this.#vertexLabels.get(id)
  }

  /** Indexes with the key among their fields. */
  indexesOf(key: number): ReadonlyArray<GraphIndex> {
    return this.#keyIndexes.get(key) ?? []
  }

  /**
   * The label or key whose relations a relation index has copies of, by the type of the copies; other types are their
   * own.
   */
  baseOf(type: RelationType): RelationType {
    const base = this.#bases.get(type.id)
    return base === undefined ? type : (this.#types.get(base) ?? type)
  }

  /** Copies that are kept of the relations of a type. */
  copiesOf(type: number): ReadonlyArray<RelationIndex> {
    return this.#copies.get(type) ?? []
  }
}

const append = <V>(map: Map<number, Array<V>>, key: number, value: V): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

export const emptySchema = new Schema(-1, {
  keys: [],
  labels: [],
  vertexLabels: [],
  indexes: [],
  relationIndexes: []
})
