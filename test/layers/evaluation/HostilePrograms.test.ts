// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are those of Groovy.
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { http, post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, modern, startServer, type TestedServer } from "../support/TestServers.ts"

/** Sends scripts of one session. An answer is the data, or the message of the error. */
const session = async ({ authority }: TestedServer, bindings: Record<string, unknown> = {}) => {
  const client = await SocketClient.connect(authority)
  const name = randomUUID()
  return async (gremlin: string): Promise<unknown> => {
    const { result, status } = await client.eval(gremlin, { session: name, bindings })
    return status.code < 300 ? result.data : status.message
  }
}

const answerOf = async (
  { authority }: TestedServer,
  gremlin: string,
  more: Record<string, unknown> = {}
): Promise<unknown> => {
  const { json } = await post(authority, gremlin, more)
  return json.result?.data ?? json.message
}

describe("An element in a variable or a list", () => {
  it("is not written by a closure of a read-only source, wherever it comes from", async () => {
    const server = await startServer(modern)
    const kept =
      "def v = g.V(1).next(); def list = [v]; def map = [v: v]; def e = g.E().next(); def p = v.property('age')"
    const meta = "def change(x) { x.property('a', 1) }; def q = v.properties('name').next()"
    const writes = [
      ...["v.property('a', 1)", "list[0].property('a', 1)", "list.each { it.property('a', 1) }", "map.v.remove()"],
      ...["v.addEdge('x', v)", "e.property('a', 1)", "e.remove()", "p.remove()", "q.property('a', 1)", "change(v)"],
      ...[
        "v.with { it.property('a', 1) }",
        "v.tap { it.remove() }",
        "list*.remove()",
        "v?.remove()",
        "v.query().vertices()*.remove()"
      ],
      ...["v.edges(OUT).each { it.remove() }", "v.vertices(OUT).next().property('a', 1)", "e.outVertex().remove()"]
    ]
    for (const write of writes) {
      for (const step of ["sideEffect", "map", "filter"]) {
        const script = `${kept}; ${meta}; g.withStrategies(ReadOnlyStrategy).V().limit(1).${step} { ${write}; true }.iterate()`
        expect(await answerOf(server, script), script).toContain("mutating step")
      }
    }
    const counts =
      "[g.V().count().next(), g.E().count().next(), g.V().has('a').count().next(), g.V(1).values('age').next()]"
    expect(await answerOf(server, counts)).toEqual([6, 6, 0, 29])
  })

  it("of a source with a partition or a subgraph is not read by a closure under its strategies", async () => {
    const server = await startServer(modern)
    const reads = ["v.value('age')", "v.property('age').value()", "v.edges(OUT).next()", "v.vertices(OUT).next()"]
    const steps = [
      "map { READ }",
      "sideEffect { list << READ }",
      "order().by { a, b -> READ }",
      "group().by { READ }",
      "fold(0) { a, b -> READ }",
      "where(__.map { READ })",
      "union(__.map { READ })",
      "until { READ }.repeat(__.out())"
    ]
    const none = /there is no property|the property does not exist|no further value/
    for (const step of steps) {
      for (const read of reads) {
        const closure = step.replace("READ", read)
        const seen = "g.withStrategies(new SubgraphStrategy(vertices: hasLabel('software')))"
        const script = `def list = []; def v = g.V(1).next(); ${seen}.V().${closure}.toList()`
        expect.soft(await answerOf(server, script), script).toMatch(none)
      }
    }
    const other =
      "g.withStrategies(new PartitionStrategy(partitionKey: 'p', writePartition: 'a', readPartitions: ['a']))"
    const script = `def v = g.V(1).next(); ${other}.addV('x').map { v.values().toList().size() + v.edges(OUT).toList().size() }`
    expect(await answerOf(server, script)).toEqual([0])
  })

  it("is not found after the rollback that took it, and does not come back", async () => {
    const ask = await session(await startServer())
    await ask("graph = TinkerTransactionGraph.open(); h = graph.traversal(); v = h.addV('x').property('n', 1).next()")
    await ask("kept = [v]; p = v.property('n'); graph.tx().rollback()")
    for (const use of [
      "v.property('a', 1)",
      "kept[0].addEdge('e', v)",
      "h.V().map { v.property('a', 1) }.toList(); v.property('b', 1)",
      "v.value('n')",
      "kept"
    ]) {
      expect(await ask(use), use).toContain("the transaction that added it was rolled back")
    }
    expect(await ask("[v.edges(OUT).hasNext(), p.value(), h.V(v).hasNext()]")).toEqual([false, 1, false])
    await ask("v.remove(); p.remove(); graph.tx().commit()")
    expect(await ask("h.V().count()")).toEqual([0])
  })

  it("of another graph is not joined to a vertex that has its id by chance", async () => {
    const ask = await session(await startServer(modern))
    await ask("other = TinkerFactory.createModern().traversal(); v = g.V(1).next(); w = other.V(3).next()")
    for (const use of ["v.addEdge('e', w)", "w.addEdge('e', v)", "g.V(1).map { v.addEdge('e', w) }.next()"]) {
      expect(await ask(use), use).toContain("belongs to another graph")
    }
    expect(
      await ask("w.property('seen', true); [g.V().has('seen').count().next(), other.V().has('seen').count().next()]")
    ).toEqual([0, 1])
    expect(await ask("w.remove(); [g.V().count().next(), other.V().count().next(), g.E().count().next()]")).toEqual([
      6, 5, 6
    ])
    expect(await ask("w.property('a', 1)")).toContain("the element is not in the graph")
  })
})

describe("The variables of a session", () => {
  it("are those of the statements before an error, which runs no later statement", async () => {
    const ask = await session(await startServer(modern))
    const errors = [
      "null.x",
      "throw new Exception('no')",
      "g.V().fail('no').next()",
      "1 / 0",
      "[1].nothing()",
      "missing"
    ]
    for (const error of errors) {
      await ask("before = 0; list = []; after = 0")
      expect(await ask(`def f() { 7 }; before = 1; list << 2; ${error}; after = 1; list << 3`), error).toEqual(
        expect.any(String)
      )
      expect(await ask("[before, list, after, f()]"), error).toEqual([1, [2], 0, 7])
    }
    expect(await ask("try { before = 5; null.x } finally { list << 9 }")).toContain("is null")
    expect(await ask("[before, list.last()]")).toEqual([5, 9])
  })

  it("are used by one request at a time, in the order of the requests", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const send = (gremlin: string) => client.answer(client.send("eval", "session", { gremlin, session: "order" }))
    const answers = await Promise.all([
      send("list = []; for (i in 1..20000) { list << i; g.inject(1).iterate() }; list.size()"),
      send("list << 0; list.size()"),
      send("for (i in 1..1000) list << 0; list.size()"),
      send("list.size()")
    ])
    expect(answers.map(({ result }) => result.data)).toEqual([[20_000], [20_001], [21_001], [21_001]])
  })
})

describe("The name of a binding", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "__defineGetter__"]

  it("may be any name of a variable, also one of JavaScript", async () => {
    const server = await startServer()
    for (const name of [...names, "V", "out", "size", "println", "tx", "in", "as", "def"]) {
      const body = `{"gremlin": "[${name}, g.inject(1).map { ${name} }.next()]", "bindings": {"${name}": 42}}`
      const { json } = await http(server.authority, {}, body)
      expect(json.result?.data ?? json.message, name).toMatchObject({ "@value": [{ "@value": 42 }, { "@value": 42 }] })
      expect(await answerOf(server, name), name).toEqual(expect.stringMatching(/^Line 1, column/))
    }
  })

  it("of a variable, a function or a key of a map changes nothing else", async () => {
    const ask = await session(await startServer())
    for (const name of names) {
      expect(await ask(`def ${name} = [a: 1]; ${name}.a`), name).toEqual([1])
      expect(
        await ask(`m = [:]; m.${name} = [polluted: 1]; [m.polluted, [:].polluted, m.${name}.polluted]`),
        name
      ).toEqual([null, null, 1])
      expect(await ask(`def ${name}(x) { x + 1 }; ${name}(1)`), name).toEqual([2])
      expect(await ask("[[:].a, 'x'.size(), [1].size(), 2.5.intValue()]"), name).toEqual([null, 1, 1, 2])
    }
  })

  it("of a keyword does not change the keyword", async () => {
    const server = await startServer()
    for (const name of ["if", "for", "class", "true", "null", "new", "return", "this", "try", "import"]) {
      expect(
        await answerOf(server, "if (true) { for (i in [null]) { 7 } }; 7", { bindings: { [name]: 42 } }),
        name
      ).toEqual([7])
    }
  })
})

describe("What a script prints", () => {
  it("cannot end a line of the log, imitate one, or send commands to a terminal", async () => {
    const server = await startServer()
    const attacks = [
      "println 'a\\n2026-01-01T00:00:00.000Z ERROR forged'",
      "println 'a\\r\\nforged'",
      "print 'a\\u2028forged\\u2029forged\\u0085forged'",
      "println 'a\\u001b[2Jforged\\u009b31m\\u0007\\u0000\\b'",
      "println '\\\" requestId=forged user=\\\"admin'",
      "println 'a\\u202egnp.exe\\u2066\\ufeff'",
      "println '\\ud800'",
      "println '%s %d %n ${jndi:x} {}'"
    ]
    for (const attack of attacks) expect(await answerOf(server, attack), attack).toEqual([null])
    await eventually(() => server.log.filter((line) => line.includes("A script printed")).length === attacks.length)
    const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
    for (const line of server.log) expect(line).not.toMatch(unsafe)
    expect(server.log.some((line) => /^\S*(forged|2026-01-01)/.test(line))).toBe(false)
  })
})

describe("A script that is stopped", () => {
  const endless = "while (true) { }"
  const stopped: ReadonlyArray<string> = [
    `try { ${endless} } finally { done << 1; ${endless} }`,
    `try { ${endless} } catch (Throwable e) { done << 1; ${endless} }`,
    `try { try { ${endless} } catch (e) { done << 1 } } catch (Error e) { done << 1 } finally { done << 1 }`,
    `def f() { try { f2() } finally { done << 1 } }; def f2() { try { ${endless} } finally { done << 1 } }; f()`,
    `g.inject(1).map { try { ${endless} } finally { done << 1; ${endless} } }.next()`,
    `[1, 2].each { try { ${endless} } finally { done << 1 } }`,
    `g.inject(3, 2).order().by { a, b -> try { ${endless} } finally { done << 1 } }.toList()`,
    `try { g.inject(1).repeat(__.identity()).until { false }.next() } finally { done << 1 }`,
    `for (;;) { try { throw new Exception('x') } catch (e) { continue } finally { 1 } }`
  ]

  it("by its time limit runs neither catch nor finally, and its session goes on", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    for (const [at, script] of stopped.entries()) {
      const name = `limit${at}`
      await client.eval("done = []", { session: name })
      const { status } = await client.eval(script, { session: name, evaluationTimeout: 150 })
      expect([status.code, status.message], script).toEqual([598, expect.stringContaining("evaluationTimeout")])
      expect((await client.eval("done.size()", { session: name })).result.data, script).toEqual([0])
    }
  })

  it("by the end of its connection leaves its place in the pool to others", async () => {
    const { authority } = await startServer({ ...modern, enginePool: 1, evaluationTimeout: 0 })
    const other = await SocketClient.connect(authority)
    for (const script of stopped) {
      const client = await SocketClient.connect(authority)
      client.send("eval", "", { gremlin: `done = []; ${script}` })
      const waiting = other.eval("1 + 1")
      client.ws.terminate()
      expect((await waiting).result.data, script).toEqual([2])
    }
  })
})

describe("A script that grows", () => {
  it("ends with an error of the script, and does not end the server", async () => {
    const server = await startServer(modern)
    const growing: ReadonlyArray<readonly [script: string, message: string]> = [
      ["def f() { f() }; f()", "levels deep"],
      ["def f(n) { [n].collect { f(n + 1) } }; f(0)", "levels deep"],
      ["def f; f = { it.with { f(it) } }; f(1)", "levels deep"],
      ['def f(n) { "${f(n)}" }; f(0)', "levels deep"],
      ["def f(n) { switch (n) { case { f(n) }: 1 } }; f(0)", "levels deep"],
      ["def f(a, b = f(1)) { 1 }; f(1)", "levels deep"],
      ["def s = 'a'; 60.times { s = s + s }; s.size()", "at most 1048576 characters"],
      ["def s = 'a'; 60.times { s = \"$s$s\" }; s.size()", "at most 1048576 characters"],
      ["def s = 'a'; 60.times { s = s.replaceAll('a', 'aaaa') }; s.size()", "characters"],
      ["'x'.padLeft(2000000000)", "characters"],
      ["['x' * 1000000] * 100; def l = ['x' * 1000000]; 30.times { l += l }; l.join(',')", ""],
      ["def l = [1]; 60.times { l += l }", "the limit for scripts"],
      ["def l = [1]; 60.times { l = [l, l] }", "the limit for scripts"],
      ["def m = [:]; 60.times { m = [a: m, b: m] }", "the limit for scripts"],
      ["def l = []; l << l", "cannot be put into itself"],
      ["def n = 9n; while (true) n = n * n", ""],
      ["('a' * 60000) ==~ /(a|aa)*(a*)*b/", ""],
      ["('a' * 2000 + 'b').replaceAll(/(a+)+$/, 'x').size()", ""],
      ["'a'.matches('(?=a)a')", "look-ahead is not supported"],
      ["'aa'.matches(/(a)\\1/)", "back-reference"]
    ]
    for (const [script, message] of growing) {
      const { json, status } = await post(server.authority, script, { evaluationTimeout: 20_000 })
      expect([200, 500], `${script} ${json.message}`).toContain(status)
      if (message !== "") expect(json.message, script).toContain(message)
      expect(json["Exception-Class"], script).not.toBe("EvaluationTimeout")
      expect(await answerOf(server, "1 + 1"), script).toEqual([2])
    }
    expect(server.log.filter((line) => /Maximum call stack|heap|Internal/.test(line))).toEqual([])
  })
})

describe("A class", () => {
  it("cannot be reached from any value, by any form of the language", async () => {
    const server = await startServer(modern)
    const values = [
      "''",
      "1",
      "[]",
      "[:]",
      "g",
      "graph",
      "g.V()",
      "g.V(1).next()",
      "{ -> 1 }",
      "T.id",
      "Math",
      "new Date()",
      "new Exception('x')"
    ]
    const uses = [
      ...[
        ".class.classLoader",
        ".getClass().classLoader",
        ".getClass().forName('java.lang.Runtime')",
        ".class.forName('x')"
      ],
      ...[".metaClass.x = 1", ".getMetaClass()", ".class.methods", ".class.declaredFields", ".class.newInstance()"],
      ...[".invokeMethod('getClass', null)", ".respondsTo('x')", ".execute()", ".constructor('x')", ".__proto__.x"],
      ...[
        ".class.protectionDomain",
        ".class.getResource('/')",
        ".class.package",
        ".'class'.'classLoader'",
        ".\"${'class'}\".classLoader"
      ],
      ...[
        "*.class*.classLoader",
        "?.class?.classLoader",
        "?.getClass()?.getClassLoader()",
        ".with { it.class.classLoader }",
        ".&getClass.call().classLoader",
        ".&getClass.call().forName('java.lang.Runtime')",
        "::forName.call('java.lang.Runtime')"
      ]
    ]
    for (const value of values) {
      for (const use of uses) {
        const script = `(${value})${use}`
        const { json, status } = await post(server.authority, script)
        // An empty list has no members to spread over, and a map has no key `class`.
        const found = status === 200 ? JSON.stringify(json.result.data) : ""
        expect(["", "[]", "[null]"], `${script} gives ${found}`).toContain(found)
        if (status !== 200)
          expect(
            ["GremlinSyntaxError", "ScriptFailure", "TraversalError", "TraversalInvalid", "ScriptUnavailable"],
            `${script}: ${json["Exception-Class"]}`
          ).toContain(json["Exception-Class"])
      }
    }
  })
})
