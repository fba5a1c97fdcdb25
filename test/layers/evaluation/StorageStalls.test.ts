import { beforeEach, describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

/** Graphs, and the number of elements to write: writing them in one turn takes hundreds of milliseconds. */
const graphs = [
  { name: "in memory", properties: ["storage.backend=inmemory", "storage.memory.schema=false"], count: 80_000 },
  { name: "on disk", properties: ["storage.backend=lmdb", "storage.directory=db"], count: 10_000 }
] as const

/** A vertex with a property for each number of a list. */
const add = "g.inject(x).unfold().as('n').addV('many').property('n', __.select('n')).count()"

/** An edge for each of these vertices. */
const addEdges = "g.V().hasLabel('many').as('v').addE('to').to('v').count()"

describe.each(graphs)("With a graph $name, no write blocks the event loop", ({ count, name, properties }) => {
  const measured = measuredServer("--max-semi-space-size=32", [...properties])
  const numbers = Array.from({ length: count }, (_, i) => i)

  const ask = async (gremlin: string, bindings: Record<string, unknown> = {}): Promise<unknown> => {
    const answer = await post(measured.authority, gremlin, { bindings, evaluationTimeout: 120_000 })
    if (answer.status !== 200) throw new Error(`${gremlin}: ${answer.text}`)
    return answer.json.result.data[0]
  }

  // Removes what a failed test left.
  beforeEach(() => ask("g.V().drop().iterate()"))

  /** Removes all vertices, each of which has an edge, or all edges. They are added first if they were removed before. */
  const removing = async (all: "g.V()" | "g.E()"): Promise<void> => {
    if ((await ask("g.V().count()")) === 0) await ask(add, { x: numbers })
    if ((await ask("g.E().count()")) === 0) await ask(addEdges)
    expect(await ask(`${all}.count()`)).toBeGreaterThan(0)
    await ask(`${all}.drop().iterate()`)
    expect(await ask(`${all}.count()`)).toBe(0)
  }

  /** The requests with too long a turn, with its length. */
  const tooLong = async (requests: ReadonlyArray<readonly [string, () => Promise<unknown>]>): Promise<unknown> => {
    const long: Array<string> = []
    for (const [name, request] of requests) {
      const turn = await measured.turnOf(request)
      if (turn >= LONGEST_TURN_MS) long.push(`${name} ${turn} ms`)
    }
    return long
  }

  it("by a commit that adds, changes or removes very many elements", async () => {
    const turns = await tooLong([
      ["adding", () => ask(add, { x: numbers })],
      ["changing", () => ask("g.V().hasLabel('many').property('n', -1).count()")],
      ["adding edges", () => ask(addEdges)],
      ["removing edges", () => removing("g.E()")],
      ["removing", () => removing("g.V()")]
    ])
    expect(await ask("g.E().count()")).toBe(0)
    expect(turns).toEqual([])
  })

  it("by a vertex with very many edges", async () => {
    const fill = "g.addV('hub').as('h').inject(x).unfold().addE('has').from('h').to('h').count()"
    const hub = "g.V().hasLabel('hub')"
    const turns = await tooLong([
      ["filling it", () => ask(fill.replace("inject(x)", "constant(x)"), { x: numbers })],
      ["its properties", () => ask(`${hub}.outE('has').property('n', 1).count()`)],
      ["removing it", () => ask(`${hub}.drop().iterate()`)]
    ])
    expect(await ask("g.E().hasLabel('has').count()")).toBe(0)
    expect(turns).toEqual([])
  })

  it.runIf(name === "on disk")("by building an index over a vertex with very many edges", async () => {
    const fill =
      "g.addV('hub').as('h').constant(x).unfold().as('n').select('h').addE('near').to('h').property('n', __.select('n'))"
    await ask(`${fill}.count()`, { x: numbers })
    const make = (name: string, index: string): string =>
      `mgmt = graph.openManagement(); ${index}; mgmt.commit(); ` +
      `ManagementSystem.await${name}.status(SchemaStatus.ENABLED).timeout(60, ChronoUnit.SECONDS).call().getSucceeded()`
    const [label, key] = ["mgmt.getEdgeLabel('near')", "mgmt.getPropertyKey('n')"]
    let made = 0
    const turns = await tooLong([
      [
        "of its edges",
        () => {
          const index = `near${++made}`
          const build = `mgmt.buildEdgeIndex(${label}, '${index}', Direction.BOTH, Order.asc, ${key})`
          return ask(make(`RelationIndexStatus(graph, '${index}', 'near')`, build))
        }
      ],
      [
        "of all edges",
        () => {
          const index = `all${++made}`
          const build = `mgmt.buildIndex('${index}', Edge.class).addKey(${key}).buildCompositeIndex()`
          return ask(make(`GraphIndexStatus(graph, '${index}')`, build))
        }
      ]
    ])
    expect(await ask("g.V().hasLabel('hub').outE('near').has('n', lt(100)).count()")).toBe(100)
    expect(await ask("g.E().has('n', 77).count()")).toBe(1)
    expect(turns).toEqual([])
  })

  it("by a vertex with very many properties", async () => {
    const wide = "g.V().hasLabel('wide')"
    const fill = `${wide}.as('w').constant(x).unfold().as('n').select('w').property(list, 'p', __.select('n')).count()`
    const x = numbers.slice(0, 6_000)
    await ask("g.addV('wide').property(list, 'p', -1).count()")
    const turns = await tooLong([
      ["writing them", () => ask(fill, { x })],
      ["reading them", () => ask(`${wide}.properties().count()`)],
      ["its map", () => ask(`${wide}.valueMap().select('p').count(local)`)],
      ["removing some", () => ask(`${wide}.properties().limit(2000).drop().iterate()`)],
      ["removing it", () => ask(`${wide}.drop().iterate()`)]
    ])
    expect(await ask(`${wide}.count()`)).toBe(0)
    expect(turns).toEqual([])
  })

  it("by the rollback of very many changes", async () => {
    const turn = await measured.turnOf(async () => {
      const client = await SocketClient.connect(measured.authority)
      const session = { session: `rolled back ${Math.random()}`, evaluationTimeout: 120_000 }
      await client.eval("x.size()", { ...session, bindings: { x: numbers } })
      await client.eval(add, session)
      const failed = await client.eval(`${add.replace(".count()", "")}.iterate(); g.V().fail('enough')`, session)
      expect(failed.status.code).toBeGreaterThanOrEqual(500)
      // The failed request rolls back its own changes, and no others.
      const { result } = await client.eval("g.V().hasLabel('many').count()", session)
      expect(result.data).toEqual([count])
      await client.eval("g.tx().rollback()", session)
      client.ws.terminate()
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
    expect(await ask("g.V().hasLabel('many').count()")).toBe(0)
  })
})
