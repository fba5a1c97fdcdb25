import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { GraphRegistry, TransactionConflict } from "../../../src/index.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { newFolder } from "../../Folders.ts"
import { vertexRefs } from "../../storage/Reads.ts"
import { http, post, UNTYPED } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { isPacked } from "../support/Packed.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { type InsideServer, modern, startInside, startServer } from "../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../support/Users.ts"

/** The results of a script, which must not change from one request to the next. */
const stable = async (authority: string, script: string): Promise<ReadonlyArray<unknown>> => {
  const first = await post(authority, script)
  expect(first.status, first.text).toBe(200)
  for (let i = 0; i < 2; i++)
    expect((await post(authority, script)).json.result.data, script).toEqual(first.json.result.data)
  return first.json.result.data
}

describe("A literal of a cached script", () => {
  it("is the same in every request", async () => {
    const { authority } = await startServer(modern)
    expect(await stable(authority, "g.inject([1,2]).sack(assign).by().sack(addAll).by(constant([3])).sack()")).toEqual([
      [1, 2, 3]
    ])
    expect(await stable(authority, "g.withSack([1,2],addAll).V().both().barrier().sack().count(local).max()")).toEqual([
      6
    ])
    expect(
      await stable(authority, "g.withSideEffect('a',[1]).V().aggregate('a').by('name').cap('a').count(local)")
    ).toEqual([7])
    expect(
      await stable(authority, "x = [1, 2]; g.inject(x).sack(assign).by().sack(addAll).by().sack().next()")
    ).toEqual([1, 2, 1, 2])
  })
})

describe("A side effect in the results", () => {
  it("has its value at the time when its batch is written", async () => {
    const { authority } = await startServer(modern)
    const all = ["marko", "vadas", "lop", "josh", "ripple", "peter"]
    const script = "g.V().store('x').by('name').project('a').by(select('x'))"
    expect((await post(authority, script)).json.result.data).toEqual(Array(6).fill({ a: all }))
    const sizes = (await post(authority, script, { batchSize: 2 })).json.result.data.map(({ a }: { a: [] }) => a.length)
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
  })
})

const session = { session: "s" }

const INSIDE = "the test shows what is in the graph with functions of the sources"

/** The property `tags` of every vertex. */
const tags = async (server: InsideServer): Promise<string> => {
  const store = Context.get(server.services, GraphRegistry).graphs.get("graph")!
  const transaction = store.begin({ readOnly: true })
  const reader = transaction.vertexReader("tags")
  const values = vertexRefs(transaction).map((ref) => text(reader.value(ref)))
  transaction.rollback()
  return values.join()
}

/** Scripts that try to change the list [1, [2], {a=[3]}] in the property `tags` without writing it. */
const tampering = [
  "g.V().values('tags').sack(assign).by().sack(addAll).by(constant([666])).sack()",
  "g.V().sack(assign).by('tags').sack(addAll).by('tags').sack()",
  "g.V().values('tags').fold([], addAll)",
  "g.V().values('tags').fold([666], addAll)",
  "g.withSideEffect('x', [], assign).V().aggregate('x').by('tags').local(aggregate('x').by('tags')).cap('x')",
  "g.withSideEffect('x', []).V().sideEffect(values('tags').sack(assign).by()).values('tags').aggregate('x').cap('x')",
  "x = g.V().values('tags').next(); x.clear(); x",
  "x = g.V().values('tags').toList(); x[0].add(5); x[0][1] << 5; x[0][2].put('b', 1); x[0][2].a = 7; x",
  "x = g.V().next(); x.value('tags').clear(); x.values('tags').next().clear(); x.property('tags').value().clear()",
  "x = g.V().valueMap().next(); x.tags[0].clear(); x",
  "x = g.V().elementMap().next(); x.tags.remove(0); x",
  "x = g.V().values('tags').path().next(); x[1].clear(); x.get(1).clear(); x.objects()[1].clear()",
  "x = g.V().group().by(id).by('tags').next(); x.values()[0].clear(); x",
  "x = g.V().properties('tags').next(); x.value().add(1); x.value.add(1)",
  "x = g.V().values('tags').tryNext().get(); x += 1; x << 1",
  "x = g.V().as('a').map(values('tags')).as('b').select('a', 'b').next(); x.b.add(1)",
  "x = g.V().values('tags').next(1); x[0].addAll(x[0])"
]

const tagged = "g.addV('a').property('tags', [1, [2], ['a': [3]]]).iterate()"

describe("A list in a graph", () => {
  it("is not changed by a script that does not write it, of a reader or of any other user", async ({ skip }) => {
    skip(isPacked, INSIDE)
    const server = await startInside({
      ...asking({ maxFailures: 0 }),
      authorization: { authorizer: "RoleAuthorizer", config: {} }
    })
    for (const role of ["reader", "admin"] as const) await change(usersOf(server).add(role, "secret", role))
    const ask = (name: string, gremlin: string) =>
      http(
        server.authority,
        { headers: { accept: UNTYPED, authorization: basic(name, "secret") } },
        JSON.stringify({ gremlin })
      )
    expect((await ask("admin", tagged)).status).toBe(200)
    const before = await tags(server)
    expect(before).toBe("[1, [2], {a=[3]}]")
    for (const script of tampering) {
      for (const name of ["reader", "admin"]) {
        const answer = await ask(name, script)
        expect([answer.status, script]).toEqual([200, script])
        expect(await tags(server), script).toBe(before)
      }
    }
  })

  it("does not change with the variable or the side effect that it was written from", async ({ skip }) => {
    skip(isPacked, INSIDE)
    const server = await startInside()
    const client = await SocketClient.connect(server.authority)
    const done = async (gremlin: string, bindings: Record<string, unknown> = {}) => {
      const { status } = await client.eval(gremlin, { ...session, bindings })
      expect([status.code < 300, status.message]).toEqual([true, status.message])
    }
    for (const write of [
      "v.property('tags', x)",
      "g.V().property('tags', x).iterate()",
      "g.V().property(['tags': x]).iterate()",
      "g.V().sideEffect(property('tags', x)).iterate()",
      "g.inject(x).as('a').V().property('tags', select('a')).iterate()",
      "g.mergeV([:]).option(onMatch, ['tags': x]).iterate()"
    ]) {
      await done("g.V().drop().iterate(); v = g.addV('a').next()")
      await done("1", { x: [1, [2]] })
      await done(write)
      expect(await tags(server), write).toBe("[1, [2]]")
      await done("x.add(5); x[1].add(6)")
      expect(await tags(server), write).toBe("[1, [2]]")
      await done(write)
      await done("x.clear(); x")
      expect(await tags(server), write).toBe("[1, [2, 6], 5]")
    }
    await done("g.V().drop().iterate(); g.addV('a').iterate()")
    await done("g.V().store('x').by(constant(1)).property('tags', select('x')).store('x').store('x').iterate()")
    expect(await tags(server)).toBe("{1=1}")
  })

  it("of bytes or numbers in a graph on disk is not changed by a script", async () => {
    const server = await startInside(onLmdb(newFolder()))
    const client = await SocketClient.connect(server.authority)
    const numbers = "[1, 2, 3]"
    const written = await client.eval(`g.addV('a').property('tags', ${numbers}).iterate()`)
    expect(written.status.message).toBe("")
    const before = await tags(server)
    for (const script of ["x = g.V().values('tags').next(); x.clear(); x", tampering[0]!]) {
      const { status } = await client.eval(script)
      expect([script, status.code < 300, status.message]).toEqual([script, true, ""])
      expect(await tags(server)).toBe(before)
    }
  })
})

describe("A variable of a session", () => {
  it("does not change earlier results, plans, or traversals that have not yet run", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const data = async (gremlin: string, bindings: Record<string, unknown> = {}) =>
      (await client.eval(gremlin, { ...session, bindings })).result.data
    await data("1", { x: [1, [2]] })
    // The plan of a traversal keeps its side effects, and traversals of the same shape share the plan.
    const shape = "g.withSideEffect('a', x).V(1).cap('a')"
    for (const use of [shape, `${shape}.toList()`, `t = ${shape}; t.toList()`]) {
      expect(await data(use), use).toEqual([[1, [2]]])
      await data("x.add(3); x[1].add(4)")
      const other = await post(authority, shape, { bindings: { x: [1, [2]] } })
      expect(other.json.result.data, use).toEqual([[1, [2]]])
      await data("x = [1, [2]]")
    }
    await data("t = g.inject(x); s = g.withSack(x); x.clear()")
    expect(await data("t")).toEqual([[1, [2]]])
    expect(await data("s.inject(0).sack()")).toEqual([[1, [2]]])
    expect(await data("s.inject(0).sack(addAll).by(constant([7])).sack()")).toEqual([[1, [2], 7]])
    expect(await data("s.inject(0).sack()")).toEqual([[1, [2]]])
  })

  it("is sent with its value at the end of the request, while later requests change it", async () => {
    const { authority } = await startServer()
    const client = await SocketClient.connect(authority)
    const many = Array.from({ length: 20_000 }, (_, i) => i)
    const COPIES = "l = [[] + x, [] + x]; m = ['k': [] + x]"
    await client.eval(`${COPIES}; 0`, { ...session, bindings: { x: many } })
    const asked = ["l", "[m, l]", "g.inject(l)", "g.inject(l).fold()", "m", "l[0]", "[l[0], l[1]] as Set"].map(
      (gremlin) => [
        client.send("eval", "session", { gremlin, ...session }),
        client.send("eval", "session", { gremlin: "l[0].add(1); l[1].clear(); m.k.remove(0); 0", ...session }),
        client.send("eval", "session", { gremlin: `${COPIES}; 0`, ...session })
      ]
    )
    const lengths = async (id: string): Promise<string> => {
      await client.answer(id)
      const data = client.frames.filter(({ requestId }) => requestId === id).flatMap(({ result }) => result.data)
      return JSON.stringify(data).replaceAll(JSON.stringify(many), "ALL")
    }
    const answers: Array<string> = []
    for (const [id] of asked) answers.push(await lengths(id!))
    expect(answers).toEqual([
      "[ALL,ALL]",
      '[{"k":ALL},[ALL,ALL]]',
      "[[ALL,ALL]]",
      "[[[ALL,ALL]]]",
      '[{"k":ALL}]',
      "ALL",
      "[ALL]"
    ])
  })
})

describe("A binding", () => {
  it("is what the client sent when a request is run again after a conflict", async () => {
    const server = await startInside()
    const graph = Context.get(server.services, GraphRegistry).graphs.get("graph")! as {
      begin: (options?: { readOnly?: boolean }) => GraphTransaction
    }
    const begin = graph.begin.bind(graph)
    let conflicts = 0
    graph.begin = (options) => {
      const transaction = begin(options) as GraphTransaction & { commit: () => ReturnType<GraphTransaction["commit"]> }
      const commit = transaction.commit.bind(transaction)
      transaction.commit = () => {
        if (transaction.dirty && ++conflicts < 4) throw new TransactionConflict("property 'n' of v[1]")
        return commit()
      }
      return transaction
    }
    const script = "x.add(3); x[1].add(4); m.put('n', 1); g.addV('a').property('tags', x).iterate(); [x, m]"
    const answer = await post(server.authority, script, { bindings: { x: [1, [2]], m: { k: 1 } } })
    expect(answer.json.result.data).toEqual([[1, [2, 4], 3], { k: 1, n: 1 }])
    expect(conflicts).toBe(4)
    expect(await tags(server)).toBe("[1, [2, 4], 3]")
  })
})
