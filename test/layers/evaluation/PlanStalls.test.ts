import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

const measured = measuredServer()

const times = (count: number, text: (at: number) => string, separator = ""): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(separator)

/** Nested traversals. */
const nested = (depth: number, operator: string, inner: string): string =>
  `__.${operator}(`.repeat(depth) + inner + ")".repeat(depth)

const terms = `_${"+_".repeat(3_999)}`
const subgraph = (criteria: string): string => `g.withStrategies(new SubgraphStrategy(${criteria}))`
const partition = (more: string): string =>
  `g.withStrategies(new PartitionStrategy(partitionKey: 'p', writePartition: 'a', ${more}))`

/** Scripts that take long to plan, and the text of their refusal (undefined = not refused). */
const scripts: ReadonlyArray<readonly [what: string, script: () => string, refused?: string]> = [
  ["a hundred long math() expressions", () => `g.inject(1)${`.math('${terms}')`.repeat(100)}`],
  ["identity() in a row", () => `g.V()${".identity()".repeat(19_900)}`],
  ["walks by way of edges", () => `g.V()${".outE().inV()".repeat(9_900)}`],
  ["V() with hasId() behind it", () => `g${".V().hasId(1)".repeat(9_900)}`],
  ["steps that read two labels", () => `g.V().as('a')${".select('a', 'b')".repeat(19_000)}`],
  ["functions before limit()", () => `g.V()${".id()".repeat(9_900)}${".limit(5)".repeat(9_900)}`],
  ["filters behind order()", () => `g.V()${".order()".repeat(9_900)}${".is(1)".repeat(9_900)}`],
  ["drop() in a row", () => `g.V()${".values('a')".repeat(9_900)}${".drop()".repeat(9_900)}`],
  [
    "labels that are read before a change",
    () => `g.V().as('a')${".both().as('b').select('a')".repeat(6_000)}.addV('x')`
  ],
  ["barriers in a row", () => `g.V()${".count()".repeat(19_900)}`],
  ["and() of thousands", () => `g.V().and(${times(9_000, () => "__.out()", ",")})`],
  ["or() of thousands of has()", () => `g.V().or(${times(9_000, (at) => `__.has('a',${at})`, ",")})`],
  ["union() of thousands", () => `g.V().union(${times(9_000, () => "__.out()", ",")})`],
  ["coalesce() of thousands", () => `g.V().coalesce(${times(9_000, () => "__.out()", ",")})`],
  ["thousands joined by and() and or()", () => `g.V()${".out().and().out().or()".repeat(4_000)}.out()`],
  ["match() of thousands", () => `g.V().match(${times(4_500, (at) => `__.as('a${at}').out().as('a${at + 1}')`, ",")})`],
  [
    "choose() with thousands of options",
    () => `g.V().choose(__.id())${times(6_500, (at) => `.option(${at},__.out())`)}`
  ],
  ["thousands of by()", () => `g.V().order()${".by('a')".repeat(19_000)}`],
  ["thousands of by(traversal)", () => `g.V().order()${".by(__.out())".repeat(6_500)}`],
  [
    "a repeat() whose body reads many labels",
    () => `g.V().as('a').repeat(__${times(3_000, (at) => `.out().as('b${at}').select('b${at}')`)})`
  ],
  [
    "a repeat() whose body drops too many labels",
    () => `g.V().as('a').repeat(__${times(3_000, (at) => `.map(__.select('b${at}')).select('a')`)})`,
    "Use fewer labels"
  ],
  ["deep children", () => `g.V()${times(50, () => `.where(${nested(120, "where", "__.out()")})`)}`],
  ["deep loops", () => `g.V()${times(50, () => `.repeat(${nested(120, "repeat", "__.out()")})`)}`],
  ["deep branches", () => `g.V()${times(50, () => `.union(${nested(120, "union", "__.out()")})`)}`],
  ["a criterion of SubgraphStrategy", () => `${subgraph("vertices: __.has('a', 1)")}.V()${".out()".repeat(9_000)}`],
  [
    "a long criterion of SubgraphStrategy",
    () => `${subgraph(`vertices: __${".where(__.out())".repeat(6_000)}`)}.V().out()`
  ],
  [
    "criteria that make too many steps",
    () => `${subgraph("vertices: __.has('a', 1), edges: __.has('b', 1)")}.V()${".out()".repeat(19_000)}`,
    "at most 40000 steps"
  ],
  [
    "SubgraphStrategy over by()",
    () => `${subgraph("vertexProperties: __.has('a', 1)")}.V().order()${".by('a')".repeat(9_000)}`
  ],
  [
    "PartitionStrategy with many partitions",
    () => `${partition(`readPartitions: [${times(10_000, (at) => `'${at}'`, ",")}]`)}.V()${".out()".repeat(9_000)}`
  ],
  [
    "ProductiveByStrategy over by()",
    () => `g.withStrategies(ProductiveByStrategy).V().order()${".by('a')".repeat(19_000)}`
  ],
  ["explain() of thousands of steps", () => `g.V()${".where(__.out())".repeat(1_300)}.explain()`],
  ["explain() of thousands of arguments", () => `g.V().hasLabel(${times(90_000, (at) => `'${at}'`, ",")}).explain()`],
  ["profile() of thousands of steps", () => `g.V()${".where(__.out())".repeat(6_000)}.profile()`],
  ["very many labels", () => `g.V().as(${times(90_000, (at) => `'${at}'`, ",")})${".is(1)".repeat(9_000)}`],
  ["very many keys", () => `g.V().valueMap(${times(90_000, (at) => `'${at}'`, ",")})`]
]

describe("No script blocks the event loop while it is planned:", () => {
  for (const [what, script, refused] of scripts) {
    it(what, async () => {
      const gremlin = script()
      const turn = await measured.turnOf(async (serial) => {
        // Plans are cached: a repeated request needs a new one.
        const answer = await post(measured.authority, gremlin.replace(/^g\./, `g.withSideEffect('x${serial}', 0).`))
        if (refused === undefined) expect([answer.status, answer.json?.message]).toEqual([200, undefined])
        else expect(answer.json?.message).toContain(refused)
      })
      expect(turn).toBeLessThan(LONGEST_TURN_MS)
    })
  }
})

type Step = readonly [operator: string, ...args: ReadonlyArray<unknown>]

const traversal = (...step: ReadonlyArray<Step>): unknown => ({ "@type": "g:Bytecode", "@value": { step } })
const rows = <A>(count: number, row: (at: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, at) => row(at))

const bytecode: ReadonlyArray<readonly [what: string, steps: () => ReadonlyArray<Step>, refused?: string]> = [
  ["union() of thousands", () => [["V"], ["union", ...rows(9_000, () => traversal(["out"]))]]],
  ["a list of very many lists", () => [["inject", rows(600_000, () => [])], ["count"]]],
  ["math() expressions", () => [["inject", 1], ...rows(100, (): Step => ["math", terms])]],
  ["an unknown step with very many arguments", () => [["V"], ["nothing", ...rows(90_000, (at) => at)]], "Integer, ..."]
]

describe("No bytecode blocks the event loop while it is planned:", () => {
  for (const [what, steps, refused] of bytecode) {
    it(what, async () => {
      const step = steps()
      const turn = await measured.turnOf(async (serial) => {
        const source = [["withSideEffect", `x${serial}`, 0]]
        const gremlin = { "@type": "g:Bytecode", "@value": { source, step } }
        const client = await SocketClient.connect(measured.authority)
        const { status } = await client.answer(client.send("bytecode", "traversal", { gremlin, aliases: { g: "g" } }))
        if (refused === undefined) expect([200, 204]).toContain(status.code)
        else expect(status.message).toContain(refused)
        client.ws.terminate()
      })
      expect(turn).toBeLessThan(LONGEST_TURN_MS)
    })
  }
})
