import { describe, expect, it } from "vitest"
import { keyOf } from "../../../src/layers/workers/BlockedRequests.ts"
import { lastWorkOf } from "../../../src/layers/workers/LastWork.ts"
import { RECORDS } from "../../../src/layers/workers/RegionLayout.ts"
import { CUT, identityOf } from "../../../src/layers/workers/RequestIdentity.ts"
import { reclaim } from "../../../src/layers/workers/Slots.ts"
import { type RecordedRequest, readRecords, workerRecords } from "../../../src/layers/workers/WorkerRecords.ts"
import { Bytecode, Instruction, Lambda } from "../../../src/process/language/Bytecode.ts"
import { P } from "../../../src/process/language/Predicate.ts"
import type { EvaluationRequest } from "../../../src/services/Evaluator.ts"
import { http } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, startInside } from "../support/TestServers.ts"
import { newRegion } from "./Regions.ts"

const request = (
  gremlin: EvaluationRequest["gremlin"],
  bindings: Readonly<Record<string, unknown>> = {},
  requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
): EvaluationRequest => ({
  requestId,
  gremlin,
  bindings: new Map(Object.entries(bindings)),
  aliases: null,
  language: undefined,
  evaluationTimeout: undefined,
  manageTransaction: false,
  transport: "websocket",
  user: { name: "marko" },
  heldBytes: 0
})

const recorder = async () => {
  const { region } = await newRegion(2)
  return { region, records: workerRecords(region, 1), read: () => readRecords(region, 1) }
}

/** The record of one request. */
const recorded = async (one: EvaluationRequest) => {
  const { read, records } = await recorder()
  records.enter(one, 0)
  return read().onEventLoop!
}

describe("The records of a worker", () => {
  it("tell which request has the event loop and which are evaluated, until they are answered", async () => {
    const { read, records } = await recorder()
    expect(read()).toEqual({ onEventLoop: undefined, evaluated: [] })
    const first = records.enter(request("g.V()", {}, "first"), 0)
    records.leave(0)
    const outer = records.current()
    const second = records.enter(request("g.E()", {}, "second"), 0)
    expect(read().onEventLoop).toMatchObject({ requestId: "second", text: "g.E()", user: "marko", kind: "script" })
    expect(new Set(read().evaluated.map(({ requestId }) => requestId))).toEqual(new Set(["first", "second"]))
    // A request may begin inside the slice of another one.
    const inner = records.enter(request("1", {}, "inner"), 0)
    records.end(inner)
    records.leave(second)
    expect(read().onEventLoop?.requestId).toBe("second")
    records.leave(outer)
    expect([read().onEventLoop, read().evaluated.length]).toEqual([undefined, 2])
    expect(records.enter(request("not written again"), first)).toBe(first)
    expect(read().onEventLoop?.requestId).toBe("first")
    records.end(first)
    records.end(second)
    records.leave(0)
    expect(read()).toEqual({ onEventLoop: undefined, evaluated: [] })
  })

  it("have the whole of a short script and of its bindings, and the start, the end and the length of a long one", async () => {
    const short = await recorded(request("g.V(x).has('name', 'Ж€𝄞')", { x: 1, name: "josh", list: [1, 2] }))
    expect([short.text, short.bindings]).toEqual(["g.V(x).has('name', 'Ж€𝄞')", "x=1 name='josh' list=[1, 2] "])
    const long = await recorded(request(`g.V()${".out()".repeat(60)}.count()`, { x: "y".repeat(130) }))
    // With a hash of all of it.
    expect(long.text).toMatch(/^g.V\(\)[.out()]{315}#-?\d+#[.out()]{32}.count\(\)$/)
    expect(long.length).toBe(373)
    expect(long.bindings).toMatch(/^x='y{40}'130#-?\d+ $/)
    const wide = await recorded(request("€".repeat(500)))
    expect(wide.text).toMatch(/^€{320}#-?\d+#€{40}$/)
  })

  it("have the whole of a long script or value from the second slice of its request on, and say before that it is cut", async () => {
    const [one, other] = ["a", "b"].map((middle) => "x".repeat(5_000) + middle + "x".repeat(5_001))
    const identities = async (of: (text: string) => EvaluationRequest) => {
      const found: Array<RecordedRequest> = []
      for (const asked of [of(one!), of(other!)]) {
        const { read, records } = await recorder()
        const record = records.enter(asked, 0)
        expect(read().onEventLoop!.bindings.endsWith(CUT)).toBe(true)
        records.leave(0)
        expect(records.enter(asked, record)).toBe(record)
        found.push(read().onEventLoop!)
      }
      return found
    }
    const parts = (text: string) => text.match(/.{1,30}/g) ?? []
    const step = (text: string) => new Bytecode([], [new Instruction("inject", [text])])
    for (const of of [
      (text: string) => request(text),
      (text: string) => request("g.inject(x)", { x: text }),
      (text: string) => request(step(text)),
      // Long by the number of its steps, and of its bindings.
      (text: string) =>
        request(
          new Bytecode(
            [],
            parts(text).map((part) => new Instruction("has", [part]))
          )
        ),
      (text: string) => request("g.V()", Object.fromEntries(parts(text).map((part, at) => [`b${at}`, part])))
    ]) {
      const [first, second] = await identities(of)
      expect(first!.bindings + second!.bindings).not.toContain(CUT)
      expect([first!.text, first!.bindings]).not.toEqual([second!.text, second!.bindings])
      // A later request is compared with it.
      expect(keyOf(identityOf(of(one!), true))).toBe(keyOf(first!))
    }
    expect((await identities((text) => request(text.repeat(30))))[0]!.bindings).toBe(CUT)
  })

  it("mark requests of users with names above 64 characters, so that two users never share a refusal", async () => {
    const of = (name: string) => recorded({ ...request("g.V()"), user: { name } })
    const [long, longer] = [await of(`${"u".repeat(64)}a`), await of(`${"u".repeat(64)}b`)]
    expect([long.bindings, longer.bindings]).toEqual([CUT, CUT])
    expect((await of("u".repeat(64))).bindings).toBe("")
  })

  it("have the steps of bytecode with their arguments, in at most 360 characters", async () => {
    const steps = [
      new Instruction("V", [1n]),
      new Instruction("has", ["age", new P("gt", 29)]),
      new Instruction("where", [new Bytecode([], [new Instruction("out", ["knows"])])]),
      new Instruction("map", [new Lambda("it.get()", "gremlin-groovy", 1)]),
      new Instruction("inject", [10n ** 50_000n])
    ]
    expect(await recorded(request(new Bytecode([], steps)))).toMatchObject({
      kind: "bytecode",
      length: 5,
      text: "V(1L)has('age',gt(29))where(out('knows'))map('it.get()')inject((a long integer))"
    })
    const long = await recorded(request(new Bytecode([], Array(10_000).fill(new Instruction("both", [])))))
    expect([long.text.length, long.length]).toEqual([360, 10_000])
  })

  it("are reused, and a request that finds none free is recorded while it has the event loop", async () => {
    const { read, records, region } = await recorder()
    const taken = Array.from({ length: RECORDS - 1 }, (_, i) => records.enter(request(String(i)), 0))
    expect(new Set(taken).size).toBe(RECORDS - 1)
    expect(taken).not.toContain(0)
    expect(records.enter(request("one too many"), 0)).toBe(0)
    expect([read().onEventLoop?.text, read().evaluated.length]).toEqual(["one too many", RECORDS])
    records.leave(taken[3]!)
    expect([read().onEventLoop?.text, read().evaluated.length]).toEqual(["3", RECORDS - 1])
    records.end(taken[3]!)
    expect(records.enter(request("one too many"), 0)).toBe(taken[3])
    reclaim(region, 1)
    expect(read()).toEqual({ onEventLoop: undefined, evaluated: [] })
  })

  it("name requests in the log line of a death, with as much of their texts as scriptLogLength allows", async () => {
    const { read, records } = await recorder()
    expect(lastWorkOf(read(), 100)).toBe("")
    const first = records.enter(request("g.V().count()", {}, "a"), 0)
    records.leave(0)
    expect(lastWorkOf(read(), 5)).toBe(' while these requests waited: a of marko (script "g.V()")')
    records.enter(request("g.E()", {}, "b"), 0)
    expect(lastWorkOf(read(), 100)).toBe(
      ' while it ran the request b of marko (script "g.E()"), and while these requests waited: a of marko (script "g.V().count()")'
    )
    records.end(first)
    expect(lastWorkOf(read(), 100)).toBe(' while it ran the request b of marko (script "g.E()")')
  })

  it("have every request of a server from its first slice to its answer, those of sessions included", async () => {
    const { read, records } = await recorder()
    const server = await startInside({}, {}, undefined, records)
    const client = await SocketClient.connect(server.authority)
    const ids = [
      client.send("eval", "", { gremlin: endless }),
      client.send("eval", "session", { session: "s", gremlin: endless })
    ]
    await eventually(() => read().evaluated.length === 2)
    expect(new Set(read().evaluated.map(({ requestId }) => requestId))).toEqual(new Set(ids))
    // Outside of a slice nothing has the event loop.
    expect(read().onEventLoop).toBeUndefined()
    expect((await client.eval("40 + 2")).result.data).toEqual([42])
    for (const id of ids) {
      await http(server.authority, { method: "DELETE", path: `/gremlin/status/${id}` })
      await client.answer(id)
    }
    await eventually(() => read().evaluated.length === 0)
  })
})
