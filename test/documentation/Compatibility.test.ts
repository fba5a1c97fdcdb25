import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { newFolder } from "../Folders.ts"
import { http } from "../layers/support/HttpClient.ts"
import { onLmdb } from "../layers/support/LmdbGraphs.ts"
import { startServer } from "../layers/support/TestServers.ts"

const document = readFileSync(
  join(fileURLToPath(new URL("../../", import.meta.url)), "docs", "reference", "compatibility.md"),
  "utf8"
)

/** The first column of the table of refused statements: the code of each row. */
const refused = document
  .slice(document.indexOf("## Statements that are refused"))
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => Array.from(line.split(" | ")[0]!.matchAll(/`([^`]+)`/g), ([, code]) => code!))

const traversal = "t = g.V().aggregate('x'); t.iterate(); "
const sorted = "x = new TreeMap(['a': 1, 'b': 2]); "
const management = "mgmt = graph.openManagement(); "

/** Scripts with those statements that cannot be run as the document writes them, or would fail for another reason. */
const scripts: Readonly<Record<string, string>> = {
  "t.sideEffects": `${traversal}t.sideEffects`,
  "t.getSideEffects()": `${traversal}t.getSideEffects()`,
  TraversalVertexProgram: "graph.compute().program(TraversalVertexProgram.build().create())",
  CloneVertexProgram: "graph.compute().program(CloneVertexProgram.build().create())",
  "vertices()":
    "graph.compute().vertices(__.hasLabel('a')).program(PageRankVertexProgram.build().create()).submit().get()",
  "edges()": "graph.compute().edges(__.outE()).program(PageRankVertexProgram.build().create()).submit().get()",
  "result(ORIGINAL)":
    "graph.compute().result(GraphComputer.ResultGraph.ORIGINAL).program(PageRankVertexProgram.build().create()).submit().get()",
  "memory().iteration":
    "graph.compute().program(PageRankVertexProgram.build().create()).submit().get().memory().iteration",
  "program()": "g.V().program(PageRankVertexProgram.build().create())",
  "g.sparql()": "g.sparql('SELECT ?x WHERE { ?x v:name ?y }')",
  "graph.cypher()": "graph.cypher('MATCH (a) RETURN a')",
  Neo4jGraph: "Neo4jGraph.open('x')",
  GraphFactory: "GraphFactory.open('x')",
  "withRemote()": "traversal().withRemote('x')",
  "Stream.iterate()": "Stream.iterate(1, { it + 1 }).limit(3).toList()",
  "Stream.generate()": "Stream.generate({ 1 }).limit(3).toList()",
  "x instanceof TreeMap": `${sorted}x instanceof TreeMap`,
  "list.collate(0)": "list = [1, 2]; list.collate(0)",
  Period: "Period.ofDays(1)",
  LocalTime: "LocalTime.of(1, 2)",
  "Europe/Berlin": "ZoneId.of('Europe/Berlin')",
  "new TreeMap(closure)": "new TreeMap({ a, b -> b <=> a })",
  "Collections.unmodifiableList()": "Collections.unmodifiableList([1])",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a string of Groovy.
  '"${-> x}"': 'x = 1; "${-> x}"',
  "f 1": "def f(a) { a }; f 1",
  "x in { it > 1 }": "x = 3; x in { it > 1 }",
  "%t": "String.format('%tY', new Date())",
  "int[][]": "int[][] x = [[1]]; x",
  "closure.delegate": "closure = { 1 }; closure.delegate",
  "use(Category)": "use(Category) { 1 }",
  "trampoline()": "x = { 1 }.trampoline(); x()",
  "map.sum { }": "map = ['a': 1]; map.sum { it.value }",
  "'text'.countBy { }": "'text'.countBy { it }",
  "java.awt.Color": "java.awt.Color.RED",
  EventStrategy: "g.withStrategies(EventStrategy.build().addListener(x).create()).V()",
  "JanusGraphFactory.openTransactionLog()": "JanusGraphFactory.openTransactionLog(graph)",
  "startTransactionRecovery()": "JanusGraphFactory.startTransactionRecovery(graph, Instant.now())",
  "mgmt.set()": `${management}mgmt.set('query.force-index', true)`,
  "mgmt.remove()": `${management}mgmt.remove('query.force-index')`,
  "mgmt.get()": `${management}mgmt.get('query.force-index')`,
  "graph.configuration().setProperty()": "graph.configuration().setProperty('a', 'b')",
  "logIdentifier()": "graph.buildTransaction().logIdentifier('x').start()",
  "import org.janusgraph.core.log.*": "import org.janusgraph.core.log.*; 1",
  "JsonSchemaInitStrategy.initializeSchemaFromFile(graph, file)":
    "JsonSchemaInitStrategy.initializeSchemaFromFile(graph, 'schema.json')",
  "g.tx().onReadWrite()": "g.tx().onReadWrite(Transaction.READ_WRITE_BEHAVIOR.MANUAL)",
  "onClose()": "g.tx().onClose(Transaction.CLOSE_BEHAVIOR.COMMIT)",
  "((CacheVertex) v).refresh()": "v = g.addV().next(); ((CacheVertex) v).refresh()"
}

describe("docs/reference/compatibility.md", () => {
  it("lists as refused only what the server refuses", async () => {
    expect(refused.length).toBeGreaterThan(60)
    expect(Object.keys(scripts).filter((code) => !refused.includes(code))).toEqual([])
    const { authority } = await startServer(onLmdb(newFolder()))
    const accepted: Array<string> = []
    for (const code of refused) {
      const { status } = await http(authority, {}, JSON.stringify({ gremlin: scripts[code] ?? code }))
      if (status === 200) accepted.push(code)
    }
    expect(accepted).toEqual([])
  })
})
