import { noCode } from "./SyntaxErrors.ts"

// Calls that users know from Groovy and the Gremlin Console, and the steps that replace them.

const EACH =
  "the server sends all results of the last statement, and the client can process each; addV(), property() and drop() change the graph"
const OTHERS = "values(), map(), project() and fold() transform results"
const CHOSEN = "has(), where(), filter() and limit() select results"

/** Methods of Groovy and Java that take a closure, and the steps that replace them. */
const closureMethods: ReadonlyMap<string, string> = new Map([
  ...["each", "eachWithIndex", "forEach", "forEachRemaining", "reverseEach"].map((name) => [name, EACH] as const),
  ...["collect", "collectMany", "collectEntries", "with"].map((name) => [name, OTHERS] as const),
  ...["find", "findAll", "any", "every", "takeWhile", "dropWhile"].map((name) => [name, CHOSEN] as const),
  ["sort", "order().by() sorts"],
  ["groupBy", "group().by() groups"],
  ["countBy", "groupCount().by() counts"],
  ["times", "repeat(...).times(n) repeats steps, and inject() provides several values"]
])

/** The error text for a closure as the argument of a method, with the steps that replace the method. */
export const closureRefused = (name: string): string => {
  const instead = closureMethods.get(name)
  return `${noCode(`a closure is given to ${name}()`)}${instead === undefined ? "" : `: ${instead}`}`
}

/** Functions that write to the log line of the request. */
const PRINTING: ReadonlySet<string> = new Set(["print", "println", "printf"])

/** Functions that measure the time of a closure. */
const CLOCKS: ReadonlySet<string> = new Set(["clock", "clockWithResult"])

/** True for a function that measures the time of a closure. */
export const isClock = (name: string): boolean => CLOCKS.has(name)

/** Functions of every script: those that print, the one that formats, and those that measure. */
export const isScriptFunction = (name: string): boolean => PRINTING.has(name) || name === "sprintf" || isClock(name)

/** True for `println 'x'`: a Groovy call without parentheses. `end` is the offset after the name. */
export const isPrinting = (name: string, text: string, end: number): boolean => {
  if (!PRINTING.has(name)) return false
  const following = text.slice(end, end + 20)
  return /^[ \t]+[\w'"[$!-]/.test(following) && !/^[ \t]+(as|in|instanceof)\b/.test(following)
}

const COMMANDS: ReadonlySet<string> = new Set(["help", "exit", "quit", "clear", "history"])

/** The hint for a name that is neither a step nor a variable; undefined for an unknown name. */
export const wordHint = (name: string): string | undefined => {
  return COMMANDS.has(name) ? consoleCommand(name) : undefined
}

/** The error text for a command of the Gremlin Console, such as `:help`. */
export const consoleCommand = (command: string): string => {
  const submits = command === ":>" || command === ":submit" || command === ":s"
  const advice = submits ? `send only the text after '${command}'` : "it evaluates Gremlin, such as g.V().limit(5)"
  return `${command} is a command of the Gremlin Console, and this is a server: ${advice}`
}

/** The console command at a position; undefined when no statement begins there. */
export const consoleCommandAt = (text: string, position: number): string | undefined => {
  const isBegin = /(?:^|[\n\r;])\s*$/.test(text.slice(Math.max(0, position - 80), position))
  return isBegin ? /^:(?:>|[?\w+-]+)/.exec(text.slice(position, position + 40))?.[0] : undefined
}

const FILES = "g.io('name.json').read() and .write() read and write files"
const COMPUTES =
  "the steps pageRank(), peerPressure(), connectedComponent() and shortestPath() compute over whole graphs"
const HERE = "scripts use the graphs of this server only"

const CALENDARS =
  "new Date(), LocalDate.now() and LocalDateTime.now() give the time, with methods such as plusDays(1), and DateTimeFormatter writes it"
const DATA =
  "scripts read no files and no addresses. The command 'import' and POST /loader load data, g.io('name.json').read() reads a graph, and " +
  "bindings pass values"
const LOGS = "println 'text' writes to the log, and ctx.logger of a life-cycle hook does so, too"
const STALE = "leave the call out: idleTransactionTimeout ends transactions that no request uses"
const AWAITS =
  "ManagementSystem.awaitGraphIndexStatus(graph, 'name').call() waits for an index, and awaitRelationIndexStatus(graph, 'name', 'label') " +
  "for a vertex-centric one"
const GRAPHS =
  "graphs have the methods of JanusGraph without a cast, such as graph.openManagement(); use JanusGraph as the type of a variable"
const CONSTANTS = "asImmutable() of a list, set or map gives a copy that cannot be changed"

/** Names of Gremlin Server and JanusGraph, Groovy and Java that scripts do not have here, and what to write instead. */
const replacements: ReadonlyMap<string, string> = new Map([
  ...["program", "SparkGraphComputer"].map((name) => [name, COMPUTES] as const),
  ...["io", "writeGraph", "readGraph"].map((name) => [name, FILES] as const),
  ...["Cluster", "DriverRemoteConnection", "GraphFactory", "Neo4jGraph"].map((name) => [name, HERE] as const),
  ...["LocalTime", "Period"].map((name) => [name, CALENDARS] as const),
  ...["unmodifiableList", "unmodifiableSet", "unmodifiableMap", "unmodifiableCollection", "asUnmodifiable"].map(
    (name) => [name, CONSTANTS] as const
  ),
  ["toStream", "toList() gives a list, which has the methods of streams, such as collect { } and findAll { }"],
  ...["File", "FileReader", "FileInputStream", "BufferedReader", "InputStreamReader", "Files", "Paths", "URL"].map(
    (name) => [name, DATA] as const
  ),
  ...["LoggerFactory", "Logger"].map((name) => [name, LOGS] as const),
  ...["getOpenTransactions", "openTransactions"].map((name) => [name, STALE] as const),
  ...["ManagementUtil", "org.janusgraph.core.util"].map((name) => [name, AWAITS] as const),
  ...["StandardJanusGraph", "StandardJanusGraphTx"].map((name) => [name, GRAPHS] as const),
  [
    "JanusGraphCleanup",
    "ConfiguredGraphFactory.drop('name') removes a dynamic graph, and g.V().drop() empties a graph"
  ],
  ["RelationIdentifier", "g.E('id') finds an edge by the text of its id, and e.id().toString() gives this text"],
  ["JsonBuilder", "JsonOutput.toJson(map) writes JSON, and JsonOutput.prettyPrint(json) indents it"],
  ["MapReduceIndexManagement", "mgmt.updateIndex() does the same"]
])

/** The error text for a class or constructor that scripts do not have: with what to write instead, if there is something. */
export const noClass = (what: string, name: string): string => {
  const instead = insteadOf(name)
  return instead === ""
    ? noCode(what)
    : `${what}${instead}. Scripts have Gremlin and a part of Groovy only (docs/reference/compatibility.md)`
}

/** A sentence that says what to write instead of a name that scripts do not have, with a separator before it; empty without one. */
export const insteadOf = (name: string): string => {
  const instead = replacements.get(name) ?? (name.endsWith("VertexProgram") ? COMPUTES : undefined)
  return instead === undefined ? "" : `: ${instead}`
}
