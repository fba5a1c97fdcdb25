import { describe, expect, it } from "vitest"
import { steps } from "../../src/gremlin/parser/Steps.ts"
import { bytecodeOf } from "../process/run.ts"
import { type Case, caseOf } from "./generate/Case.ts"
import { scriptOf, shown } from "./syntax/Text.ts"
import { allCalls } from "./syntax/Traversal.ts"

const cases = (count: number): ReadonlyArray<Case> => Array.from({ length: count }, (_, number) => caseOf(7, number))

/** Steps that no case has: they need files, services or the clock, or another test compares them. */
const left = [
  "io",
  "read",
  "write",
  "call",
  "timeLimit",
  "profile",
  "program",
  "option",
  "with",
  "times",
  "until",
  "emit"
]
/** Names of TinkerPop 3.7 and before, and of JanusGraph, which the reference does not know. */
const foreign = ["store", "iterate", "none"]

describe("the generator of the differential fuzzer", () => {
  it("gives the same case for the same seed and number", () => {
    expect(cases(50).map(({ traversal }) => shown(traversal))).toEqual(
      cases(50).map(({ traversal }) => shown(traversal))
    )
    expect(shown(caseOf(8, 3).traversal)).not.toBe(shown(caseOf(7, 3).traversal))
  })

  it("writes scripts that the language has", () => {
    const scripts = cases(2_000).filter(({ language }) => language === "script")
    expect(scripts.length).toBeGreaterThan(1_000)
    const refused = scripts.flatMap(({ traversal }) => {
      const script = scriptOf(traversal)
      try {
        bytecodeOf(script)
        return []
      } catch (error) {
        return [`${script}: ${(error as Error).message}`]
      }
    })
    expect(refused).toEqual([])
  })

  it("uses every step of the language but those that it leaves out by name", () => {
    const used = new Set(cases(10_000).flatMap(({ traversal }) => allCalls(traversal.steps).map(({ name }) => name)))
    const missing = [...steps.keys()].filter(
      (name) => !used.has(name) && !left.includes(name) && !foreign.includes(name)
    )
    expect(missing).toEqual([])
  })
})
