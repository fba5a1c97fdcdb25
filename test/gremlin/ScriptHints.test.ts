import { describe, expect, it } from "vitest"
import { post } from "../layers/support/HttpClient.ts"
import { SocketClient } from "../layers/support/SocketClient.ts"
import { modern, startServer } from "../layers/support/TestServers.ts"

const cases: ReadonlyArray<readonly [string, string]> = [
  ["g.V", "Line 1, column 3: V needs parentheses: g.V()"],
  ["g.V.count()", "Line 1, column 3: V needs parentheses: g.V()"],
  ["g.E", "E needs parentheses: g.E()"],
  ["g.V().count", "Line 1, column 7: count needs parentheses: count()"],
  ["g.out()", "begin with V(), as in g.V().out()"],
  ["g.V().name", "there is no step name(): values('name') reads a property"],
  ["g.V().outt", "there is no step outt(): values('outt') reads a property. Did you mean out()?"],
  ["g.V().values{it.get()}", "a closure is given to values()"],
  [
    ":remote connect tinkerpop.server conf/remote.yaml",
    "Line 1, column 1: :remote is a command of the Gremlin Console, and this is a server: it evaluates Gremlin"
  ],
  [
    ":help",
    ":help is a command of the Gremlin Console, and this is a server: it evaluates Gremlin, such as g.V().limit(5)"
  ],
  ["g.V()\n  :quit", "Line 2, column 3: :quit is a command of the Gremlin Console"],
  [":> g.V().count()", ":> is a command of the Gremlin Console, and this is a server: send only the text after ':>'"],
  [
    "import org.janusgraph.core.util.*",
    "package org.janusgraph.core.util is unknown: ManagementSystem.awaitGraphIndexStatus("
  ],
  [
    "import org.janusgraph.core.util.ManagementUtil",
    "ManagementUtil is unknown: ManagementSystem.awaitGraphIndexStatus("
  ],
  ["ManagementUtil.awaitGraphIndexUpdate(graph, 'a', 60, x)", ": ManagementSystem.awaitGraphIndexStatus("],
  ["RelationIdentifier.parse('4qp-360-7x1-3aw')", "g.E('id') finds an edge by the text of its id"],
  ["import org.janusgraph.graphdb.relations.RelationIdentifier", "g.E('id') finds an edge by the text of its id"],
  [
    "org.janusgraph.core.util.JanusGraphCleanup.clear(graph)",
    ": ConfiguredGraphFactory.drop('name') removes a dynamic graph, and g.V().drop() empties a graph"
  ],
  ["import org.janusgraph.graphdb.database.StandardJanusGraph", "graphs have the methods of JanusGraph without a cast"],
  ["help", "help is a command of the Gremlin Console"],
  ["help()", "help is a command of the Gremlin Console"]
]

describe("A script with calls of Groovy or of the Gremlin Console", () => {
  it("is refused with the Gremlin to write instead, over HTTP and in a session", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const session = { session: "hints" }
    for (const [script, message] of cases) {
      const { json, status } = await post(authority, script)
      expect(status, script).toBe(500)
      expect(JSON.stringify(json), script).toContain(JSON.stringify(message).slice(1, -1))
      const answer = await client.answer(client.send("eval", "session", { gremlin: script, ...session }))
      expect(answer.status.message, script).toContain(message)
    }
  })

  it("is evaluated if it declares variables with these names", async () => {
    const { authority } = await startServer(modern)
    for (const [script, value] of [
      ["println = 7; println", 7],
      ["help = [a: 1]; help.a", 1],
      ["print = 2; print as int", 2]
    ] as const) {
      const { json } = await post(authority, script)
      expect(json.result.data, script).toEqual([value])
    }
  })
})
