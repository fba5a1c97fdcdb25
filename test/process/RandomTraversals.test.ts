import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { text } from "../../src/structure/texts/Text.ts"
import { LaterGraph } from "../storage/LaterGraph.ts"
import { reference } from "./Reference.ts"
import { bytecodeOf, results, runLater, toy } from "./run.ts"
import { steps } from "./Traversals.ts"

const without =
  "withoutStrategies(IdentityRemovalStrategy, IncidentToAdjacentStrategy, InlineFilterStrategy, LazyBarrierStrategy, EarlyLimitStrategy, " +
  "FilterRankingStrategy, PathRetractionStrategy)"

describe("A random traversal", () => {
  it("has the results and the order of the reference if paths prevent merging", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: true, depth: 2 }), (inner) => {
        const script = `g.V().${inner}.path()`
        expect(results(toy(), script)).toEqual(reference(toy(), bytecodeOf(script)))
      }),
      { numRuns: 80 }
    )
  })

  it("has the results of the reference in any order if equal traversers merge", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: false, depth: 2 }), (inner) => {
        const script = `g.V().${inner}`
        expect(results(toy(), script).sort()).toEqual(reference(toy(), bytecodeOf(script)).sort())
      }),
      { numRuns: 80 }
    )
  })

  it("has the count of the reference if the order is not observable", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: false, depth: 2 }), (inner) => {
        const script = `g.V().${inner}.count()`
        expect(results(toy(), script)).toEqual(reference(toy(), bytecodeOf(script)))
      }),
      { numRuns: 60 }
    )
  })

  it("has the same results without the optimization strategies", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: false, depth: 2 }), (inner) => {
        const plain = results(toy(), `g.${without}.V().${inner}`).sort()
        expect(results(toy(), `g.V().${inner}`).sort()).toEqual(plain)
      }),
      { numRuns: 40 }
    )
  })

  it("has the same results in the same order with a store that answers later", async () => {
    const later = new LaterGraph(toy())
    await FastCheck.assert(
      FastCheck.asyncProperty(steps({ ordered: true, depth: 2 }), async (inner) => {
        const script = `g.V().${inner}`
        const answered = await runLater(later, script, { as: text })
        expect(answered).toEqual(results(toy(), script))
      }),
      { numRuns: 40 }
    )
  })
})

it("A count by label has the same result with a store that answers later", async () => {
  for (const script of [
    "g.V().groupCount().by(T.label)",
    "g.E().groupCount().by(T.label)",
    "g.V().hasLabel('x').count()"
  ]) {
    expect(await runLater(new LaterGraph(toy()), script, { as: text })).toEqual(results(toy(), script))
  }
})
