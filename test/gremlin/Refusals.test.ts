import { describe, expect, it } from "vitest"
import { newFolder } from "../Folders.ts"
import { post } from "../layers/support/HttpClient.ts"
import { onLmdb } from "../layers/support/LmdbGraphs.ts"
import { startServer } from "../layers/support/TestServers.ts"

/** What the migration guide lists as refused, with the place of the error and what its message says. */
const refused: ReadonlyArray<readonly [script: string, column: number | undefined, says: string]> = [
  ["describeGraph(graph)", 1, "there is no step, predicate or function describeGraph()"],
  ["graph.compute(1)", undefined, "compute() takes no argument"],
  ["g.V().program(x)", 7, "the steps pageRank(), peerPressure()"],
  ["CloneVertexProgram.build()", 1, "the steps pageRank(), peerPressure()"],
  ["graph.compute(SparkGraphComputer)", 15, "SparkGraphComputer"],
  ["graph.io(graphml()).reader()", undefined, "io[graphml] has no method reader()"],
  ["g.sparql('x')", 3, "a traversal does not begin with sparql()"],
  ["graph.cypher('x')", 7, "graph has no method cypher()"],
  ["Neo4jGraph.open('x')", 1, "scripts use the graphs of this server only"],
  ["GraphFactory.open('x')", 1, "scripts use the graphs of this server only"],
  ["hdfs.ls()", 1, "there is no variable hdfs"],
  ["Cluster.open()", 1, "scripts use the graphs of this server only"],
  ["DriverRemoteConnection.using('x')", 1, "scripts use the graphs of this server only"],
  ["traversal().withRemote('x')", undefined, "traversal().with(graph) uses a graph of it"],
  ["new Thread({ 1 }).start()", 1, "scripts do not have the constructor new Thread(...)"],
  ["Thread.currentThread()", 8, "currentThread"],
  ["new AtomicBoolean(true)", 1, "scripts do not have the constructor new AtomicBoolean(...)"],
  ["[1].each(System.err.&println)", 17, "System has no constant err"],
  ["java.awt.Color.RED", 1, "scripts do not have the class or package java.awt.Color"],
  ["graph.buildTransaction().logIdentifier('a').start()", undefined, "Leave the call out"],
  ["JanusGraphFactory.openTransactionLog(graph)", 19, "JanusGraphFactory.openTransactionLog()"],
  ["JanusGraphFactory.startTransactionRecovery(graph, 1, 2)", 19, "JanusGraphFactory.startTransactionRecovery()"],
  ["JanusGraphFactory.open('/etc/a.properties')", undefined, "the setting dynamicGraphs.directory"],
  ["JanusGraphFactory.build().set('a', 1).open()", undefined, "is not an option of a graph"],
  ["JanusGraphFactory.drop(graph)", undefined, "belongs to the server"],
  ["new ChangeProcessor() { void process(a) { } }", 1, "scripts do not have the constructor new ChangeProcessor(...)"],
  ["new MapReduceIndexManagement(graph)", 1, "mgmt.updateIndex() does the same"],
  ["graph.close()", undefined, "belongs to the server, which closes it"],
  ["mgmt = graph.openManagement(); mgmt.set('storage.backend', 'x')", undefined, "take effect at the next start"],
  ["graph.configuration().setProperty('a', 1)", undefined, "options from its properties file"],
  ["traversal(CredentialTraversalSource.class)", 11, "scripts do not have the class CredentialTraversalSource"],
  ["new File('x.csv').eachLine { }", 1, "new File(...): scripts read no files and no addresses. The command 'import'"],
  ["new java.io.FileReader('x')", 1, "and POST /loader load data"],
  ["import java.nio.file.Files", 8, "class java.nio.file.Files is unknown: scripts read no files"],
  ["graph.getOpenTransactions()", 7, "leave the call out: idleTransactionTimeout"],
  ["graph.openTransactions", 7, "leave the call out: idleTransactionTimeout"],
  ["LoggerFactory.getLogger('init')", 1, "println 'text' writes to the log"],
  ["org.slf4j.LoggerFactory.getLogger('init')", 1, "println 'text' writes to the log"],
  ["IteratorUtils.map([1].iterator(), { it })", 15, "toList() of the iterator"],
  ["g.V().toStream()", 7, "there is no step toStream(): toList() gives a list"],
  ["'x'.digest('foo')", 5, "digest() takes MD5, SHA, SHA1"],
  ["java.time.LocalTime.now()", 1, "class or package java.time.LocalTime: new Date(), LocalDate.now()"],
  ["Period.ofDays(1)", 1, "scripts do not have the class Period"],
  ["new groovy.json.JsonBuilder()", 1, "new JsonBuilder(...): JsonOutput.toJson(map) writes JSON"],
  ["new TreeMap({ a, b -> b <=> a })", 1, "its keys have their natural order"],
  ["Collections.unmodifiableList([1])", 13, "method Collections.unmodifiableList(): asImmutable() of a list"],
  ["[1].asUnmodifiable()", 5, "has no method asUnmodifiable() in scripts"],
  ["('a'..'e').step(2)", 12, "has no method step() in scripts"],
  ['"\u0024{-> 1}"', 2, "a closure in a string is not supported"],
  ["def f(x) { x }; f 1", 19, 'found "1" where an operator'],
  ["2 in { it > 1 }", 3, "'in' takes no closure in scripts"],
  ["import static java.lang.Math.squareRoot; squareRoot(4)", 15, "scripts have no method squareRoot() of Math"],
  ["String.format('%tY', new Date(0))", 8, "scripts do not have the conversion %t"],
  ["$/x/$", 1, "there is no variable $"],
  ["x = switch (1) { }", 5, "a switch that is a value needs a 'case' or 'default'"],
  ["x = switch (1) { case 1: 2 }", 18, "ends with 'yield x' or 'throw x', or has '->' instead of ':'"],
  ["x = switch (1) { case 1 -> { return 2 } }", 30, "a switch that is a value has no 'return'"],
  ["while (true) { x = switch (1) { case 1 -> { break } } }", 45, "a switch that is a value has no 'break'"],
  ["while (true) { x = switch (1) { case 1: continue } }", 41, "a switch that is a value has no 'continue'"],
  ["x = switch (1) { default -> 1; case 1 -> 2 }", 32, "in a switch that is a value, 'default' is the last case"],
  ["int[][] a = [[1]]", 5, 'found "]"'],
  ["({ 1 }).delegate", 9, "Closure has no property delegate"],
  ["use(String) { 1 }", 1, "there is no step, predicate or function use()"],
  ["f = { it }; f.trampoline()", 15, "a closure has no method trampoline()"],
  ["[a: 1].sum { it.value }", 8, "call it on map.values()"],
  ["'text'.countBy { it }", 8, "call it on its characters"],
  [
    "gt(3).x(4)",
    6,
    "after a predicate, only .and(), .or(), .negate(), .test(), .getValue(), .getPredicates(), .equals() and .toString() are allowed"
  ]
]

describe("A statement that scripts do not have", () => {
  it("is refused with its place and with what to write instead, and changes nothing", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    expect((await post(authority, "g.addV('x').iterate()")).status).toBe(200)
    for (const [script, column, says] of refused) {
      const { json, status } = await post(authority, script)
      expect.soft(status, script).toBeGreaterThanOrEqual(400)
      expect.soft(json.message, script).toContain(says)
      if (column !== undefined) expect.soft(json.message, script).toContain(`Line 1, column ${column}: `)
    }
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([1])
  })
})
