import { describe, expect, it } from "vitest"
import { steps } from "../../src/process/language/StepSignatures.ts"
import { bytecodeOf } from "../process/run.ts"
import { type Case, caseOf } from "./generate/Case.ts"
import { scriptOf, shown } from "./syntax/Text.ts"
import { allCalls } from "./syntax/Traversal.ts"

const cases = (count: number): ReadonlyArray<Case> => Array.from({ length: count }, (_, number) => caseOf(7, number))

/** Steps without cases: they need files, services or the clock, or another test compares them. */
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
/** Names that the reference does not have: those of JanusGraph, and of TinkerPop before 3.8. */
const foreign = ["store", "iterate", "none"]

describe("The generator of the differential fuzzer", () => {
  it("returns the same case for the same seed and number", () => {
    expect(cases(50).map(({ traversal }) => shown(traversal))).toEqual(
      cases(50).map(({ traversal }) => shown(traversal))
    )
    expect(shown(caseOf(8, 3).traversal)).not.toBe(shown(caseOf(7, 3).traversal))
  })

  it("returns scripts that the parser accepts", () => {
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

  it("uses every step of the language except a list of names", () => {
    const used = new Set(cases(10_000).flatMap(({ traversal }) => allCalls(traversal.steps).map(({ name }) => name)))
    const missing = [...steps.keys()].filter(
      (name) => !used.has(name) && !left.includes(name) && !foreign.includes(name)
    )
    expect(missing).toEqual([])
  })
})
