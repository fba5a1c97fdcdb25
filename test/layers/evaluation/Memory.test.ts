import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { MemoryBudget } from "../../../src/services/MemoryBudget.ts"
import { GremlinMap } from "../../../src/structure/collections/Collections.ts"
import { bytesOf } from "../../../src/structure/memory/HeldBytes.ts"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, type InsideServer, startInside } from "../support/TestServers.ts"

const MB = 1_048_576
const held = (server: InsideServer): number => Context.get(server.services, MemoryBudget).used()

/** Traversals that hold more and more memory, each in another way, without a result before their end. */
const doubling = "g.inject(0).repeat(__.union(__.math('_ * 2'), __.math('_ * 2 + 1')))"
const greedy: Readonly<Record<string, string>> = {
  "a barrier": `${doubling}.emit().dedup().count()`,
  "rows that wait": `${doubling}.until(__.is(-1))`,
  paths: `${doubling}.until(__.is(-1)).path()`,
  "one long path": "g.inject(0).repeat(__.math('_ + 1')).until(__.is(-1)).path()",
  "a side effect": `${doubling}.emit().aggregate('x').count()`,
  "rows that enter branches one by one":
    "g.withBulk(false).inject((1..60000).toList()).unfold().union(__.unfold().unfold().unfold(), __.identity()).count()",
  groups: `${doubling}.emit().groupCount()`,
  changes: `${doubling}.emit().sideEffect(__.addV('x').property('name', 'y')).count()`,
  "a script's results": `x = ${doubling}.emit().toList(); x.size()`,
  "sets of the keys of maps":
    "l = []; for (i in 1..200) { m = [a: ('x' * 100000 + i).reverse()]; l << m.keySet() }; l.size()",
  "lists of the values of maps":
    "l = []; for (i in 1..200) { m = [a: ('x' * 100000 + i).reverse()]; l << m.values() }; l.size()"
}

describe("A request that holds too much memory", () => {
  for (const [what, script] of Object.entries(greedy)) {
    it(`in ${what} fails, and gives it back`, async () => {
      const server = await startInside({ requestMemoryLimit: 2 * MB, memoryBudget: 400 * MB })
      const answer = await post(server.authority, script)
      expect([answer.status, answer.json["Exception-Class"]]).toEqual([500, "LimitExceeded"])
      expect(held(server)).toBe(0)
      expect((await post(server.authority, "g.V().count()")).json.result.data).toEqual([0])
    })
  }
})

describe("Requests that hold too much memory together", () => {
  it("lose the largest of them, and the others continue", async () => {
    const server = await startInside({ memoryBudget: 6 * MB, requestMemoryLimit: 0, enginePool: 4 })
    const modest = "g.inject(0).repeat(__.math('_ + 1').aggregate('x')).times(2000).cap('x').count(local)"
    const answers = await Promise.all([
      post(server.authority, greedy.groups!),
      ...Array.from({ length: 3 }, () => post(server.authority, modest))
    ])
    expect(answers.map(({ status }) => status)).toEqual([500, 200, 200, 200])
    expect(answers[0]!.json.message).toContain("memoryBudget")
    expect(held(server)).toBe(0)
  })

  it("are all ended when all of them grow, and the server continues", async () => {
    const server = await startInside({ memoryBudget: 8 * MB, requestMemoryLimit: 0, enginePool: 8 })
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => post(server.authority, Object.values(greedy)[i % 8]!))
    )
    expect(new Set(answers.map(({ json }) => json["Exception-Class"]))).toEqual(new Set(["LimitExceeded"]))
    expect(held(server)).toBe(0)
    expect((await post(server.authority, "1 + 1")).status).toBe(200)
  })
})

describe("A session that holds too much memory", () => {
  it("in its variables ends, and its next request is refused with the reason and the next step", async () => {
    const server = await startInside({ requestMemoryLimit: 4 * MB })
    const client = await SocketClient.connect(server.authority)
    const fill = (session: string, gremlin: string) => client.eval(gremlin, { session })
    let status = { code: 200, message: "" }
    for (let i = 0; i < 40 && status.code === 200; i++) ({ status } = await fill("full", `v${i} = 'x' * 1000000; 1`))
    expect(status.code, status.message).toBe(500)
    expect(status.message).toContain("requestMemoryLimit")
    expect(status.message).toContain("Open a new session, commit more often, and keep fewer values in variables")
    await eventually(() => held(server) === 0)
    expect((await fill("another", "1")).status.code).toBe(200)
  })
})

describe("The memory of a value", () => {
  it("is estimated from a sample, at once for every size", () => {
    const list = Array.from({ length: 1_000_000 }, (_, i) => `value ${i}`)
    expect(bytesOf(list)).toBeGreaterThan(20_000_000)
    expect(bytesOf(new GremlinMap([["a", list]]))).toBeGreaterThan(20_000_000)
    expect(bytesOf("x".repeat(1_000))).toBeGreaterThanOrEqual(1_000)
    expect(bytesOf(1)).toBeLessThan(100)
    const endless: Array<unknown> = []
    endless.push(endless)
    expect(bytesOf(endless)).toBeLessThan(10_000)
  })
})
