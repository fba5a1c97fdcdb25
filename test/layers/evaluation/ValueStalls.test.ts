import { randomUUID } from "node:crypto"
import { afterAll, describe, expect, it } from "vitest"
import { patience } from "../../Limits.ts"
import { post } from "../support/HttpClient.ts"
import { binaryMessage, SocketClient } from "../support/SocketClient.ts"
import { distinctNumbers, LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

const measured = measuredServer()

/** Texts of a and b without repeated substrings, so that RE2 cannot reuse states. */
const randomTexts = (count: number, length: number): Array<string> => {
  let state = 1
  const next = (): string => ((state = (state * 48_271) % 2_147_483_647) & 64 ? "a" : "b")
  return Array.from({ length: count }, () => Array.from({ length }, next).join(""))
}

const digits = "37".repeat(4_900)

const bindings = {
  x: distinctNumbers,
  /** Texts of a million characters: one with spaces, one with different characters only. */
  t: "ab ".repeat(340_000),
  u: Array.from({ length: 1_000_000 }, (_, i) => String.fromCharCode(0x100 + ((i * 7) % 5_000))).join(""),
  texts: randomTexts(2_000, 400),
  m: Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`k${i}`, i])),
  p: "[ab]*a[ab]{1000}[^ab]"
}

/** Sent in a separate message, because a message has a maximum length. */
const more = {
  w: Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`w${i}`, i])),
  d: Array.from({ length: 200_000 }, (_, i) => i + 1 / 3)
}

let opened: Promise<SocketClient> | undefined

/** The client of a session with these variables, for all tests. */
const session = (): Promise<SocketClient> => {
  opened ??= SocketClient.connect(measured.authority).then(async (client) => {
    client.keep()
    for (const given of [bindings, more]) {
      const { status } = await client.eval("1", { session: "large", bindings: given })
      expect([status.code, status.message]).toEqual([200, ""])
    }
    return client
  })
  return opened
}

afterAll(async () => (await opened)?.ws.terminate())

/** Work that adds what later work is done on: it has enough time. */
const adding: ReadonlySet<string> = new Set([
  "a map of very many properties",
  "what mergeV() is to find",
  "a list as a property",
  "a map as a property"
])

/** Work on what other work has added, which it must find. */
const onAdded: ReadonlySet<string> = new Set([
  "lists as properties that are compared",
  "the answer of a list as a property",
  "the answer of a map as a property",
  "a vertex of very many properties",
  "the answer of a vertex of very many properties"
])

/** The decimals are literals of the script: JSON without types has no decimals. */
const decimals = `[${Array.from({ length: 60 }, (_, i) => `1.${digits}${i}m`).join(", ")}]`
const patterns =
  Array.from({ length: 30 }, (_, i) => `TextP.regex('[ab]*${i}a[ab]{1000}[ab]{1000}[ab]{1000}')`).join(".or(") +
  ")".repeat(29)

/** Kinds of work, and the text of their refusal (undefined = not refused). */
const work: ReadonlyArray<readonly [string, string, string?]> = [
  ["the keys of a map", "g.inject(x).unfold().groupCount().select(keys).count(local)"],
  ["a map in order", "g.inject(x).limit(local, 100000).unfold().groupCount().order(local).by(values).count(local)"],
  [
    "a list of paths",
    "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(17).path().fold().count(local)"
  ],
  ["a list of maps", "g.inject(x).limit(local, 300000).unfold().project('a').fold().count(local)"],
  ["groups", "g.inject(x).unfold().group().unfold().count()"],
  ["groups in a map", "g.inject(x).unfold().group().by().by(__.count()).unfold().select(keys).count()"],
  ["places in a list", "g.inject(x).index().count(local)"],
  ["the members of within()", "g.inject(1).is(within(x).and(within(x))).count()"],
  ["the ids of has()", "g.V().hasId(x).count()"],
  ["ids", "g.V(x).count()"],
  ["a list that is named often", `g.inject(1)${".is(neq(x))".repeat(7)}.count()`],
  ["bindings of match()", "g.inject(1).match(__.as('a').constant(x).unfold().as('b')).count()"],
  ["a shuffled list", "g.inject(x).order(local).by(shuffle).count(local)"],
  ["paths of large lists", "g.inject(x).unfold().tree().count(local)", "about 100,000 numbers"],
  ["lists as keys", "g.inject(x, x).dedup().count()", "about 100,000 numbers"],
  ["lists in order", "g.inject(x, x, x, x).order().count()"],
  ["the text of a list", "g.inject(x).asString()", "262144 characters"],
  ["a list in a message", "g.inject(x).math('_ + 1')", "must resolve to a Number"],
  ["the parts of a text", "g.inject(t).split(' ').count(local)"],
  ["the characters of a text", "g.inject(u).split('').count(local)"],
  ["replacements", "g.inject(t).replace('a', 'c').count()"],
  ["a text backwards", "g.inject(u).reverse().count()"],
  ["texts that are almost equal", "g.inject(t).is(textFuzzy(t)).count()", "at most 65536 characters"],
  ["a regular expression for all()", "g.inject(texts).all(TextP.notRegex(p)).count()"],
  ["a regular expression for any()", "g.inject(texts).any(TextP.regex(p)).count()"],
  [
    "a regular expression for an option",
    "g.inject(texts).unfold().choose(identity()).option(TextP.regex(p), constant(1)).count()"
  ],
  ["many regular expressions", `g.inject('a').is(${patterns}).count()`],
  ["a sum of long decimals", `g.inject(${decimals}).sum(local)`],
  ["long decimals in order", `g.inject(${decimals}).order(local).count(local)`],
  ["the digits of long decimals", `g.inject(${decimals}).asString(local).count(local)`],
  ["long decimals as text", `g.inject(${decimals}).conjoin(',').count()`],
  ["an answer of long decimals", `g.inject(${decimals})`],
  ["the least of long decimals", `g.inject(${decimals}).min(local)`],
  ["a plan with children", `g.V()${".where(__.out())".repeat(6_600)}`],
  [
    "a plan with criteria",
    `g.withStrategies(new SubgraphStrategy(vertices: __.has('a', 1))).V()${".out()".repeat(5_000)}`
  ],
  [
    "a plan with partitions",
    `g.withStrategies(new PartitionStrategy(partitionKey: 'p', readPartitions: ['a'])).V()${".out()".repeat(5_000)}`
  ],
  [
    "a plan with partitions of meta-properties",
    `g.withStrategies(new PartitionStrategy(partitionKey: 'p', readPartitions: ['a'], includeMetaProperties: true)).V()${".out().values('a')".repeat(2_500)}`
  ],
  ["a map for mergeV()", "g.mergeV(w).count()", "at most 4096 entries"],
  ["a map for mergeE()", "g.mergeE(w).count()", "at most 4096 entries"],
  ["a map for onCreate", "g.mergeV([a: 1]).option(onCreate, w).count()", "at most 4096 entries"],
  ["a map for onMatch", "g.addV().property('a', 2).mergeV([a: 2]).option(onMatch, w).count()", "at most 4096 entries"],
  ["a map for property()", "g.addV().property(w).count()", "at most 4096 entries"],
  ["a map of very many properties", "g.addV('wide').property(m).count()"],
  ["a map of very many properties that are written later", "g.addV().as('v').property(m).count()"],
  ["what mergeV() is to find", "g.inject(x).limit(local, 30000).unfold().addV('found').count()"],
  ["what mergeV() finds", "g.mergeV([(T.label): 'found']).option(onMatch, [z: 1]).count()"],
  ["a list as a property", "g.addV('list').property('l', x).count()"],
  ["lists as properties that are compared", "g.V().hasLabel('list').has('l', x).count()"],
  ["the answer of a list as a property", "g.V().hasLabel('list')"],
  ["a map as a property", "g.addV('map').property('m', w).count()"],
  ["the answer of a map as a property", "g.V().hasLabel('map')"],
  ["equal lists", "g.inject(x).is(x).count()"],
  ["equal lists of lists", "g.inject([x, x, x]).is([x, x, x]).count()", "at most 1048576 members"],
  ["equal maps", "g.inject(1).constant(w).as('a').constant(w).where(eq('a')).count()", "at most 16384 of a set or map"],
  ["maps in order", "g.inject(w, w).order().count()", "at most 16384 of a set or map"],
  ["a list turned round", "g.inject(x).reverse().count(local)"],
  ["lists in a row", "g.inject(x).combine(x).combine(x).limit(local, 1400000).tail(local, 1300000).count(local)"],
  ["a set and its parts", "g.inject(x).dedup(local).limit(local, 400000).sample(local, 1000).count(local)"],
  ["a map and its parts", "g.inject(w).limit(local, 200000).sample(local, 1000).count(local)"],
  ["traversers that are drawn", "g.with('evaluationTimeout', 1500).inject(x).unfold().sample(1000).count()"],
  ["distinct traversers", "g.inject(x).unfold().dedup().count()"],
  ["a bulk set as a set", "g.inject(x).unfold().aggregate('a').cap('a').dedup(local).count(local)"],
  ["entries of a map", "g.inject(w).unfold().fold().count(local)"],
  ["paths with a list", "g.inject(x).unfold().limit(100000).path().fold().count(local)", "more than"],
  ["the text of doubles", "g.inject(d).asString()", "262144 characters"],
  ["the results of a script", "x"],
  ["a vertex of very many properties", "g.mergeV(m).valueMap().select('k1')"],
  ["the answer of a vertex of very many properties", "g.V().has('k1')"]
]

describe("No large value blocks the event loop", () => {
  // Sequential in one session: some use the variables of others.
  it.each(work.map(([name, gremlin, refusal = null]) => [name, gremlin, refusal] as const))("as %s", async (...row) => {
    const [name, gremlin, refusal] = row
    const client = await session()
    const evaluationTimeout = adding.has(name) ? 30_000 * patience : 1_500
    const turn = await measured.turnOf(async () => {
      const { result, status } = await client.eval(gremlin, { session: "large", evaluationTimeout })
      // The time limit may end the work, on a slow machine more often: only the length of the turn matters then.
      if (status.code === 598 && !adding.has(name)) return
      if (refusal !== null) expect(status.message).toContain(refusal)
      else expect([200, 204], status.message).toContain(status.code)
      if (onAdded.has(name)) {
        expect(status.code).toBe(200)
        expect(result.data).not.toEqual([0])
      }
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })

  it("as a map of very many properties for a step", { retry: 0 }, async () => {
    const client = await session()
    const answer = await client.eval("g.addV().property(m).properties().count()", { session: "large" })
    expect(answer.status.code).toBe(200)
    expect(answer.result.data).toEqual([4_000])
  })

  it("in a body of characters with two bytes and more", async () => {
    const turn = await measured.turnOf(async () => {
      const answer = await post(measured.authority, "x.size()", { bindings: { x: "ä€".repeat(1_900_000) } })
      expect(answer.json?.result.data).toEqual([3_800_000])
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })
})

/** Values and bytecode in GraphBinary. */
const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const bare = (text: string): Buffer => Buffer.concat([int(Buffer.byteLength(text)), Buffer.from(text)])
const typed = (code: number, ...parts: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([Buffer.from([code, 0]), ...parts])
const string = (text: string): Buffer => typed(0x03, bare(text))
const ints = (count: number): Buffer => {
  const bytes = Buffer.alloc(count * 6)
  for (let i = 0; i < count; i++) {
    bytes[i * 6] = 1
    bytes.writeInt32BE(i, i * 6 + 2)
  }
  return bytes
}

interface WireStep {
  readonly operator: string
  readonly count: number
  /** Of all arguments. */
  readonly bytes: Buffer
}

const bytecode = (steps: ReadonlyArray<WireStep>): Buffer => {
  const written = steps.flatMap(({ bytes, count, operator }) => [bare(operator), int(count), bytes])
  return typed(0x15, int(steps.length), Buffer.concat(written), int(0))
}

const none: Buffer = Buffer.alloc(0)
const step = (operator: string, count = 0, bytes: Buffer = none): WireStep => ({ operator, count, bytes })

/** The status code and the whole answer to bytecode in GraphBinary. */
const ask = async (steps: ReadonlyArray<WireStep>): Promise<{ readonly code: number; readonly answer: string }> => {
  const client = await SocketClient.connect(measured.authority)
  client.ws.removeAllListeners("message")
  const aliases = typed(0x0a, int(1), string("g"), string("g"))
  const args = [int(2), string("gremlin"), bytecode(steps), string("aliases"), aliases]
  const id = Buffer.from(randomUUID().replaceAll("-", ""), "hex")
  const message = Buffer.concat([Buffer.from([0x81]), id, bare("bytecode"), bare("traversal"), ...args])
  const answered = new Promise<Buffer>((resolve) => client.ws.once("message", resolve))
  client.ws.send(binaryMessage("application/vnd.graphbinary-v1.0", message))
  const answer = await answered
  client.ws.terminate()
  return { code: answer.readInt32BE(18), answer: answer.toString("latin1") }
}

const MAX_LIST_VALUES = 1_700_000
const repeated = (count: number, bytes: Buffer): Buffer => Buffer.alloc(count * bytes.length, bytes)
const listOf = (count: number, bytes: Buffer): Buffer => typed(0x09, int(count), repeated(count, bytes))
const nothing = Buffer.from([0xfe, 1])
const inject = (value: Buffer): ReadonlyArray<WireStep> => [step("inject", 1, value), step("count")]

describe("No bytecode of ten megabytes in GraphBinary blocks the event loop", () => {
  const labels = Array.from({ length: 1_000 }, (_, i) => string(`s${i}`))
  const messages: ReadonlyArray<readonly [string, ReadonlyArray<WireStep>, string | null]> = [
    [
      "a list",
      [
        step("inject", 1, typed(0x09, int(MAX_LIST_VALUES), ints(MAX_LIST_VALUES))),
        step("count", 1, typed(0x1f, string("local")))
      ],
      null
    ],
    ["a path", inject(typed(0x0e, listOf(700_000, typed(0x0b, int(0))), listOf(700_000, nothing))), null],
    [
      "a graph",
      inject(typed(0x10, int(500_000), repeated(500_000, Buffer.concat([nothing, bare(""), int(0)])), int(0))),
      null
    ],
    ["a text of other letters", inject(string("\u00e9".repeat(4_500_000))), null],
    ["arguments", [step("inject", MAX_LIST_VALUES, ints(MAX_LIST_VALUES)), step("count")], "at most 100000 arguments"],
    [
      "labels",
      [step("V"), step("out", 900_000, Buffer.concat(Array.from({ length: 900 }, () => Buffer.concat(labels))))],
      "at most 100000 arguments"
    ],
    ["steps", [step("V"), ...Array.from({ length: 19_000 }, () => step("out"))], null],
    ["children", [step("V"), ...Array.from({ length: 6_000 }, () => step("where", 1, bytecode([step("out")])))], null],
    [
      "more steps than the limit",
      [step("V"), ...Array.from({ length: 900_000 }, () => step("out"))],
      "at most 20000 steps"
    ]
  ]
  it.each(messages)("with %s", async (_, steps, refusal) => {
    const turn = await measured.turnOf(async () => {
      const { answer, code } = await ask(steps)
      if (refusal === null) expect([200, 204, 206]).toContain(code)
      else expect(answer).toContain(refusal)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })
})
