import { describe, expect, it } from "vitest"
import { emptyTinkerGraph, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, modern, startServer } from "../support/TestServers.ts"

const valuesOf = async (authority: string, script: string): Promise<unknown> => {
  const { json } = await post(authority, script)
  return json.result?.data ?? json.message
}

describe("A program on a server", () => {
  it("runs traversals in loops, functions and closures", async () => {
    const { authority } = await startServer(modern)
    const script = `
      def friends(v) { g.V(v).out('knows').toList() }
      def names = []
      for (v in g.V().hasLabel('person').toList()) {
        if (v.value('age') > 28) friends(v).each { names << "\${it.value('name')} of \${v.value('name')}" }
      }
      names.sort()`
    expect(await valuesOf(authority, script)).toEqual(["josh of marko", "vadas of marko"])
    expect(await valuesOf(authority, "def n = 0; g.V().each { n += it.id() }; n")).toEqual([21])
  })

  it("catches the errors of traversals, and goes on", async () => {
    const { authority } = await startServer(modern)
    expect(await valuesOf(authority, "try { g.V().values('name').sum().next() } catch (e) { 'caught' }")).toEqual([
      "caught"
    ])
    expect(await valuesOf(authority, "try { g.V(99).next() } catch (NoSuchElementException e) { 'none' }")).toEqual([
      "none"
    ])
  })

  it("shows where a method of the server was refused, and catches the refusal", async () => {
    const { authority } = await startServer(modern)
    const calls = [
      "graph.openManagement()",
      "graph.variables().set('', 1)",
      "graph.variables().set('a', null)",
      "graph.close()",
      "TinkerFactory.generateModern(1)",
      "graph.configuration().setProperty('a', 1)"
    ]
    for (const call of calls) expect(await valuesOf(authority, `1\n  ${call}`), call).toMatch(/^Line 2, column \d+: /)
    const caught = "try { graph.variables().set('', 1) } catch (IllegalStateException e) { e.message }"
    expect(await valuesOf(authority, caught)).toEqual(["Graph variable key can not be the empty string"])
  })

  it("stores no object that exists only in a script", async () => {
    const { authority } = await startServer(modern)
    const counter = "new java.util.concurrent.atomic.AtomicInteger(1)"
    const writes = [
      ["g.V(1).property('n', new StringBuilder('a'))", "StringBuilder"],
      ["g.V(1).properties('name').property('n', [a: [new StringBuilder('a')]])", "StringBuilder"],
      ["g.E(7).property('n', new StringBuilder('a'))", "StringBuilder"],
      [`def counters = [${counter}]; g.V(1).property('n', counters)`, "AtomicInteger"],
      [`g.V(1).property('n', __.map{${counter}})`, "AtomicInteger"],
      ["g.V(1).next().property('n', [{it}])", "Closure"],
      ["graph.variables().set('n', [new StringBuilder('a')])", "StringBuilder"]
    ]
    for (const [write, type] of writes) {
      expect(await valuesOf(authority, write!), write).toMatch(`n cannot hold an object of the type ${type}, which`)
    }
    expect(await valuesOf(authority, "g.V(1).property('n', new StringBuilder('a').toString()).values('n')")).toEqual([
      "a"
    ])
  })

  it("keeps functions and assigned variables for later requests of a session", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const session = { session: "programs" }
    const ask = async (gremlin: string) =>
      (await client.answer(client.send("eval", "session", { gremlin, ...session }))).status
    expect((await ask("def twice(x) { x * 2 }; def hidden = 1; shown = 2")).code).toBe(200)
    expect((await ask("assert twice(shown) == 4")).code).toBe(200)
    expect((await ask("hidden")).message).toContain("there is no variable hidden")
    expect((await ask("twise(1)")).message).toContain("function twise(). A session keeps its functions;")
  })

  it("ends an endless loop at its time limit, and serves others meanwhile", async () => {
    const { authority } = await startServer(modern)
    for (const script of [
      "while (true) { }",
      "for (;;) { try { throw new Exception('x') } catch (e) { } }",
      "def f; f = { while (true) { it } }; f(1)",
      "n = 2000000000; for (i in 1..n) { i }",
      "2000000000.times { }"
    ]) {
      const endless = post(authority, script, { evaluationTimeout: 300 })
      expect(await valuesOf(authority, "1 + 1")).toEqual([2])
      const { json, status } = await endless
      expect(status, script).toBe(500)
      expect(json.message, script).toContain("evaluationTimeout")
    }
  })

  it("logs what it prints in one escaped line", async () => {
    const server = await startServer(modern)
    await post(server.authority, "println 'a\\u001b[31m'; [1, 2].each { println it }; 5")
    await eventually(() => server.log.some((line) => line.includes("A script printed")))
    const line = server.log.find((one) => one.includes("A script printed"))!
    expect(JSON.parse(line.slice(line.indexOf("{"))).text).toBe("a\\u001b[31m\\n1\\n2")
    await post(server.authority, "10000.times { print 'xxxxxxxxxx' }")
    await eventually(() => server.log.some((one) => one.includes("xxx...")))
    expect(Math.max(...server.log.map((one) => one.length))).toBeLessThan(6_000)
  })
})

describe("A commit that fails inside of try", () => {
  const graphs = [
    [
      "in memory",
      {
        graphs: new Map([
          [
            "graph",
            {
              ...emptyTinkerGraph,
              name: "graph",
              factory: { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults } as const
            }
          ]
        ])
      }
    ],
    ["on disk", onLmdb(newFolder())]
  ] as const

  it.each(graphs)("runs the catch clause, and the session goes on: a graph %s", async (_, settings) => {
    const { authority } = await startServer(settings)
    expect(await valuesOf(authority, "g.addV('x').property('n', 0).iterate(); 1")).toEqual([1])
    const client = await SocketClient.connect(authority)
    const ask = async (gremlin: string) => {
      const { result, status } = await client.eval(gremlin, { session: "commits" })
      return status.code < 300 ? result.data : status.message
    }
    const conflict = async (type: string, rest = "'caught'") => {
      expect(await ask("g.tx().open(); g.V().property('n', 1).iterate(); 1")).toEqual([1])
      expect(await valuesOf(authority, "g.V().property('n', 2).iterate(); 1")).toEqual([1])
      return ask(
        `done = []; try { graph.tx().commit(); done << 1 } catch (${type} e) { ${rest} } finally { done << 2 }`
      )
    }
    const types = "TransactionException RuntimeException Exception Throwable java.lang.Exception JanusGraphException"
    for (const type of [...types.split(" "), "org.janusgraph.diskstorage.locking.PermanentLockingException"]) {
      expect(await conflict(type, "e.message"), type).toEqual([expect.stringContaining("conflicts with a transaction")])
      expect(await ask("done"), type).toEqual([2])
    }
    const causes = "[e.cause instanceof TemporaryLockingException, e.cause.message == e.message]"
    expect(await conflict("JanusGraphException", causes)).toEqual([true, true])
    const tested =
      "[e.isCausedBy(PermanentLockingException), e.isCausedBy(TemporaryBackendException), e.isCausedBy(IOException)]"
    expect(await conflict("Exception", tested)).toEqual([true, true, false])
    const retried = "'given up' } catch (TemporaryBackendException t) { 'again'"
    expect(await conflict("PermanentBackendException", retried)).toEqual(["again"])
    expect(await conflict("PermanentLockingException", "'again' } catch (Exception x) { 'failed'")).toEqual(["again"])
    expect(await conflict("IllegalStateException")).toContain("conflicts with a transaction")
    expect(await ask("done")).toEqual([2])
    const again =
      "def n = 0; while (true) { try { g.V().property('n', 9).iterate(); g.tx().commit(); break } catch (Error | Exception x) { n++ } }; n"
    expect(await conflict("Exception", again)).toEqual([0])
    expect(await valuesOf(authority, "g.V().values('n')")).toEqual([9])
  })
})

describe("An exception", () => {
  it("has its class, and the type that a catch clause names is an exception", async () => {
    const { authority } = await startServer()
    const classOf = (thrown: string) => valuesOf(authority, `try { ${thrown} } catch (e) { e.getClass().simpleName }`)
    expect(await classOf("throw new IllegalStateException('a')")).toEqual(["IllegalStateException"])
    expect(await classOf("1.intdiv(0)")).toEqual(["ArithmeticException"])
    expect(await classOf("g.V().next()")).toEqual(["NoSuchElementException"])
    expect(await valuesOf(authority, "try { 1 } catch (Foo e) { 2 }")).toBe(
      "Line 1, column 18: Foo is no exception: catch (Exception e) catches every exception of a script"
    )
    expect(await valuesOf(authority, "try { 1 } catch (Exception | constructor e) { 2 }")).toContain(
      "constructor is no exception"
    )
    expect(await valuesOf(authority, "try { 1 } catch (java.sql.SQLException | Error e) { 2 }")).toEqual([1])
    for (const type of ["ClassNotFoundException", "ReadOnlyPropertyException", "NoSuchMethodError", "IOError"]) {
      expect(await valuesOf(authority, `try { 1 } catch (${type} e) { 2 }`), type).toEqual([1])
    }
  })

  it("is one that a script can get, if a clause names it", async () => {
    const { authority } = await startServer()
    expect(await valuesOf(authority, "try { 1 } catch (IllegalArgumentExeption e) { 2 }")).toBe(
      "Line 1, column 18: scripts throw no IllegalArgumentExeption. " +
        "Did you mean IllegalArgumentException? catch (Exception e) catches every exception of a script"
    )
    const unknown = "try { 1 } catch (org.janusgraph.core.JanusGraphConfigException e) { 2 }"
    expect(await valuesOf(authority, unknown)).toContain("scripts throw no JanusGraphConfigException")
  })

  it("has JanusGraph's classes for values and elements that a graph refuses", async () => {
    const { authority } = await startServer(onLmdb(newFolder(), "schema.default=none"))
    const made =
      "m = graph.openManagement(); m.makeVertexLabel('p').make(); " +
      "m.buildIndex('byName', Vertex.class).addKey(m.makePropertyKey('name').dataType(String.class).make()).unique().buildCompositeIndex(); m.commit(); 1"
    expect(await valuesOf(authority, made)).toEqual([1])
    const imports =
      "import org.janusgraph.core.SchemaViolationException; import org.janusgraph.core.JanusGraphException; "
    for (const failing of [
      "g.addV('p').property('other', 1).iterate()",
      "m = graph.openManagement(); try { m.makePropertyKey('name').dataType(String.class).make() } finally { m.rollback() }",
      "g.addV('p').property('name', 'a').iterate(); g.addV('p').property('name', 'a').iterate(); g.tx().commit()"
    ]) {
      for (const type of ["SchemaViolationException", "JanusGraphException", "IllegalArgumentException"]) {
        const caught = `${imports} try { ${failing} } catch (${type} e) { g.tx().rollback(); [e instanceof ${type}] }`
        expect(await valuesOf(authority, caught), failing).toEqual([true])
      }
    }
    const gone =
      "v = g.addV('p').next(); g.V(v).drop().iterate(); try { v.property('name', 'b') } catch (InvalidElementException e) { 'gone' }"
    expect(await valuesOf(authority, gone)).toEqual(["gone"])
    expect(
      await valuesOf(authority, "try { 1.intdiv(0) } catch (JanusGraphException e) { 2 } catch (e) { 3 }")
    ).toEqual([3])
  })
})
