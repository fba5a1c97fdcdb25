import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { text } from "../../src/structure/Text.ts"
import { LaterGraph } from "../storage/LaterGraph.ts"
import { reference } from "./Reference.ts"
import { bytecodeOf, results, runLater, toy } from "./run.ts"
import { steps } from "./Traversals.ts"

const without =
  "withoutStrategies(IdentityRemovalStrategy, IncidentToAdjacentStrategy, InlineFilterStrategy, LazyBarrierStrategy, EarlyLimitStrategy, " +
  "FilterRankingStrategy, PathRetractionStrategy)"

describe("random traversals", () => {
  it("give what one traverser after the other gives, in its order, where paths keep traversers apart", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: true, depth: 2 }), (inner) => {
        const script = `g.V().${inner}.path()`
        expect(results(toy(), script)).toEqual(reference(toy(), bytecodeOf(script)))
      }),
      { numRuns: 80 }
    )
  })

  it("give the same where equal traversers are merged, in some order", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: false, depth: 2 }), (inner) => {
        const script = `g.V().${inner}`
        expect(results(toy(), script).sort()).toEqual(reference(toy(), bytecodeOf(script)).sort())
      }),
      { numRuns: 80 }
    )
  })

  it("count the same where nobody can tell the order", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: false, depth: 2 }), (inner) => {
        const script = `g.V().${inner}.count()`
        expect(results(toy(), script)).toEqual(reference(toy(), bytecodeOf(script)))
      }),
      { numRuns: 60 }
    )
  })

  it("give the same without the strategies that only make them faster", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: false, depth: 2 }), (inner) => {
        const plain = results(toy(), `g.${without}.V().${inner}`).sort()
        expect(results(toy(), `g.V().${inner}`).sort()).toEqual(plain)
      }),
      { numRuns: 40 }
    )
  })

  it("give the same, in the same order, on a store that answers later", async () => {
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

it("labels are counted on a store that answers later, too", async () => {
  for (const script of [
    "g.V().groupCount().by(T.label)",
    "g.E().groupCount().by(T.label)",
    "g.V().hasLabel('x').count()"
  ]) {
    expect(await runLater(new LaterGraph(toy()), script, { as: text })).toEqual(results(toy(), script))
  }
})
