import type { Call } from "../syntax/Traversal.ts"
import type { Made, Scope } from "./Scope.ts"
import type { Type } from "./Types.ts"

/** A rule that appends steps: the types it accepts, its weight among the rules, and a function that draws the steps. */
export interface Rule {
  readonly weight: number
  readonly fits: (type: Type, scope: Scope) => boolean
  readonly make: (scope: Scope, type: Type) => Made
}

export const rule = (weight: number, fits: Rule["fits"], make: Rule["make"]): Rule => ({ weight, fits, make })

/** Calls, and the type of their results. */
export const made = (type: Type, ...calls: ReadonlyArray<Call>): Made => ({ calls, type })

/** A test that is true if the depth allows a nested traversal and the incoming type fits. */
export const nesting =
  (fits: (type: Type, scope: Scope) => boolean): Rule["fits"] =>
  (type, scope) =>
    scope.depth > 0 && fits(type, scope)

/** Types that a wild choice assumes for the incoming values. */
const mistaken = ["vertex", "edge", "vertexProperty", "string", "number", "date", "path"] as const

/** Rules with cumulative weights, so that one pass draws a rule. */
export class Rules {
  readonly #rules: ReadonlyArray<Rule>

  constructor(rules: ReadonlyArray<Rule>) {
    this.#rules = rules
  }

  /** Draws a rule that fits the type. With probability `scope.wild`, the rule fits another type. */
  draw(scope: Scope, type: Type): Rule {
    const assumed: Type = scope.chance(scope.wild) ? { kind: scope.one(mistaken) } : type
    const fitting = this.#rules.filter(({ fits }) => fits(assumed, scope))
    let left = scope.random.next() * fitting.reduce((sum, { weight }) => sum + weight, 0)
    for (const one of fitting) {
      left -= one.weight
      if (left < 0) return one
    }
    return fitting[fitting.length - 1]!
  }
}
