// biome-ignore-all lint/suspicious/noExplicitAny: the driver comes without types
import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { emptyTinkerGraph, type ServerSettings, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { http } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { type InsideServer, modern, startInside } from "../support/TestServers.ts"
import { asking, basic, change, plain, usersOf } from "../support/Users.ts"

const require = createRequire(import.meta.url)
const { driver, process: language } = require("gremlin")
const { SubgraphStrategy } = require("gremlin/lib/process/traversal-strategy.js")
const { statics: __, t: T, merge: Merge } = language

/** A server with a user of each role, who has the name of the role. */
const withRoles = async (more: Partial<ServerSettings> = {}): Promise<InsideServer> => {
  const server = await startInside({
    ...modern,
    ...asking({ maxFailures: 0 }),
    authorization: { authorizer: "RoleAuthorizer", config: {} },
    // The default is in the working directory, which is that of the tests.
    ioDirectory: newFolder(),
    ...more
  })
  for (const role of ["reader", "editor", "admin"] as const) await change(usersOf(server).add(role, "secret", role))
  return server
}

const ask = (server: InsideServer, name: string, gremlin: string) =>
  http(server.authority, { headers: { authorization: basic(name, "secret") } }, JSON.stringify({ gremlin }))

const socket = async (server: InsideServer, name: string): Promise<SocketClient> => {
  const client = await SocketClient.connect(server.authority)
  client.send("authentication", "", { sasl: plain(name, "secret") })
  return client
}

const vertices = async (server: InsideServer): Promise<number> =>
  (await ask(server, "reader", "g.V().count()")).json.result.data["@value"][0]["@value"]

/** All positions of a child traversal, with a child that writes when it runs. */
const places = [
  "g.inject(1).map(CHILD)",
  "g.inject(1).flatMap(CHILD)",
  "g.inject(1).sideEffect(CHILD)",
  "g.inject(1).local(CHILD)",
  "g.inject(1).filter(CHILD)",
  "g.inject(1).where(CHILD)",
  "g.inject(1).not(CHILD)",
  "g.inject(1).and(CHILD, CHILD)",
  "g.inject(1).or(CHILD, CHILD)",
  "g.inject(1).union(CHILD)",
  "g.union(CHILD)",
  "g.inject(1).coalesce(CHILD)",
  "g.inject(1).optional(CHILD)",
  "g.inject(1).choose(CHILD, identity(), identity())",
  "g.inject(1).choose(identity(), CHILD, identity())",
  "g.inject(1).choose(is(2), identity(), CHILD)",
  "g.inject(1).choose(identity()).option(1, CHILD)",
  "g.inject(1).branch(identity()).option(1, CHILD)",
  "g.inject(1).branch(identity()).option(none, CHILD)",
  "g.inject(1).repeat(CHILD).times(1)",
  "g.inject(1).repeat(identity()).until(CHILD)",
  "g.inject(1).repeat(identity()).emit(CHILD).times(1)",
  "g.inject(1).project('a').by(CHILD)",
  "g.inject(1).group().by(CHILD)",
  "g.inject(1).group().by().by(CHILD.fold())",
  "g.inject(1).groupCount().by(CHILD.label())",
  "g.inject(1).order().by(CHILD.label())",
  "g.inject(1).dedup().by(CHILD)",
  "g.inject(1).as('a').select('a').by(CHILD)",
  "g.inject(1).as('a').path().by(CHILD)",
  "g.inject(1).tree().by(CHILD)",
  "g.inject(1).aggregate('x').by(CHILD)",
  "g.inject(1).sack(assign).by(CHILD)",
  "g.inject(1).as('a').match(__.as('a').map(CHILD).as('b'))",
  "g.inject(1).as('a').where(eq('a')).by(CHILD)",
  "g.inject(1).math('_ + 1').by(CHILD.count())",
  "g.V(1).property('age', CHILD.constant(1))",
  "g.V(1).as('a').addE('x').to(CHILD)",
  "g.V(1).addE('x').from(CHILD)",
  "g.V(1).has('name', CHILD)",
  "g.V(1).valueMap().by(CHILD)",
  "g.V(1).propertyMap().by(CHILD)",
  "g.inject('a').concat(CHILD.label())",
  "g.inject([1]).combine(CHILD.fold())",
  "g.V(1).local(__.local(__.map(__.union(CHILD))))",
  "g.mergeV([(T.id): 1]).option(Merge.onMatch, CHILD.constant([:]))",
  "g.inject([(T.id): 77]).mergeV(CHILD.constant([(T.id): 1]))",
  "g.withStrategies(SubgraphStrategy(vertices: CHILD)).V()",
  "g.withStrategies(SubgraphStrategy(vertexProperties: CHILD)).V().values('name')",
  "g.withSideEffect('x', 1).inject(1).map(CHILD)",
  "g.inject(1).map(CHILD).profile()"
]

const writes = [
  "g.addV()",
  "g.addV().iterate()",
  "g.V(1).addE('x').to(__.V(2))",
  "g.addE('x').from(__.V(1)).to(__.V(2))",
  "g.V(1).property('a', 1)",
  "g.V(1).property(list, 'a', 1)",
  "g.V(1).property('a', 1, 'meta', 2)",
  "g.E().property('a', 1)",
  "g.V(1).properties('name').property('meta', 1)",
  "g.V(1).properties('age').drop()",
  "g.E(7).drop()",
  "g.mergeV([(T.label): 'x'])",
  "g.mergeE([(T.label): 'x', (from): 1, (to): 2])",
  "g.V().hasLabel('nobody').drop()",
  "g.V().limit(0).addV()",
  "g.inject([(T.label): 'x']).mergeV()",
  "g.io('x.json').write().iterate()",
  "g.io('x.json').read().iterate()",
  "graph.addVertex('x')",
  "graph.addVertex(T.label, 'x', 'name', 'y')",
  "graph.traversal().addV()",
  "v = g.V(1).next(); v.property('a', 2)",
  "v = g.V(1).next(); v.addEdge('x', g.V(2).next())",
  "e = g.V(1).outE().next(); e.remove()",
  "t = g.addV(); t.next()",
  "t = g.addV('x'); t.property('a', 1); t.iterate(); 1",
  "s = g.with('evaluationTimeout', 1000); s.addV().next()",
  "c = __.addV(); g.inject(1).map(c).toList()",
  "1; 2; g.addV().next(); 3",
  "g.V().count().next(); g.tx().begin().addV().next()",
  "if (true) { g.addV().next() }",
  "g.tx().open(); g.addV().next(); g.tx().commit()"
]

describe("A reader", () => {
  it("is refused wherever an editor writes, and the graph does not change", async () => {
    const server = await withRoles()
    const before = await vertices(server)
    const scripts = [...places.map((place) => place.replaceAll("CHILD", "__.addV()")), ...writes]
    const answers = new Map<string, string>()
    for (const script of scripts) {
      const { json, status } = await ask(server, "reader", script)
      answers.set(script, `${status} ${json?.message ?? ""}`)
      expect([script, await vertices(server)]).toEqual([script, before])
    }
    let written = 0
    for (const script of scripts) {
      const { status } = await ask(server, "editor", script)
      // A syntax error is not a refusal because of the user.
      if (status === 200) written++
      if (status === 200) expect([script, answers.get(script)]).toEqual([script, expect.stringMatching(/^403 /)])
      else expect([script, answers.get(script)]).toEqual([script, expect.stringMatching(/^(403|500|400) /)])
    }
    expect(written).toBeGreaterThan(60)
  })

  it("may read", async () => {
    const server = await withRoles()
    for (const script of ["g.V().both().dedup().path()", "x = g.V(1).next(); x.value('name')", "g.V().profile()"]) {
      expect([script, (await ask(server, "reader", script)).status]).toEqual([script, 200])
    }
    expect((await ask(server, "reader", "g.addV().explain()")).status).toBe(200)
  })

  it("may not call services or change indexes, and an editor may not change indexes", async () => {
    const server = await withRoles()
    const calls = ["g.call()", "g.call('--list')", "g.V().map(__.call('tinker.search', [search: 'x']))"]
    for (const script of calls) {
      expect([script, (await ask(server, "reader", script)).status]).toEqual([script, 403])
      expect([script, (await ask(server, "editor", script)).status]).not.toEqual([script, 403])
    }
    const management = ["graph.createIndex('a', Vertex.class)", "graph.dropIndex('a', Vertex.class)"]
    for (const script of [...management, `x = 1; ${management[0]}`]) {
      for (const name of ["reader", "editor"]) {
        expect([script, name, (await ask(server, name, script)).status]).toEqual([script, name, 403])
      }
      expect([script, (await ask(server, "admin", script)).status]).toEqual([script, 200])
    }
  })

  it("may not call services in any position of a traversal", async () => {
    const server = await withRoles()
    let refused = 0
    for (const place of [...places, "g.V().union(CHILD)", "g.V().where(__.not(__.where(CHILD)))"]) {
      const script = place.replaceAll("CHILD", "__.call('--list')")
      const { json, status } = await ask(server, "reader", script)
      if (status === 403) refused++
      // A syntax error is not a refusal because of the user.
      else
        expect([script, status, json.message]).toEqual([
          script,
          500,
          expect.stringContaining("removed in TinkerPop 3.8")
        ])
    }
    expect(refused).toBeGreaterThan(45)
  })

  it("may not read or change a schema in any way, and an editor may not, either", async () => {
    const server = await withRoles({ ...onLmdb(newFolder()), datasets: [] })
    const ways = [
      "graph.openManagement()",
      "mgmt = graph.openManagement(); mgmt.makePropertyKey('a').dataType(String.class).make(); mgmt.commit()",
      "x = graph; m = x.openManagement(); m.printSchema()",
      "m = graph.openManagement(); m.buildIndex('byA', Vertex.class).addKey(m.getPropertyKey('a')).buildCompositeIndex(); m.commit()",
      "JsonSchemaInitStrategy.initializeSchemaFromString(graph, '{}')",
      "ManagementSystem.awaitGraphIndexStatus(graph, 'byA').call()"
    ]
    for (const script of ways) {
      for (const name of ["reader", "editor"]) {
        expect([script, name, (await ask(server, name, script)).status]).toEqual([script, name, 403])
      }
      expect([script, (await ask(server, "admin", script)).status]).not.toEqual([script, 403])
    }
    const reader = await socket(server, "reader")
    const session = { session: "s" }
    await reader.eval("m = null", session)
    for (const script of ["m = graph.openManagement()", "graph.openManagement().commit()"]) {
      expect([script, (await reader.eval(script, session)).status.code]).toEqual([script, 401])
    }
    // A former admin cannot use what was opened before.
    const admin = await socket(server, "admin")
    const own = { session: "own" }
    expect(
      (await admin.eval("m = graph.openManagement(); m.makePropertyKey('late').dataType(String.class).make(); 1", own))
        .status.code
    ).toBe(200)
    await change(usersOf(server).setRole("admin", { role: "editor", graph: undefined }))
    expect((await admin.eval("m.commit()", own)).status.code).toBe(401)
    await change(usersOf(server).setRole("admin", { role: "admin", graph: undefined }))
    const known = await admin.eval("graph.openManagement().containsPropertyKey('late')", { session: "third" })
    expect(known.result.data).toEqual([false])
  })

  it("is refused in sessions, too, in every request and through variables of earlier ones", async () => {
    const server = await withRoles()
    const client = await socket(server, "reader")
    const session = { session: "s" }
    for (const script of ["x = 1", "t = g.addV()", "c = __.addV()"]) await client.eval(script, session)
    for (const script of ["g.addV()", "t.next()", "g.inject(1).map(c).toList()", "y = 2; g.V().drop()"]) {
      expect([script, (await client.eval(script, session)).status.code]).not.toEqual([script, 200])
    }
    expect((await client.eval("g.addV().next()", session)).status.message).toContain("Failed to authorize")
    expect((await client.eval("x", session)).result.data).toEqual([1])
    expect(await vertices(server)).toBe(6)
  })

  it("is refused in bytecode of a driver, with 401 and a reason, and may still read", async () => {
    const server = await withRoles()
    const open = (name: string): any =>
      new driver.DriverRemoteConnection(`ws://${server.authority}/gremlin`, {
        authenticator: new driver.auth.PlainTextSaslAuthenticator(name, "secret"),
        traversalSource: "g"
      })
    const connection = open("reader")
    const g = language.AnonymousTraversalSource.traversal().withRemote(connection)
    expect(await g.V().count().next()).toMatchObject({ value: 6 })
    const refused: ReadonlyArray<() => any> = [
      () => g.addV("x"),
      () => g.V().drop(),
      () => g.V(1).property("a", 1),
      () => g.inject(1).map(__.addV()),
      () => g.inject(1).union(__.identity(), __.choose(__.identity(), __.local(__.addV()))),
      () => g.mergeV(new Map([[T.id, 1]])).option(Merge.onMatch, __.sideEffect(__.V().drop()).constant(new Map())),
      () => g.inject(new Map([[T.label, "x"]])).mergeV(__.identity()),
      () => g.withStrategies(new SubgraphStrategy({ vertices: __.addV() })).V(),
      () => g.call("--list"),
      () => g.io("x.json").write()
    ]
    for (const make of refused) await expect(make().toList()).rejects.toMatchObject({ statusCode: 401 })
    expect(await g.V().count().next()).toMatchObject({ value: 6 })
    await connection.close()
  })
})

const transactional: Partial<ServerSettings> = {
  graphs: new Map([
    [
      "graph",
      {
        ...emptyTinkerGraph,
        name: "graph",
        factory: { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults }
      }
    ]
  ])
}

describe("A transaction of a driver", () => {
  it("lets a reader read, and refuses its writes", async () => {
    const server = await withRoles({ ...transactional, ...modern })
    const open = (name: string): any =>
      new driver.DriverRemoteConnection(`ws://${server.authority}/gremlin`, {
        authenticator: new driver.auth.PlainTextSaslAuthenticator(name, "secret"),
        traversalSource: "g"
      })
    const connection = open("reader")
    const g = language.AnonymousTraversalSource.traversal().withRemote(connection)
    const reading = g.tx()
    const inside = reading.begin()
    expect((await inside.V().count().next()).value).toBe(6)
    await expect(inside.addV("x").iterate()).rejects.toMatchObject({ statusCode: 401 })
    expect((await inside.V().count().next()).value).toBe(6)
    await reading.commit()
    expect((await g.V().count().next()).value).toBe(6)
    await connection.close()
  })
})

describe("An editor", () => {
  it("leaves no changes of a script that needs an admin", async () => {
    const server = await withRoles()
    for (const script of [
      "g.addV().iterate(); graph.createIndex('a', Vertex.class)",
      "x = g.addV().next(); g.V().drop().iterate(); graph.dropIndex('a', Vertex.class); x"
    ]) {
      expect([script, (await ask(server, "editor", script)).status]).toEqual([script, 403])
      expect(await vertices(server)).toBe(6)
    }
  })
})

describe("An editor who becomes a reader", () => {
  it("does not commit earlier changes", async () => {
    for (const last of ["g.tx().commit()", "g.V().count()", "graph.tx().commit()"]) {
      const server = await withRoles(transactional)
      const client = await socket(server, "editor")
      const session = { session: "s" }
      const before = await vertices(server)
      expect((await client.eval("g.tx().begin()", session)).status.code).toBe(200)
      expect((await client.eval("g.addV()", session)).status.code).toBe(200)
      await change(usersOf(server).setRole("editor", { role: "reader", graph: undefined }))
      expect((await client.eval(last, { ...session, manageTransaction: true })).status.code).toBe(401)
      expect((await client.eval(last, { ...session, manageTransaction: true })).status.code).toBeLessThan(300)
      expect(await vertices(server)).toBe(before)
    }
  })
})
