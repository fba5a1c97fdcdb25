import { type Attribute, plainAttribute } from "./Attribute.ts"
import { JavaEnum } from "./JavaValues.ts"
import { orderedInt32 } from "./ScalarForms.ts"

/** JanusGraph's enumerations. A constant is stored as its ordinal, so new constants must be added at the end. */
const constants = {
  TypeDefinitionCategory: [
    "INVISIBLE",
    "SORT_KEY",
    "SORT_ORDER",
    "SIGNATURE",
    "MULTIPLICITY",
    "DATATYPE",
    "UNIDIRECTIONAL",
    "STATUS",
    "ELEMENT_CATEGORY",
    "INDEX_CARDINALITY",
    "INTERNAL_INDEX",
    "BACKING_INDEX",
    "INDEXSTORE_NAME",
    "CONSISTENCY_LEVEL",
    "TTL",
    "PARTITIONED",
    "STATIC",
    "RELATIONTYPE_INDEX",
    "TYPE_MODIFIER",
    "INDEX_FIELD",
    "INDEX_SCHEMA_CONSTRAINT",
    "PROPERTY_KEY_EDGE",
    "CONNECTION_EDGE",
    "UPDATE_CONNECTION_EDGE",
    "INDEX_INLINE_KEY"
  ],
  JanusGraphSchemaCategory: ["EDGELABEL", "PROPERTYKEY", "VERTEXLABEL", "GRAPHINDEX", "TYPE_MODIFIER"],
  ParameterType: [
    "MAPPING",
    "INDEX_POSITION",
    "MAPPED_NAME",
    "STATUS",
    "INDEX_GEO_MAX_LEVELS",
    "INDEX_GEO_DIST_ERROR_PCT",
    "STRING_ANALYZER",
    "TEXT_ANALYZER"
  ],
  RelationCategory: ["EDGE", "PROPERTY", "RELATION"],
  Order: ["ASC", "DESC"],
  Multiplicity: ["MULTI", "SIMPLE", "ONE2MANY", "MANY2ONE", "ONE2ONE"],
  Cardinality: ["SINGLE", "LIST", "SET"],
  Direction: ["OUT", "IN", "BOTH"],
  ElementCategory: ["VERTEX", "EDGE", "PROPERTY"],
  ConsistencyModifier: ["DEFAULT", "LOCK", "FORK"],
  SchemaStatus: ["INSTALLED", "REGISTERED", "ENABLED", "DISABLED", "DISCARDED"],
  LogTxStatus: [
    "PRECOMMIT",
    "PRIMARY_SUCCESS",
    "COMPLETE_SUCCESS",
    "SECONDARY_SUCCESS",
    "SECONDARY_FAILURE",
    "USER_LOG"
  ],
  MgmtLogType: ["CACHED_TYPE_EVICTION", "CACHED_TYPE_EVICTION_ACK", "CONFIG_MUTATION"],
  TimestampProviders: ["NANO", "MICRO", "MILLI"],
  Mapping: ["DEFAULT", "TEXT", "STRING", "TEXTSTRING", "PREFIX_TREE", "BKD"],
  ConflictAvoidanceMode: ["NONE", "LOCAL_MANUAL", "GLOBAL_MANUAL", "GLOBAL_AUTO"],
  GraphCacheEvictionAction: ["EVICT", "DO_NOT_EVICT"]
} as const

type EnumType = keyof typeof constants
type NameOf<T extends EnumType> = (typeof constants)[T][number]
/** How a mixed index keeps the values of a key. */
export const mappingNames: ReadonlySet<string> = new Set(constants.Mapping)
/** How many edges of a label may exist between two vertices, or at one end of a vertex. */
export type Multiplicity = NameOf<"Multiplicity">
/** How many values of a key a vertex may have. */
export type CardinalityName = NameOf<"Cardinality">
/** The kind of a schema vertex. */
export type SchemaCategory = NameOf<"JanusGraphSchemaCategory">
/** The life-cycle state of an index. */
export type SchemaStatus = NameOf<"SchemaStatus">
/** The kind of a definition property or an edge of a schema vertex. */
export type DefinitionCategory = NameOf<"TypeDefinitionCategory">

/** The type numbers of the enumerations in JanusGraph's serializer. */
const numbers: Readonly<Record<EnumType, number>> = {
  TypeDefinitionCategory: 41,
  JanusGraphSchemaCategory: 42,
  ParameterType: 43,
  RelationCategory: 44,
  Order: 45,
  Multiplicity: 46,
  Cardinality: 47,
  Direction: 48,
  ElementCategory: 49,
  ConsistencyModifier: 50,
  SchemaStatus: 51,
  LogTxStatus: 52,
  MgmtLogType: 53,
  TimestampProviders: 54,
  Mapping: 56,
  ConflictAvoidanceMode: 57,
  GraphCacheEvictionAction: 69
}

const known = new Map<string, ReadonlyArray<JavaEnum>>()
for (const [type, names] of Object.entries(constants)) {
  known.set(
    type,
    names.map((name) => new JavaEnum(type, name))
  )
}

/** The constant of an enumeration with this name. */
export const javaEnum = <T extends EnumType>(type: T, name: NameOf<T>): JavaEnum =>
  known.get(type)!.find((constant) => constant.name === name)!

const enumAttribute = (type: EnumType): Attribute => {
  const values = known.get(type)!
  const names: ReadonlyArray<string> = constants[type]
  const at = (ordinal: number): JavaEnum => {
    const value = values[ordinal]
    if (value === undefined) throw new Error(`${type} has no constant number ${ordinal}; a newer JanusGraph wrote it`)
    return value
  }
  const ordinal = (value: unknown): number => names.indexOf((value as JavaEnum).name)
  return plainAttribute(
    numbers[type],
    type,
    { read: (reader) => at(reader.count()), write: (writer, value) => writer.varint(ordinal(value)) },
    (value) => value instanceof JavaEnum && value.type === type,
    {
      ordered: {
        read: (reader) => at(orderedInt32.read(reader) as number),
        write: (writer, value) => orderedInt32.write(writer, ordinal(value))
      }
    }
  )
}

/** The data types of the enumerations by name. */
export const enumTypes: ReadonlyMap<string, Attribute> = new Map(
  (Object.keys(constants) as Array<EnumType>).map((type) => [type, enumAttribute(type)])
)
