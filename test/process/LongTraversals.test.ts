import { describe, expect, it } from "vitest"
import { translate } from "../../src/gremlin/Translator.ts"
import { Planner } from "../../src/process/compiler/Planner.ts"
import { gremlin } from "../../src/process/Gremlin.ts"
import { bytecodeOf, prepare, run, toy } from "./run.ts"

const STEPS = 10_000

/** Texts that are repeated, with their number of steps. */
const chains: ReadonlyArray<readonly [steps: number, text: string]> = [
  [1, ".identity()"],
  [1, ".both('knows')"],
  [1, ".has('age', 1)"],
  [2, ".outE().inV()"],
  [2, ".order().has('age', 1)"],
  [2, ".dedup().is(P.neq(null))"],
  [2, ".id().limit(5)"],
  [2, ".as('a').select('a')"],
  [3, ".as('a').out().as('b').where('a', P.neq('b'))"],
  [2, ".where(__.out())"],
  [1, ".property('age', 1)"],
  [3, ".union(__.out(), __.in())"],
  [2, ".local(__.aggregate('x'))"]
]

describe("A traversal of more than 20,000 steps is refused", () => {
  it.each([
    ["on its main line", () => `g.V(99)${".out()".repeat(20_000)}`],
    ["in its children", () => `g.V(99)${".where(__.out().in())".repeat(5_001)}`],
    ["in the modulators of one", () => `g.V(99).order()${".by('age')".repeat(20_000)}`],
    ["with its predicates", () => `g.V(99).has('age', P.eq(1)${".or(P.eq(2))".repeat(20_000)})`]
  ])("%s", (_, text) => {
    expect(() => prepare(bytecodeOf(text()))).toThrow("at most 20000 steps and predicates")
  })

  it("with the members of its variables", () => {
    const many = Array.from({ length: 1_000_000 }, () => 1)
    const bytecode = bytecodeOf(`g.inject(${Array(9).fill("x").join(", ")})`)
    const planner = new Planner(gremlin, { cacheSize: 10 })
    const plan = (x: unknown) => planner.prepare(bytecode, new Map([["x", x]]), { instructions: [] })
    expect(() => plan(many)).toThrow("at most 4000000 members")
    expect(() => plan([1])).not.toThrow()
  })
})

describe("A traversal of 10,000 steps", () => {
  for (const [steps, text] of chains) {
    it(`is translated, compiled, shown and run: ${text}`, () => {
      const bytecode = bytecodeOf(`g.V(99)${text.repeat(STEPS / steps)}`)
      expect(bytecodeOf(translate(bytecode))).toEqual(bytecode)
      expect(String(prepare(bytecode).compiled.traversal).length).toBeGreaterThan(10)
      expect(() => run(toy(), bytecode)).not.toThrow()
    })
  }

  it("is compiled in linear time", () => {
    // The best CPU time of three, in which as many steps are compiled. It does not depend on other processes.
    const time = (steps: number): number => {
      const bytecode = bytecodeOf(`g.V(99)${".both('knows').has('age', 1).dedup().is(P.neq(null))".repeat(steps / 4)}`)
      const times = [1, 2, 3].map(() => {
        const before = process.cpuUsage()
        for (let i = 0; i < STEPS / steps; i++) prepare(bytecode)
        const { system, user } = process.cpuUsage(before)
        return system + user
      })
      return Math.min(...times)
    }
    time(1000)
    // Linear time would be the same, quadratic time 10 times as long.
    expect(time(STEPS)).toBeLessThan(6 * time(1000))
  })
})
