import type { Attribute } from "./Attribute.ts"
import { descriptionType, objectType } from "./Attributes.ts"
import { enumTypes, type Multiplicity } from "./EnumAttributes.ts"
import { schemaId, schemaKinds, typeCount } from "./Ids.ts"
import { booleanType, longType, stringType } from "./ScalarAttributes.ts"

/** What the cells of a property key or edge label look like: a reader needs it first, cells do not describe themselves. */
export interface RelationType {
  readonly id: number
  readonly name: string
  readonly isKey: boolean
  /** Properties: SINGLE is MANY2ONE, SET is SIMPLE, LIST is MULTI. */
  readonly multiplicity: Multiplicity
  /** Of a key; labels have {@link objectType}. */
  readonly dataType: Attribute
  /** Keys whose values lie in the column, in order; only with MULTI. */
  readonly sortKey: ReadonlyArray<RelationType>
  readonly descending: boolean
  /** Keys whose values lie at the begin of the value, in order. */
  readonly signature: ReadonlyArray<RelationType>
}

/** Finds a type by its id. */
export type TypeLookup = (id: number) => RelationType | undefined

/** What a cell is, by the three bits its column begins with. */
export const prefixes = {
  systemProperty: 0,
  systemEdge: 1,
  property: 2,
  edge: 3,
  propertyCopy: 4,
  edgeCopy: 5
} as const

/** The number behind the prefix: which type, and from which end. */
export const headerNumber = (typeId: number, isIn: boolean): number => typeCount(typeId) * 2 + (isIn ? 1 : 0)

const { propertyKey, edgeLabel, systemPropertyKey, systemEdgeLabel } = schemaKinds

/** The type of a column that begins with this prefix and number. */
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

/** Types that every graph has, without a row of their own. */
export const vertexExists = systemKey(1, "~VertexExists", booleanType, "MANY2ONE")
export const schemaName = systemKey(32, "~SchemaName", stringType, "MANY2ONE")
export const schemaDefinition = systemKey(33, "~SchemaDefinitionProperty", objectType, "MULTI")
export const schemaCategory = systemKey(34, "~SchemaCategory", enumTypes.get("JanusGraphSchemaCategory")!, "MANY2ONE")
export const schemaDescription = systemKey(35, "~SchemaDefinitionDescription", descriptionType, "MANY2ONE")
export const schemaUpdated = systemKey(36, "~SchemaUpdateTimestamp", longType, "MANY2ONE")
export const schemaRelated = systemLabel(36, "~SchemaRelated", "MULTI")
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

export const systemType: TypeLookup = (id) => systemTypes.get(id)
