import process from "node:process"
import { setImmediate } from "node:timers/promises"
import { queryObjects } from "node:v8"
import gremlin from "gremlin"
import { afterEach, describe, expect, it } from "vitest"
import { defaultSettings, type EmbeddedServer, type ServerSettings, startServer } from "../../../src/index.ts"
import { LinkedList } from "../../../src/structure/containers/LinkedList.ts"
import { newFolder } from "../../Folders.ts"
import { http } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { endless, modern } from "../support/TestServers.ts"

const { P, statics: __, t } = gremlin.process
const running = new Set<EmbeddedServer>()

const start = async (settings: Partial<ServerSettings> = {}): Promise<EmbeddedServer> => {
  const server = await startServer(settings)
  running.add(server)
  return server
}

afterEach(async () => {
  await Promise.all([...running].map((server) => server.close()))
  running.clear()
})

/** Settings with a graph that has transactions. */
const transactional = (): Partial<ServerSettings> => {
  const graphs = new Map(defaultSettings().graphs)
  const { factory, ...graph } = graphs.get("graph")!
  graphs.set("graph", { ...graph, factory: { ...factory, kind: "TinkerTransactionGraph" } as typeof factory })
  return { graphs }
}

describe("startServer", () => {
  it("starts a server on a free port, which close() frees", async () => {
    const server = await start()
    expect(server.address.address).toBe("127.0.0.1")
    const authority = `127.0.0.1:${server.port}`
    expect((await http(authority, {}, '{"gremlin":"1"}')).status).toBe(200)
    await server.close()
    await server.close()
    await expect(http(authority, {}, '{"gremlin":"1"}')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/)
  })

  it("keeps the default of a setting that is undefined", async () => {
    const nothing = { host: undefined, port: undefined, maxResults: undefined } as unknown as Partial<ServerSettings>
    expect((await start(nothing)).address.address).toBe("127.0.0.1")
    expect(defaultSettings(nothing)).toMatchObject({ host: "127.0.0.1", port: 8182, maxResults: 0 })
  })

  it("rejects with the error of a start that fails", async () => {
    const { port } = await start()
    await expect(start({ port })).rejects.toThrow(`Could not bind to 127.0.0.1 and ${port}`)
  })
})

describe("server.traversal()", () => {
  sourcesOnly("the package is installed without the driver; test/packed/Embedded.test.ts installs both")

  it("is the driver's g: writes, reads elements, and gives the values of each terminal step", async () => {
    const g = (await start()).traversal()
    const marko = (await g.addV("person").property("name", "marko").property("age", 29).next()).value
    expect(marko).toBeInstanceOf(gremlin.structure.Vertex)
    await g.addV("person").property("name", "josh").as("j").V(marko.id).addE("knows").to("j").iterate()
    expect(await g.V().has("age", P.gt(20)).out("knows").values("name").toList()).toEqual(["josh"])
    expect(await g.V().count().next()).toMatchObject({ value: 2, done: false })
    expect(await g.V().hasLabel("none").hasNext()).toBe(false)
    const map = (await g.V(marko.id).elementMap("name").next()).value
    expect(map.get(t.label)).toBe("person")
    expect(await g.V(marko.id).out().path().toList()).toMatchObject([{ objects: [{ id: marko.id }, {}] }])
    expect(await g.V().local(__.outE().count()).toList()).toEqual([1, 0])
  })

  it("gives results with their bulk, and more of them than one batch has", async () => {
    const g = (await start(modern)).traversal()
    expect(await g.V().both().barrier().values("name").toList()).toHaveLength(12)
    expect(await g.inject(...Array.from({ length: 5_000 }, (_, at) => at)).toList()).toHaveLength(5_000)
    expect(await g.inject("x".repeat(300_000)).toList()).toEqual(["x".repeat(300_000)])
  })

  it("rejects with the driver's error, also for a time limit and after close()", async () => {
    const server = await start()
    const g = server.traversal()
    await expect(g.V("x").fail("no").toList()).resolves.toEqual([])
    await expect(g.inject(1).fail("no").toList()).rejects.toMatchObject({ name: "ResponseError", statusCode: 595 })
    const slow = g.with_("evaluationTimeout", 50).inject(1).repeat(__.identity()).until(__.is(2))
    await expect(slow.toList()).rejects.toMatchObject({ statusCode: 598 })
    await expect(server.traversal("none").V().toList()).rejects.toMatchObject({ statusCode: 499 })
    await server.close()
    await expect(g.V().toList()).rejects.toMatchObject({ statusCode: 500 })
    expect(endless).toContain("repeat")
  })

  it("rejects with a clear error for a result that the driver cannot read, and continues", async () => {
    for (const settings of [{}, onLmdb(newFolder())]) {
      const g = (await start(settings)).traversal()
      const unread = /^The driver cannot read the answer: .*changes may be committed.*profile\(\)/
      await expect(g.addV("x").profile().next()).rejects.toThrow(unread)
      expect((await g.V().hasLabel("x").count().next()).value).toBe(1)
    }
  })

  it("has transactions where the graph has them", async () => {
    const g = (await start(transactional())).traversal()
    const tx = g.tx()
    const inside = tx.begin()
    await inside.addV("a").iterate()
    expect((await inside.V().count().next()).value).toBe(1)
    expect((await g.V().count().next()).value).toBe(0)
    await tx.commit()
    expect((await g.V().count().next()).value).toBe(1)
    const other = g.tx()
    await other.begin().addV("b").iterate()
    await other.rollback()
    expect((await g.V().count().next()).value).toBe(1)
  })

  it("closes a transaction once it has ended", async () => {
    const g = (await start(transactional())).traversal()
    const tx = g.tx()
    const inside = tx.begin()
    expect(tx.isOpen).toBe(true)
    await inside.addV("a").iterate()
    await tx.commit()
    expect(tx.isOpen).toBe(false)
    await expect(inside.V().toList()).rejects.toThrow("The transaction has ended")
  })

  it("rejects only the end of a transaction that outlives its server, and nothing that the program cannot handle", async () => {
    const unhandled: Array<unknown> = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on("unhandledRejection", note)
    try {
      const server = await start(transactional())
      const transactions = [server.traversal().tx(), server.traversal().tx()] as const
      for (const tx of transactions) await tx.begin().addV("a").iterate()
      await server.close()
      await expect(transactions[0].commit()).rejects.toMatchObject({ statusCode: 500 })
      await expect(transactions[1].rollback()).rejects.toMatchObject({ statusCode: 500 })
      await setImmediate()
      expect(unhandled).toEqual([])
    } finally {
      process.off("unhandledRejection", note)
    }
  })

  it("keeps nothing of the sources that a program has used", async () => {
    const server = await start()
    const lists = () => Number(queryObjects(LinkedList))
    const before = lists()
    for (let at = 0; at < 20; at++) await server.traversal().inject(1).toList()
    await setImmediate()
    // The machine may still refer to the last ones.
    expect(lists() - before).toBeLessThan(5)
  })
})
