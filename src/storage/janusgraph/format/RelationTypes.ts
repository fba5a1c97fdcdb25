import type { Attribute } from "./Attribute.ts"
import { descriptionType, objectType } from "./Attributes.ts"
import { enumTypes, type Multiplicity } from "./EnumAttributes.ts"
import { schemaId, schemaKinds, typeCount } from "./Ids.ts"
import { booleanType, longType, stringType } from "./ScalarAttributes.ts"

/**
 * The layout of the cells of a property key or edge label. A cell does not describe itself, so a reader needs its type.
 */
export interface RelationType {
  readonly id: number
  readonly name: string
  readonly isKey: boolean
  /** The cardinality of a key is stored as a multiplicity: SINGLE as MANY2ONE, SET as SIMPLE, LIST as MULTI. */
  readonly multiplicity: Multiplicity
  /** The data type of a key; {@link objectType} for a label. */
  readonly dataType: Attribute
  /** Keys whose values are stored in the column, in this order. Only with the multiplicity MULTI. */
  readonly sortKey: ReadonlyArray<RelationType>
  /** True when cells are sorted by the sort key in descending order. */
  readonly descending: boolean
  /** Keys whose values are stored first in the value, in this order. */
  readonly signature: ReadonlyArray<RelationType>
}

/** Finds a type by its id. */
export type TypeLookup = (id: number) => RelationType | undefined

/** The kinds of cells, as the first three bits of a column. Copies belong to vertex-centric indexes. */
export const prefixes = {
  systemProperty: 0,
  systemEdge: 1,
  property: 2,
  edge: 3,
  propertyCopy: 4,
  edgeCopy: 5
} as const

/** The number in the header of a column: the count of the type and the direction. */
export const headerNumber = (typeId: number, isIn: boolean): number => typeCount(typeId) * 2 + (isIn ? 1 : 0)

const { propertyKey, edgeLabel, systemPropertyKey, systemEdgeLabel } = schemaKinds

/** The id of the type of a column with this prefix and header number. */
export const typeIdOfHeader = (prefix: number, number: number): number => {
  const count = (number - (number % 2)) / 2
  if (prefix < 2) return count * 64 + (prefix === 0 ? systemPropertyKey : systemEdgeLabel).suffix
  return count * 64 + (prefix % 2 === 0 ? propertyKey : edgeLabel).suffix
}

/** True when a vertex can have at most one relation of the type in the direction. */
export const isUnique = (multiplicity: Multiplicity, isIn: boolean): boolean =>
  multiplicity === "ONE2ONE" || multiplicity === (isIn ? "ONE2MANY" : "MANY2ONE")

const systemKey = (count: number, name: string, dataType: Attribute, multiplicity: Multiplicity): RelationType => ({
  id: schemaId("systemPropertyKey", count),
  name,
  isKey: true,
  multiplicity,
  dataType,
  sortKey: [],
  descending: false,
  signature: []
})

const systemLabel = (count: number, name: string, multiplicity: Multiplicity): RelationType => ({
  id: schemaId("systemEdgeLabel", count),
  name,
  isKey: false,
  multiplicity,
  dataType: objectType,
  sortKey: [],
  descending: false,
  signature: [schemaDescription]
})

// The system types of JanusGraph. Every graph has them, and no row defines them.

/** Marks the row of an existing vertex. */
export const vertexExists = systemKey(1, "~VertexExists", booleanType, "MANY2ONE")
/** The name of a schema vertex. */
export const schemaName = systemKey(32, "~SchemaName", stringType, "MANY2ONE")
/** A definition of a schema vertex; see {@link schemaDescription}. */
export const schemaDefinition = systemKey(33, "~SchemaDefinitionProperty", objectType, "MULTI")
/** The kind of a schema vertex. */
export const schemaCategory = systemKey(34, "~SchemaCategory", enumTypes.get("JanusGraphSchemaCategory")!, "MANY2ONE")
/** Meta-property of a definition, and property of a {@link schemaRelated} edge: what it defines. */
export const schemaDescription = systemKey(35, "~SchemaDefinitionDescription", descriptionType, "MANY2ONE")
/** When a schema vertex was written, microseconds since the epoch. */
export const schemaUpdated = systemKey(36, "~SchemaUpdateTimestamp", longType, "MANY2ONE")
/** An edge between two schema vertices. */
export const schemaRelated = systemLabel(36, "~SchemaRelated", "MULTI")
/** The edge from a vertex to the schema vertex of its label. */
export const vertexLabelEdge = systemLabel(2, "~vertexlabel", "MANY2ONE")

const systemTypes = new Map(
  [
    vertexExists,
    schemaName,
    schemaDefinition,
    schemaCategory,
    schemaDescription,
    schemaUpdated,
    schemaRelated,
    vertexLabelEdge
  ].map((type) => [type.id, type])
)

/** The system type with this id; undefined for the types of the schema. */
export const systemType: TypeLookup = (id) => systemTypes.get(id)
