import { steps } from "../../process/language/StepSignatures.ts"
import { closest } from "../../structure/characters/Spelling.ts"
import { lastPart } from "../../structure/scalars/ClassNames.ts"
import { insteadOf } from "../ScriptHints.ts"
import { isForeignException, isForeignPackage } from "./ExceptionNames.ts"
import { bareConstants } from "./JanusGraphEnums.ts"
import { predicates, searchPredicates, textPredicates } from "./Methods.ts"
import { isEnumName, optionConstants, shorts } from "./Names.ts"
import { isStaticConstant, type StaticMembers, staticMembersOf } from "./StaticImports.ts"

const TINKERPOP = "org.apache.tinkerpop.gremlin"
const TRAVERSAL = `${TINKERPOP}.process.traversal`
const COMPUTER = `${TINKERPOP}.process.computer.traversal.step.map`

/** Classes that scripts may import, by package: the classes that Gremlin names, and the types of its values. */
const packages: { readonly [name: string]: string } = {
  "groovy.json": "JsonException JsonOutput JsonSlurper JsonSlurperClassic",
  "groovy.lang": "Closure GString GroovyRuntimeException MissingMethodException MissingPropertyException",
  "java.io": "FileNotFoundException IOException UncheckedIOException",
  "java.lang":
    "ArithmeticException ArrayIndexOutOfBoundsException AssertionError Boolean Byte CharSequence Character Class " +
    "ClassCastException Comparable Double Error Exception Float IllegalArgumentException IllegalStateException " +
    "IndexOutOfBoundsException Integer InterruptedException Iterable Long Math NullPointerException Number " +
    "NumberFormatException Object Runnable RuntimeException SecurityException Short StackOverflowError String StringBuffer StringBuilder StringIndexOutOfBoundsException System " +
    "Thread Throwable UnsupportedOperationException",
  "java.math": "BigDecimal BigInteger RoundingMode",
  "java.net": "InetAddress",
  "java.nio": "ByteBuffer",
  "java.nio.charset": "StandardCharsets",
  "java.sql": "Timestamp",
  "java.text": "DateFormat ParseException SimpleDateFormat",
  "java.time":
    "DateTimeException DayOfWeek Duration Instant LocalDate LocalDateTime Month OffsetDateTime ZonedDateTime ZoneId ZoneOffset",
  "java.time.format": "DateTimeFormatter DateTimeParseException",
  "java.time.temporal": "ChronoUnit UnsupportedTemporalTypeException",
  "java.util":
    "ArrayDeque ArrayList Arrays Base64 Deque Queue SortedMap SortedSet TreeMap TreeSet Calendar Collection Collections Comparator ConcurrentModificationException Date GregorianCalendar HashMap HashSet Iterator LinkedHashMap LinkedHashSet LinkedList List Map " +
    "IllegalFormatConversionException IllegalFormatException Map.Entry MissingFormatArgumentException NoSuchElementException Objects Optional Random " +
    "Set StringJoiner TimeZone UnknownFormatConversionException UUID",
  "java.util.concurrent":
    "Callable CancellationException ConcurrentHashMap ExecutionException TimeUnit TimeoutException",
  "java.util.concurrent.atomic": "AtomicInteger AtomicLong",
  "java.util.function":
    "BiConsumer BiFunction BiPredicate BinaryOperator Consumer Function Predicate Supplier UnaryOperator",
  "java.util.regex": "Pattern",
  "java.util.stream": "Collectors IntStream LongStream Stream",
  "javax.script": "ScriptContext",
  "org.codehaus.groovy.runtime.typehandling": "GroovyCastException",
  [`${TRAVERSAL}.strategy.verification`]: "VerificationException",
  [`${TRAVERSAL}.util`]: "FastNoSuchElementException",
  [`${TINKERPOP}.server.util`]: "LifeCycleHook",
  [`${TINKERPOP}.structure`]:
    "Column Direction Edge Element Graph Property T Transaction Vertex VertexProperty VertexProperty.Cardinality",
  [`${TINKERPOP}.structure.io`]: "IoCore",
  [`${TINKERPOP}.structure.util`]: "TransactionException",
  [`${TINKERPOP}.structure.util.detached`]: "DetachedVertex",
  [`${TINKERPOP}.structure.util.reference`]: "ReferenceEdge ReferenceVertex ReferenceVertexProperty",
  [`${TINKERPOP}.util`]: "Gremlin",
  [`${TINKERPOP}.util.iterator`]: "IteratorUtils",
  [`${TINKERPOP}.tinkergraph.structure`]: "TinkerFactory TinkerGraph TinkerTransactionGraph",
  [TRAVERSAL]:
    "AnonymousTraversalSource DT GType IO Merge Operator Order P Path Pick Pop SackFunctions SackFunctions.Barrier Scope " +
    "TextP Traversal TraversalSource Traverser",
  [`${TRAVERSAL}.dsl.graph`]: "GraphTraversal GraphTraversalSource __",
  [`${TRAVERSAL}.step.util`]: "BulkSet Tree WithOptions",
  [`${TINKERPOP}.process.computer`]: "Computer GraphComputer GraphComputer.Persist GraphComputer.ResultGraph",
  [`${TINKERPOP}.process.computer.ranking.pagerank`]: "PageRankVertexProgram",
  [`${TINKERPOP}.process.computer.clustering.connected`]: "ConnectedComponentVertexProgram",
  [`${TINKERPOP}.process.computer.clustering.peerpressure`]:
    "ClusterCountMapReduce ClusterPopulationMapReduce PeerPressureVertexProgram",
  [`${TINKERPOP}.process.computer.search.path`]: "ShortestPathVertexProgram",
  [COMPUTER]: "ConnectedComponent PageRank PeerPressure ShortestPath",
  "org.apache.commons.configuration": "BaseConfiguration Configuration MapConfiguration PropertiesConfiguration",
  "org.apache.commons.configuration2": "BaseConfiguration Configuration MapConfiguration PropertiesConfiguration",
  "org.janusgraph.core":
    "BaseVertexQuery Cardinality ConfiguredGraphFactory Connection EdgeLabel Idfiable InvalidElementException InvalidIDException " +
    "JanusGraph JanusGraphComputer JanusGraphConfigurationException JanusGraphEdge JanusGraphElement JanusGraphException " +
    "JanusGraphFactory JanusGraphIndexQuery JanusGraphMultiVertexQuery JanusGraphProperty JanusGraphQuery JanusGraphRelation " +
    "JanusGraphTransaction JanusGraphVertex JanusGraphVertexProperty JanusGraphVertexQuery MixedIndexAggQuery MixedIndexCountQuery " +
    "Multiplicity Namifiable PropertyKey QueryDescription QueryException ReadOnlyTransactionException RelationType " +
    "SchemaViolationException Transaction TransactionBuilder VertexLabel VertexList",
  "org.janusgraph.core.attribute": "AttributeSerializer Cmp Contain Geo Geoshape Text",
  "org.janusgraph.diskstorage": "BackendException PermanentBackendException TemporaryBackendException",
  "org.janusgraph.diskstorage.locking": "PermanentLockingException TemporaryLockingException",
  "org.janusgraph.diskstorage.keycolumnvalue.scan": "ScanMetrics",
  "org.janusgraph.example": "GraphOfTheGodsFactory",
  "org.janusgraph.graphdb.types": "ParameterType",
  "org.janusgraph.core.schema":
    "ConsistencyModifier DefaultSchemaMaker DisableDefaultSchemaMaker EdgeLabelMaker IgnorePropertySchemaMaker Index " +
    "IndicesActivationType JanusGraphConfiguration JanusGraphDefaultSchemaMaker JanusGraphIndex JanusGraphManagement " +
    "JanusGraphSchemaElement JanusGraphSchemaType JobStatus JsonSchemaInitStrategy Mapping Parameter PropertyKeyMaker RelationTypeIndex " +
    "RelationTypeMaker SchemaAction SchemaInitStrategy SchemaInitType SchemaInspector SchemaManager SchemaStatus VertexLabelMaker",
  "org.janusgraph.graphdb.management": "ConfigurationManagementGraph JanusGraphManager",
  "org.janusgraph.graphdb.database.management":
    "GraphIndexStatusReport GraphIndexStatusWatcher ManagementSystem RelationIndexStatusReport RelationIndexStatusWatcher"
}

/** Packages of strategies. Whether a strategy exists is checked when it is used. */
const strategyPackage = /^org\.apache\.tinkerpop\.gremlin\.process\.traversal\.strategy\.[a-z]+$/

/** Full names by the simple name in lower case: `vertex` is `org.apache.tinkerpop.gremlin.structure.Vertex`. */
const fullNames = new Map<string, string>()
for (const [owner, classes] of Object.entries(packages)) {
  for (const name of classes.split(" ")) fullNames.set(lastPart(name).toLowerCase(), `${owner}.${name}`)
}

/** Full names by simple name, as Java's getName() gives them: `java.util.Map$Entry`. */
const javaNames: ReadonlyMap<string, string> = new Map(
  Object.entries(packages).flatMap(([owner, classes]) =>
    classes.split(" ").map((name) => [lastPart(name), `${owner}.${name.replace(".", "$")}`] as const)
  )
)

/** The full name of a class that scripts may name; the name itself for a primitive type, a strategy or an unknown class. */
export const javaClassName = (name: string): string => javaNames.get(name) ?? name

/** True if scripts may use the class with this full name. */
export const isClass = (name: string): boolean => {
  // The package ends before the first class name: `java.util` in `java.util.Map.Entry`.
  const end = /\.(?=[A-Z_])/.exec(name)?.index ?? 0
  const owner = name.slice(0, end)
  const rest = name.slice(end + 1)
  if (strategyPackage.test(owner)) return /^[A-Z]\w*Strategy$/.test(rest)
  if (isForeignException(owner, rest)) return true
  return Object.hasOwn(packages, owner) && packages[owner]!.split(" ").includes(rest)
}

/** A hint for an unknown class: the known class with the most similar name. Empty if no name is similar. */
const suggestion = (name: string): string => {
  const near = closest(lastPart(name).toLowerCase(), fullNames.keys())
  return near === undefined ? "" : ` Did you mean ${fullNames.get(near)}?`
}

/** Classes whose members scripts may write without the class name, even without an import. Each function tests a member. */
const bareMembers: { readonly [name: string]: (member: string) => boolean } = {
  AnonymousTraversalSource: (member) => member === "traversal",
  P: (member) => predicates.has(member),
  TextP: (member) => textPredicates.has(member),
  Text: (member) => searchPredicates.has(member) || textPredicates.has(member),
  Geo: (member) => searchPredicates.has(member),
  __: (member) => steps.has(member) || member === "not"
}

/** What a static import adds, or its problem; undefined if the member needs no import. `*` imports all members. */
const membersOf = (owner: string, member: string, alias: string): StaticMembers | string | undefined => {
  const name = lastPart(owner)
  // LIST and SET of GType, which are JanusGraph's cardinalities without an import.
  const isImported = bareConstants.has(member) && isEnumName(name) && isConstant(name, member)
  if (isImported || isStaticConstant(owner, member)) return staticMembersOf(owner, member, alias)
  if (Object.hasOwn(optionConstants, name) && !isEnumName(name)) {
    return `a member of ${name} needs its class name, such as ${name}.${member === "*" ? Object.keys(optionConstants[name]!)[0] : member}`
  }
  const own = Object.hasOwn(bareMembers, name) ? bareMembers[name] : undefined
  const isKnown = own ?? (isEnumName(name) ? (word: string) => isConstant(name, word) : undefined)
  if (isKnown === undefined) return staticMembersOf(owner, member, alias)
  if (alias !== member) return renamed(member, alias)
  return member === "*" || isKnown(member) ? undefined : `${name} has no member ${member}`
}

/** True if the enumeration has a constant with this name. */
const isConstant = (enumName: string, name: string): boolean =>
  shorts.get(name)?.some(({ value }) => value.enumName === enumName) === true

/** An error in an import: its text, and the offset in the script. */
interface ImportProblem {
  readonly problem: string
  readonly position: number
}

const IMPORT_STATEMENT =
  /import[ \t]+(static[ \t]+)?([A-Za-z_$][\w$]*(?:[ \t]*\.[ \t]*(?:[A-Za-z_$][\w$]*|\*))*)(?:[ \t]+as[ \t]+([\w$]+))?/y

/** An import that scripts may write: the offset after it, and what a static import adds. */
interface ReadImport {
  readonly end: number
  readonly owner: string
  readonly members: StaticMembers | undefined
}

/**
 * Reads the import statement at the position. Returns what it imports, or its error. The import of a class has no effect, because
 * scripts may use all known classes without one. The import of an unknown class is an error, because its use would fail later.
 */
export const readImport = (text: string, position: number): ReadImport | ImportProblem => {
  IMPORT_STATEMENT.lastIndex = position
  const found = IMPORT_STATEMENT.exec(text)
  if (found === null) {
    return {
      problem:
        "import is followed by the full name of a class, such as import java.util.UUID; no module or file can be loaded",
      position
    }
  }
  const [whole, isStatic, written = "", alias] = found
  const name = written.replace(/[ \t]/g, "")
  const last = lastPart(name)
  const owner = name.slice(0, Math.max(0, name.lastIndexOf(".")))
  const members =
    isStatic === undefined
      ? problemOf(name, owner, last, alias ?? last)
      : isClass(owner)
        ? membersOf(owner, last, alias ?? last)
        : unknownClass(owner === "" ? name : owner)
  if (typeof members === "string") return { problem: members, position: position + whole.indexOf(written, 6) }
  return { end: position + whole.length, owner, members }
}

const renamed = (name: string, alias: string): string =>
  `a class cannot be imported under another name: write ${name} for ${alias}`

/** The problem with the import of a class or of a package; undefined if there is none. */
const problemOf = (name: string, owner: string, last: string, alias: string): string | undefined => {
  if (alias !== last) return renamed(last, alias)
  if (last !== "*") return isClass(name) ? undefined : unknownClass(name)
  if (Object.hasOwn(packages, owner) || isForeignPackage(owner)) return undefined
  if (strategyPackage.test(owner) || isClass(owner)) return undefined
  const instead = insteadOf(owner)
  if (instead !== "") return `package ${owner} is unknown${instead}`
  const near = closest(owner, Object.keys(packages))
  const hint = near === undefined ? "" : ` Did you mean ${near}.*?`
  return `package ${owner} is unknown. Scripts may use the classes of the Gremlin language, which need no import.${hint}`
}

/** The error text for a class that scripts cannot use. */
export const unknownClass = (name: string): string =>
  `class ${name} is unknown${insteadOf(lastPart(name))}. Scripts may use the classes of the Gremlin language, which need no import.${suggestion(name)}`
