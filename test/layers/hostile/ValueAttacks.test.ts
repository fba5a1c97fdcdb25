import { describe, expect, it } from "vitest"
import { patience } from "../../Limits.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { distinctNumbers, LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

const measured = measuredServer()

const session = { session: "attacks" }

/** Variables of the session: long lists, a list of short lists, a large map, a long text, and numbers with many digits. */
const bindings = {
  x: distinctNumbers,
  nest: Array.from({ length: 3_000 }, (_, i) => Array.from({ length: 300 }, (_, k) => i + k)),
  m: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`w${i}`, i])),
  t: "ab".repeat(500_000),
  digits: `0.${"1".repeat(9_980)}`,
  few: `0.${"1".repeat(497)}`,
  alike: Array.from({ length: 40_000 }, (_, i) => `${"a".repeat(30)}${100_000 + i}${"b".repeat(30)}`)
}

/** In place of a message: the request takes longer than its time limit, which ends it. */
const LATE = "the time limit"
/** Time limit of such a request, ms, and of the others. */
const LATE_MS = 1_500
const ENOUGH_MS = 60_000 * patience

/** A name, a request, and a part of the expected error message (undefined = the request succeeds). */
const requests: ReadonlyArray<readonly [string, string, string?]> = [
  ["numbers of very many digits", "g.inject(x).unfold().limit(200).constant(digits).asNumber(GType.FLOAT).count()"],
  ["numbers of hundreds of digits", "g.inject(x).unfold().limit(20000).constant(few).asNumber(GType.FLOAT).count()"],
  ["very many short lists", "g.inject(nest).count(local)"],
  ["a reversed text", "g.inject(t).reverse().count()"],
  ["a text that a script reverses", "t.reverse().length()"],
  ["texts that differ in their middle", "g.inject(alike).unfold().dedup().count()"],
  ["a list for each of many sacks", `g.withSack(x).inject(${distinctNumbers.slice(0, 2_000)}).count()`],
  [
    "lists that grow in many sacks",
    `g.withSack(x).inject(${distinctNumbers.slice(0, 2_000)}).sack(addAll).by(constant([1])).count()`,
    LATE
  ],
  ["a map as a sack", "g.withSack(m).inject(1).count()"],
  ["a map as a sack that grows", "g.withSack(m).inject(1).sack(addAll).by(constant([1:1])).count()", "at most 65536"],
  ["a map as a side effect", "g.withSideEffect('a', m).inject(1).count()"],
  ["a map as a side effect that grows", "g.withSideEffect('a', m).inject([1:1]).aggregate('a').count()"],
  ["a map that is added", "g.inject(m).fold(m, addAll).count(local)", "at most 65536"],
  [
    "a sack that grows",
    "g.withSack([]).inject(1).repeat(sack(addAll).by(constant(x))).times(3000).sack().count(local)",
    "at most 1048576 members"
  ],
  ["a map for call()", "g.call('--list', m).count()", "at most 4096 entries"]
]

describe("A server that clients attack with values", () => {
  it("keeps every turn of its event loop short", async () => {
    const client = await SocketClient.connect(measured.authority)
    // One variable for each message, because a message has a maximum length.
    for (const [name, value] of Object.entries(bindings))
      expect((await client.eval("1", { ...session, bindings: { [name]: value } })).status.code, name).toBe(200)
    const tooLong: Array<string> = []
    for (const [name, gremlin, refusal] of requests) {
      const turn = await measured.turnOf(async () => {
        const evaluationTimeout = refusal === LATE ? LATE_MS : ENOUGH_MS
        const { status } = await client.eval(gremlin, { ...session, evaluationTimeout })
        if (refusal === LATE) {
          expect(status.code, `${name}: ${status.message}`).toBe(598)
          return
        }
        expect(status.code, `${name}: ${status.message}`).toBe(refusal === undefined ? 200 : 597)
        if (refusal !== undefined) expect(status.message, name).toContain(refusal)
      })
      if (turn >= LONGEST_TURN_MS) tooLong.push(`${name} ${turn} ms`)
    }
    expect(tooLong).toEqual([])
  })
})
