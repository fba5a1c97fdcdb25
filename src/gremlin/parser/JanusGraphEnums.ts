import { HostConstant } from "../../structure/collections/HostConstant.ts"

/** The names of the constants of JanusGraph's enumerations, by the simple name of the class, in the order of Java's values(). */
export const janusGraphConstants = {
  Multiplicity: ["MULTI", "SIMPLE", "ONE2MANY", "MANY2ONE", "ONE2ONE"],
  SchemaStatus: ["INSTALLED", "REGISTERED", "ENABLED", "DISABLED", "DISCARDED"],
  ConsistencyModifier: ["DEFAULT", "LOCK", "FORK"],
  Mapping: ["DEFAULT", "TEXT", "STRING", "TEXTSTRING", "PREFIX_TREE", "BKD"],
  Cmp: ["EQUAL", "NOT_EQUAL", "LESS_THAN", "LESS_THAN_EQUAL", "GREATER_THAN", "GREATER_THAN_EQUAL"],
  Contain: ["IN", "NOT_IN"],
  Text: [
    ...["CONTAINS", "NOT_CONTAINS", "CONTAINS_PREFIX", "NOT_CONTAINS_PREFIX", "CONTAINS_REGEX", "NOT_CONTAINS_REGEX"],
    ...["CONTAINS_FUZZY", "NOT_CONTAINS_FUZZY", "CONTAINS_PHRASE", "NOT_CONTAINS_PHRASE"],
    ...["PREFIX", "NOT_PREFIX", "REGEX", "NOT_REGEX", "FUZZY", "NOT_FUZZY"]
  ],
  Geo: ["INTERSECT", "DISJOINT", "WITHIN", "CONTAINS"],
  SchemaAction: [
    ...["REGISTER_INDEX", "REINDEX", "ENABLE_INDEX", "DISABLE_INDEX", "DISCARD_INDEX", "MARK_DISCARDED", "DROP_INDEX"],
    ...["REMOVE_INDEX", "REMOVE_STALE_ENTRIES"]
  ]
} as const satisfies { readonly [className: string]: readonly string[] }

/** The names of the constants of JanusGraph's Cardinality, which are also constants of Gremlin's. */
export const cardinalities: readonly string[] = ["SINGLE", "LIST", "SET"]

/** The constants that JanusGraph's server imports for scripts, by the name that scripts write without a class. */
export const bareConstants: ReadonlyMap<string, HostConstant> = new Map(
  Object.entries({ Cardinality: cardinalities, Multiplicity: janusGraphConstants.Multiplicity }).flatMap(
    ([className, names]) => names.map((name) => [name, new HostConstant(className, name)] as const)
  )
)
