import { createRequire } from "node:module"
import { afterEach, describe, expect, it } from "vitest"
import { startServer } from "../support/TestServers.ts"

const require = createRequire(import.meta.url)
const gremlin = require("gremlin")
const { DriverRemoteConnection } = gremlin.driver
const { traversal } = gremlin.process.AnonymousTraversalSource
const { ReadOnlyStrategy, SubgraphStrategy } = require("gremlin/lib/process/traversal-strategy.js")
const { GraphSON3Reader, GraphSON3Writer } = gremlin.structure.io

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

type Lambda = () => string | readonly [script: string, language: string]

/** The driver's `g` over three vertices. */
const opened = async (settings: object = {}, isBinary = false) => {
  const { authority } = await startServer(settings)
  const reader = new GraphSON3Reader()
  const writer = new GraphSON3Writer()
  const mimeType = "application/vnd.gremlin-v3.0+json"
  const options = isBinary ? { mimeType: "application/vnd.graphbinary-v1.0" } : { reader, writer, mimeType }
  const connection = new DriverRemoteConnection(`ws://${authority}/gremlin`, options)
  closing.push(() => connection.close())
  const client = new gremlin.driver.Client(`ws://${authority}/gremlin`, { traversalSource: "g" })
  closing.push(() => client.close())
  await client.submit(
    "g.addV('person').property('name', 'marko').property('age', 29).addV('person').property('name', 'josh').property('age', 32)" +
      ".addV('software').property('name', 'lop')"
  )
  return traversal().withRemote(connection)
}

describe("A lambda of the JavaScript driver", () => {
  it.each([false, true])(
    "runs as Groovy, with and without braces and parameters (GraphBinary: %s)",
    async (isBinary) => {
      const g = await opened({}, isBinary)
      const names = async (lambda: Lambda) => (await g.V().map(lambda).toList()).sort()
      expect(await names(() => "it.get().value('name')")).toEqual(["josh", "lop", "marko"])
      expect(await names(() => "{ it.get().value('name') }")).toEqual(["josh", "lop", "marko"])
      expect(await names(() => ["x -> x.get().value('name')", "gremlin-groovy"])).toEqual(["josh", "lop", "marko"])
      expect(await names(() => "1")).toEqual([1, 1, 1])
      expect(
        await g
          .V()
          .filter(() => "it.get().label() == 'software'")
          .values("name")
          .toList()
      ).toEqual(["lop"])
    }
  )

  it("compares and combines values", async () => {
    const g = await opened()
    const down = () => "a, b -> b.value('name') <=> a.value('name')"
    expect(await g.V().order().by(down).values("name").toList()).toEqual(["marko", "lop", "josh"])
    expect(
      await g
        .V()
        .order()
        .by(() => "it.value('name')")
        .values("name")
        .toList()
    ).toEqual(["josh", "lop", "marko"])
    expect(
      await g
        .V()
        .values("age")
        .fold(0, () => "a, b -> a + b")
        .toList()
    ).toEqual([61])
    const sacks = g
      .withSack(() => "1")
      .V()
      .hasLabel("person")
    expect(
      (
        await sacks
          .sack(() => "a, b -> a + b.value('age')")
          .sack()
          .toList()
      ).sort()
    ).toEqual([30, 33])
    const both = gremlin.process.statics.union(gremlin.process.statics.identity(), gremlin.process.statics.label())
    const split = g.withSack(
      () => "{1.0d}",
      () => "x -> x + 1"
    )
    expect(await split.V().map(both).sack().sum().toList()).toEqual([6])
    expect(await split.V().flatMap(both).sack().sum().toList()).toEqual([12])
    expect(await split.V().union(both, both).sack().sum().toList()).toEqual([42])
  })

  it("runs traversals, and changes the graph only as its source allows", async () => {
    const g = await opened()
    const counts = () => "g.V().has('name', it.get().value('name')).count().next()"
    expect((await g.V().map(counts).toList()).map(Number)).toEqual([1, 1, 1])
    const write = () => "it.get().property('seen', true)"
    await g.V().hasLabel("software").sideEffect(write).iterate()
    expect(await g.V().has("seen", true).values("name").toList()).toEqual(["lop"])
    const readOnly = g.withStrategies(new ReadOnlyStrategy())
    await expect(readOnly.V().sideEffect(write).iterate()).rejects.toThrow("mutating step")
    const subgraph = new SubgraphStrategy({ vertices: gremlin.process.statics.hasLabel("person") })
    const seen = () => "it.get().label() + g.V(it.get()).count().next() + it.get().values().toList().size()"
    expect((await g.withStrategies(subgraph).V().map(seen).toList()).sort()).toEqual(["person12", "person12"])
    const hidden = () => "g.V().hasLabel('software').next().values().toList().size()"
    expect((await g.withStrategies(subgraph).V().limit(1).map(hidden).toList()).map(Number)).toEqual([0])
  })

  it("is refused in another language, with a wrong text, and in a step that takes none", async () => {
    const g = await opened()
    const python: Lambda = () => ["lambda x: x.get()", "gremlin-python"]
    await expect(g.V().map(python).toList()).rejects.toThrow("lambda in gremlin-python (lambda x: x.get()) cannot run")
    await expect(
      g
        .V()
        .map(() => "it.get(")
        .toList()
    ).rejects.toThrow("Line 1")
    await expect(
      g
        .V()
        .map(() => "new File('/etc/passwd')")
        .toList()
    ).rejects.toThrow("scripts do not have the constructor new File")
    await expect(
      g
        .V()
        .out(() => "it")
        .toList()
    ).rejects.toThrow("out() takes no closure")
  })

  it("is one closure, of which nothing runs before it is called", async () => {
    const g = await opened()
    const outside = (text: string) =>
      g
        .inject(0)
        .map((): string => text)
        .toList()
    await expect(outside("it}); while (true) { 1 }; ({it")).rejects.toThrow(
      "where the end of the closure's text was expected"
    )
    await expect(outside("{it}; while (true) { 1 }; {it}")).rejects.toThrow(
      "where the end of the closure's text was expected"
    )
    await expect(outside("it}; g.addV('written').iterate(); {it")).rejects.toThrow("the end of the closure's text")
    await expect(outside("{it}.call(1)")).rejects.toThrow("the end of the closure's text")
    expect(await g.V().hasLabel("written").toList()).toEqual([])
  })

  it("may have comments, and several statements", async () => {
    const g = await opened()
    const answer = (text: string) =>
      g
        .inject(1)
        .map((): string => text)
        .toList()
    expect(await answer("it.get() + 1 // the next number")).toEqual([2])
    expect(await answer("{ it.get() + 1 } // the next number")).toEqual([2])
    expect(await answer("/* of x */ x -> x.get() + 1 /* } */")).toEqual([2])
    expect(await answer("def x = it.get(); x++; x")).toEqual([2])
    expect(await answer("{ x -> x.get()\n '}' }")).toEqual(["}"])
  })

  it("is refused with closures=false", async () => {
    const g = await opened({ closures: false })
    await expect(
      g
        .V()
        .map(() => "it.get()")
        .toList()
    ).rejects.toThrow("closures=false")
  })
})
