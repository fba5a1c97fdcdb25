import { kindOfEnum } from "../../process/language/Kinds.ts"
import {
  Cardinality,
  Direction,
  type EnumName,
  type EnumValue,
  enums,
  GType,
  Order
} from "../../structure/scalars/Enums.ts"
import { exceptionParents } from "./ExceptionNames.ts"

/** A constant that may be written without its enumeration when an argument accepts its kind. */
interface Short {
  readonly kind: number
  readonly value: EnumValue
}

const shortTable = new Map<string, Array<Short>>()

const addShort = (name: string, value: EnumValue): void => {
  const entry = { kind: kindOfEnum(value.enumName), value }
  const found = shortTable.get(name)
  if (found === undefined) shortTable.set(name, [entry])
  else found.push(entry)
}

/** GType's constants in lower case: `int`, `bigDecimal`, `vproperty`. */
const camelGTypes: { readonly [name: string]: string } = { BIGDECIMAL: "bigDecimal", BIGINT: "bigInt" }

for (const [enumName, constants] of Object.entries(enums)) {
  for (const value of Object.values(constants)) {
    addShort(value.name, value)
    if (enumName === "GType") addShort(camelGTypes[value.name] ?? value.name.toLowerCase(), value)
  }
}
addShort("from", Direction.OUT)
addShort("to", Direction.IN)
// Names of Order until TinkerPop 3.3, which scripts for JanusGraph still use.
addShort("incr", Order.asc)
addShort("decr", Order.desc)

/** Constants by their bare name. Some enumerations share a name: the argument decides which one is meant. */
export const shorts: ReadonlyMap<string, readonly Short[]> = shortTable

/** Other names of constants after the name of their enumeration. */
const aliases: { readonly [enumName: string]: { readonly [name: string]: EnumValue } } = {
  Direction: { from: Direction.OUT, to: Direction.IN },
  Order: { incr: Order.asc, decr: Order.desc },
  // The names of JanusGraph's enumeration.
  Cardinality: { SINGLE: Cardinality.single, LIST: Cardinality.list, SET: Cardinality.set },
  GType: Object.fromEntries(
    Object.values(GType).map((value) => [camelGTypes[value.name] ?? value.name.toLowerCase(), value])
  )
}

/** True for the name of an enumeration. */
export const isEnumName = (name: string): name is EnumName => Object.hasOwn(enums, name)

/** The constant that `name` means after `enumName.`, or undefined. */
export const constantOf = (enumName: EnumName, name: string): EnumValue | undefined => {
  if (Object.hasOwn(enums[enumName], name)) return enums[enumName][name]
  const others = aliases[enumName]
  return others !== undefined && Object.hasOwn(others, name) ? others[name] : undefined
}

const hidden = (owner: string, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.map((name) => [name, `~tinkerpop.${owner}.${name}`]))

/** Keys and values of with(), by their class. */
export const optionConstants: { readonly [owner: string]: { readonly [name: string]: string | number } } = {
  WithOptions: {
    tokens: "~tinkerpop.valueMap.tokens",
    none: 0,
    ids: 1,
    labels: 2,
    keys: 4,
    values: 8,
    all: 15,
    indexer: "~tinkerpop.index.indexer",
    list: 0,
    map: 1
  },
  PageRank: hidden("pageRank", ["edges", "times", "propertyName"]),
  PeerPressure: hidden("peerPressure", ["edges", "times", "propertyName"]),
  ConnectedComponent: {
    ...hidden("connectedComponent", ["edges", "propertyName"]),
    component: "gremlin.connectedComponentVertexProgram.component"
  },
  ShortestPath: hidden("shortestPath", ["target", "edges", "distance", "maxDistance", "includeEdges"]),
  IO: {
    ...hidden("io", ["reader", "writer", "registry"]),
    graphson: "graphson",
    gryo: "gryo",
    graphml: "graphml"
  }
}

/** Classes of vertices that a script may construct with an id and a label. */
export const vertexClasses: ReadonlySet<string> = new Set(["Vertex", "ReferenceVertex", "DetachedVertex"])

/** Interfaces of Java with one method, as which a script may use a closure. */
export const functionalInterfaces: ReadonlySet<string> = new Set([
  ...["Comparator", "Closure", "Runnable", "Callable"],
  ...["Function", "BiFunction", "UnaryOperator", "BinaryOperator"],
  ...["Predicate", "BiPredicate", "Consumer", "BiConsumer", "Supplier"]
])

/** Classes that a script may construct with `new`, besides vertices. */
export const constructedClasses: ReadonlySet<string> = new Set([
  ...[
    "ArrayList",
    "LinkedList",
    "HashMap",
    "ConcurrentHashMap",
    "LinkedHashMap",
    "HashSet",
    "LinkedHashSet",
    "TreeMap",
    "TreeSet",
    "ArrayDeque"
  ],
  ...["MapConfiguration", "BaseConfiguration", "PropertiesConfiguration"],
  ...[
    "Date",
    "GregorianCalendar",
    "SimpleDateFormat",
    "Timestamp",
    "ReferenceEdge",
    "ReferenceVertexProperty",
    "AtomicInteger",
    "AtomicLong",
    "JsonSlurper",
    "JsonSlurperClassic",
    "Random",
    "Character",
    "String",
    "StringBuilder",
    "StringBuffer",
    "StringJoiner",
    "UUID",
    "Byte",
    "Short",
    "Integer",
    "Long",
    "Float",
    "Double",
    "BigDecimal",
    "BigInteger"
  ],
  ...Object.keys(exceptionParents)
])

/**
 * Classes that a script may name: types of property keys, and classes of JanusGraph's management calls. The evaluator has the
 * table of the methods that can be called on them.
 */
export const namedClasses: ReadonlySet<string> = new Set([
  ...["Vertex", "Edge", "VertexProperty", "Property", "Element", "Graph"],
  ...["String", "Character", "Boolean", "Byte", "Short", "Integer", "Long", "Float", "Double", "Object"],
  ...[
    "BigInteger",
    "BigDecimal",
    "RoundingMode",
    "Date",
    "Instant",
    "Duration",
    "ChronoUnit",
    "UUID",
    "Geoshape",
    "Number"
  ],
  ...[
    "Math",
    "System",
    "Thread",
    "Random",
    "Calendar",
    "GregorianCalendar",
    "LocalDate",
    "LocalDateTime",
    "OffsetDateTime",
    ...["ZonedDateTime", "ZoneId", "ZoneOffset", "TimeZone", "DateTimeFormatter", "DayOfWeek", "Month"],
    ...["Stream", "IntStream", "LongStream", "Collectors"],
    "Collections",
    "Comparator",
    "JsonOutput",
    ...["Base64", "StandardCharsets"],
    "Arrays",
    "Objects",
    ...["Timestamp", "InetAddress", "ByteBuffer"]
  ],
  ...[
    "StringBuilder",
    ...["StringBuffer", "StringJoiner"],
    "CharSequence",
    "GString",
    "Comparable",
    "Iterable",
    "Iterator",
    "Collection",
    "Closure",
    "Pattern",
    "Optional"
  ],
  ...Object.keys(exceptionParents),
  ...["List", "ArrayList", "LinkedList", "Map", "HashMap", "LinkedHashMap", "Set", "HashSet", "LinkedHashSet"],
  ...["TreeMap", "TreeSet", "SortedMap", "SortedSet", "ArrayDeque", "Deque", "Queue"],
  ...["Multiplicity", "SchemaAction", "SchemaStatus", "ConsistencyModifier", "Mapping", "Parameter", "TokenField"],
  ...["ManagementSystem", "GraphIndexStatusReport", "RelationType", "PropertyKey", "EdgeLabel", "VertexLabel"],
  ...[
    "JsonSchemaInitStrategy",
    "TimeUnit",
    "JanusGraphFactory",
    "ConfiguredGraphFactory",
    "ConfigurationManagementGraph",
    "JanusGraphManager",
    "GraphOfTheGodsFactory",
    "ParameterType",
    "TinkerFactory",
    "TinkerGraph",
    "TinkerTransactionGraph",
    "AnonymousTraversalSource",
    "ScriptContext",
    "Cmp",
    "Contain",
    "ScanMetrics",
    ...[
      "PageRankVertexProgram",
      "PeerPressureVertexProgram",
      "ConnectedComponentVertexProgram",
      "ShortestPathVertexProgram"
    ],
    ...["ClusterCountMapReduce", "ClusterPopulationMapReduce", "GraphComputer"],
    ...["IoCore", "Gremlin", "IteratorUtils"]
  ]
])

/** First words of package names. The parser skips a package up to the first name with a capital letter. */
export const packageRoots: ReadonlySet<string> = new Set(["org", "com", "java", "javax", "groovy", "net", "io"])

/** Words that begin statements of a programming language. */
export const codeWords: ReadonlySet<string> = new Set([
  ...["if", "else", "for", "while", "do", "switch", "case", "try", "catch", "finally", "throw", "assert"],
  ...["class", "interface", "enum", "trait", "package", "synchronized", "break", "continue", "this", "super"]
])

/** Types that have a class without being one: `int.class`. */
export const primitiveClasses: ReadonlySet<string> = new Set([
  ...["int", "long", "short", "byte", "float", "double", "boolean", "char", "void"]
])

/** Types and modifiers that may precede the name in a declaration, besides names with a capital letter. */
export const primitiveTypes: ReadonlySet<string> = new Set([
  ...["def", "var", "final", "static", "private", "public", "protected"],
  ...primitiveClasses
])
