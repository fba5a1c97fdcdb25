import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Step } from "../../../src/process/plan/Step.ts"
import { filtering, type StepTraits, scalar } from "../../../src/process/plan/StepTraits.ts"
import { prepare } from "../run.ts"
import { steps } from "../Traversals.ts"

const traitsOf = (script: string): ReadonlyArray<readonly [string, StepTraits]> => {
  const found: Array<readonly [string, StepTraits]> = []
  prepare(script).compiled.traversal.visit((step) => found.push([step.name, step.traits]))
  return found
}

describe("The traits of a step", () => {
  it("are all required", () => {
    const { access: _, ...rest } = scalar
    // @ts-expect-error a field is left out
    const incomplete: StepTraits = rest
    // @ts-expect-error a field of the kind is left out
    const filter: StepTraits = filtering({ filter: "plain", rank: 1, labels: "none" })
    // @ts-expect-error a step without traits
    class Undescribed extends Step {
      readonly operator = "undescribed"
      readonly name = "UndescribedStep"
      override reads(): null {
        return null
      }
      override run(): undefined {}
    }
    // @ts-expect-error a step that does not declare its reads
    class Unread extends Step {
      readonly operator = "unread"
      readonly name = "UnreadStep"
      readonly traits = scalar
      override run(): undefined {}
    }
    expect([incomplete, filter, Undescribed, Unread]).toHaveLength(4)
  })

  it("declare for every step with children how it uses them", () => {
    FastCheck.assert(
      FastCheck.property(steps({ ordered: false, depth: 2 }), (inner) => {
        prepare(`g.V().${inner}`).compiled.traversal.visit((step) => {
          const { children } = step.traits
          if (step.globalChildren().length > 0)
            expect([step.name, children]).toMatchObject([step.name, /branches|loop/])
          else if (step.localChildren().length > 0) expect([step.name, children]).not.toEqual([step.name, "none"])
        })
      }),
      { numRuns: 60 }
    )
  })

  it("depend on the arguments of the step", () => {
    expect(traitsOf("g.V().outE()")[1]![1].results).toBe("perRow")
    expect(traitsOf("g.V().out()")[1]![1].results).toBe("many")
    expect(traitsOf("g.V().group()")[1]![1]).toMatchObject({ work: "collects", answersEmpty: true, keepsObject: false })
    expect(traitsOf("g.V().group('x')")[1]![1]).toMatchObject({ work: "acts", answersEmpty: false, keepsObject: true })
    expect(traitsOf("g.V().sack()")[1]![1].scout).toBe("runs")
    expect(traitsOf("g.V().sack(Operator.assign).by('age')")[1]![1].scout).toBe("passes")
  })

  it("of where() depend on the labels at the ends of its traversal, at any depth", () => {
    const rankOf = (script: string): number =>
      traitsOf(script).find(([name]) => name === "TraversalFilterStep")?.[1].rank ?? -1
    expect(rankOf("g.V().as('a').where(__.out())")).toBe(4)
    expect(rankOf("g.V().as('a').where(__.as('a').out())")).toBe(5)
    expect(rankOf("g.V().as('a').where(__.and(__.not(__.as('a').out()), __.in()).out())")).toBe(5)
  })

  it("declare the access of a step to the outside", () => {
    expect(traitsOf("g.addV().property('a', 1)")[0]![1].access).toBe("writes")
    expect(traitsOf("g.io('f').read()")[0]![1].access).toBe("writes")
    expect(traitsOf("g.io('f').write()")[0]![1].access).toBe("files")
    expect(traitsOf("g.call('--list')")[0]![1].access).toBe("services")
    expect(traitsOf("g.V().out()").every(([, { access }]) => access === "reads")).toBe(true)
  })
})
