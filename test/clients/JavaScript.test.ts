// biome-ignore-all lint/suspicious/noExplicitAny: these drivers come without types
import { createRequire } from "node:module"
import { afterEach, describe, expect, it } from "vitest"
import { endless, startServer } from "../layers/support/TestServers.ts"
import { cuttableWay, graphs } from "./support.ts"

const require = createRequire(import.meta.url)

/** The unmodified drivers of three lines of TinkerPop, with the format each has by default. */
const drivers = [
  { version: "3.8.2", module: "gremlin", byDefault: "GraphBinary" },
  { version: "3.7.4", module: "gremlin37", byDefault: "GraphSON 3" },
  { version: "3.6.4", module: "gremlin36", byDefault: "GraphSON 3" }
]

const formats: Readonly<Record<string, string>> = {
  "GraphSON 3": "application/vnd.gremlin-v3.0+json",
  "GraphSON 2": "application/vnd.gremlin-v2.0+json",
  GraphBinary: "application/vnd.graphbinary-v1.0"
}

/** GraphSON 2 has no maps: there a driver gives an object. */
const entry = (map: any, key: string) => (map instanceof Map ? map.get(key) : map[key])

const closing: Array<() => Promise<unknown>> = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

for (const { byDefault, module, version } of drivers) {
  const gremlin = require(module)
  const { t, P, order, statics: __ } = { ...gremlin.process, statics: gremlin.process.statics }

  for (const format of Object.keys(formats)) {
    const connect = async () => {
      const { authority, port } = await startServer(graphs)
      const url = `ws://${authority}/gremlin`
      // Without options it is the driver's own choice.
      const options = format === byDefault ? {} : { mimeType: formats[format] }
      const remote = (source: string, more = {}, at = url) => {
        const connection = new gremlin.driver.DriverRemoteConnection(at, {
          traversalSource: source,
          ...options,
          ...more
        })
        closing.push(() => connection.close())
        return gremlin.process.AnonymousTraversalSource.traversal().withRemote(connection)
      }
      const client = (more = {}) => {
        const made = new gremlin.driver.Client(url, { traversalSource: "g", ...options, ...more })
        closing.push(() => made.close())
        return made
      }
      return { g: remote("g"), port, remote, client }
    }

    describe(`npm gremlin ${version} with ${format}`, () => {
      it("runs traversals", async () => {
        const { g } = await connect()
        expect(await g.V().count().next()).toMatchObject({ value: 6 })
        expect(await g.V().has("name", "marko").out("knows").values("name").order().toList()).toEqual(["josh", "vadas"])
        expect(await g.V().has("age", P.gt(30)).values("age").order().by(order.desc).toList()).toEqual([35, 32])
        expect(await g.V().hasLabel("person").where(__.out("created")).values("name").toList()).toEqual([
          "marko",
          "josh",
          "peter"
        ])
        expect(await g.V(1).repeat(__.out()).times(2).path().by("name").toList()).toHaveLength(2)
        const byLabel = (await g.V().groupCount().by(t.label).next()).value
        expect([entry(byLabel, "person"), entry(byLabel, "software")]).toEqual([4, 2])
        const map = (await g.V(1).valueMap("name", "age").next()).value
        expect([entry(map, "name"), entry(map, "age")]).toEqual([["marko"], [29]])
        expect(entry((await g.V(1).elementMap().next()).value, "name")).toBe("marko")
      })

      it("reads elements", async () => {
        const { g } = await connect()
        const vertex = (await g.V(1).next()).value
        expect([vertex.id, vertex.label]).toEqual([1, "person"])
        const edge = (await g.E(7).next()).value
        expect([edge.id, edge.label, edge.outV.id, edge.inV.id]).toEqual([7, "knows", 1, 2])
        const property = (await g.V(1).properties("name").next()).value
        expect([property.label ?? property.key, property.value]).toEqual(["name", "marko"])
        const all = await g.V().toList()
        expect(all.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4, 5, 6])
      })

      it("iterates, which is answered with nothing, and writes", async () => {
        const { g } = await connect()
        await g.addV("person").property("name", "x").property("age", 7).iterate()
        await g.V().has("name", "x").as("a").V(1).addE("knows").from_("a").property("weight", 0.5).iterate()
        expect(await g.V().has("name", "x").out("knows").values("name").toList()).toEqual(["marko"])
        await g.V().has("name", "x").drop().iterate()
        expect((await g.V().count().next()).value).toBe(6)
      })

      it("sends sources with strategies, side effects and options", async () => {
        const { g } = await connect()
        const { ReadOnlyStrategy, SubgraphStrategy } = gremlin.process.TraversalStrategies
          ? { ...require(`${module}/lib/process/traversal-strategy`) }
          : {}
        await expect(g.withStrategies(new ReadOnlyStrategy()).addV("x").iterate()).rejects.toThrow()
        const people = g.withStrategies(new SubgraphStrategy({ vertices: __.hasLabel("person") }))
        expect((await people.V().count().next()).value).toBe(4)
        expect((await g.withSideEffect("x", ["a"]).inject(1).select("x").next()).value).toEqual(["a"])
        expect((await g.with_("evaluationTimeout", 5000).V().count().next()).value).toBe(6)
        expect(await g.withSack(1).V(1).sack().toList()).toEqual([1])
      })

      it("gets many results in order", async () => {
        const { g } = await connect()
        const numbers = Array.from({ length: 1_000 }, (_, i) => i)
        expect(await g.inject(...numbers).toList()).toEqual(numbers)
      })

      it("gets errors with their status", async () => {
        const { g, client } = await connect()
        await expect(g.V().fail("no luck").toList()).rejects.toMatchObject({ statusCode: 595 })
        await expect(g.V().values("name").sum().next()).rejects.toMatchObject({ statusCode: expect.any(Number) })
        await expect(client().submit("g.V().nope()")).rejects.toMatchObject({ statusCode: 597 })
        await expect(client().submit(endless, {}, { evaluationTimeout: 50 })).rejects.toMatchObject({ statusCode: 598 })
        await expect(client({ traversalSource: "nope" }).submit("g.V()")).rejects.toMatchObject({ statusCode: 499 })
      })

      it("submits scripts with bindings, batches and options", async () => {
        const { client } = await connect()
        const submitted = client()
        expect((await submitted.submit("g.V(x).values('name')", { x: 1 })).toArray()).toEqual(["marko"])
        expect((await submitted.submit("x + y", { x: 1, y: 2 })).toArray()).toEqual([3])
        expect((await submitted.submit("g.V()", {}, { batchSize: 2 })).toArray()).toHaveLength(6)
        expect((await submitted.submit("g.V(99)")).toArray()).toEqual([])
        expect((await submitted.submit("x = 1\nif_ = x + 1\nif_ * 10")).toArray()).toEqual([20])
        const bare = (await submitted.submit("g.V(1)", {}, { materializeProperties: "tokens" })).first()
        expect(bare.properties ?? {}).toEqual(Array.isArray(bare.properties) ? [] : {})
      })

      it("reads dates", async () => {
        const { client } = await connect()
        const script = "[datetime('2023-08-02T10:00:00+02:00')]"
        const [date] = (await client().submit(`[${script}]`)).first()
        expect(date).toEqual(new Date("2023-08-02T08:00:00Z"))
      })

      it("streams results", async () => {
        const { client } = await connect()
        const submitted = client()
        if (submitted.stream === undefined) return
        const received: Array<unknown> = []
        await new Promise((resolve, reject) => {
          submitted
            .stream("g.V().values('name')", {}, { batchSize: 2 })
            .on("data", (set: any) => received.push(...set.toArray()))
            .on("error", reject)
            .on("end", resolve)
        })
        expect(received).toEqual(["marko", "vadas", "lop", "josh", "ripple", "peter"])
      })

      it("keeps a session's variables", async () => {
        const { client } = await connect()
        const session = client({ session: "41d2e28a-20a4-4ab0-b379-d810dede3786" })
        await session.submit("x = 5")
        expect((await session.submit("x + 1")).toArray()).toEqual([6])
        await expect(client().submit("x")).rejects.toMatchObject({ statusCode: 597 })
      })

      it("has transactions", async () => {
        const { remote } = await connect()
        for (const [source, before] of [
          ["gtx", 0],
          ["g", 6]
        ] as const) {
          const g = remote(source)
          const count = async () => (await g.V().count().next()).value
          const first = g.tx()
          const inside = first.begin()
          await inside.addV("person").property("name", "held").iterate()
          expect((await inside.V().count().next()).value).toBe(before + 1)
          expect(await count()).toBe(before)
          await first.commit()
          expect(await count()).toBe(before + 1)
          const second = g.tx()
          const again = second.begin()
          await Promise.all([again.addV("a").iterate(), again.addV("b").iterate()])
          expect((await again.V().count().next()).value).toBe(before + 3)
          await second.rollback()
          expect(await count()).toBe(before + 1)
        }
      })

      it("cannot commit a transaction whose connection was lost", async () => {
        const { port, remote } = await connect()
        const way = await cuttableWay(port)
        closing.push(async () => way.close())
        const g = remote("gtx", {}, `ws://${way.authority}/gremlin`)
        const count = async () => (await remote("gtx").V().count().next()).value
        const rolledBack = g.tx()
        const committed = g.tx()
        for (const transaction of [rolledBack, committed]) await transaction.begin().addV("lost").iterate()
        const fresh = g.tx()
        way.cut()
        await new Promise((resolve) => setTimeout(resolve, 200))
        // The driver connects again by itself.
        await expect(committed.commit()).rejects.toThrow("has ended without a commit")
        await rolledBack.rollback()
        await fresh.begin().addV("kept").iterate()
        await fresh.commit()
        expect(await count()).toBe(1)
      })

      it("has many requests under way on one connection", async () => {
        const { g } = await connect()
        const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => g.inject(i).next()))
        expect(answers.map(({ value }) => value)).toEqual(Array.from({ length: 200 }, (_, i) => i))
      })
    })
  }
}
