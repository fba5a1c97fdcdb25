import type { Call } from "../syntax/Traversal.ts"
import type { Made, Scope } from "./Scope.ts"
import type { Type } from "./Types.ts"

/** A way to go on: what it is for, how often it is chosen among others, and the steps it adds. */
export interface Rule {
  readonly weight: number
  readonly fits: (type: Type, scope: Scope) => boolean
  readonly make: (scope: Scope, type: Type) => Made
}

export const rule = (weight: number, fits: Rule["fits"], make: Rule["make"]): Rule => ({ weight, fits, make })

/** Calls after which values of a type flow. */
export const made = (type: Type, ...calls: ReadonlyArray<Call>): Made => ({ calls, type })

/** True where traversals may still be nested, and what comes in fits. */
export const nesting =
  (fits: (type: Type, scope: Scope) => boolean): Rule["fits"] =>
  (type, scope) =>
    scope.depth > 0 && fits(type, scope)

/** What a wild choice takes the incoming values for. */
const mistaken = ["vertex", "edge", "vertexProperty", "string", "number", "date", "path"] as const

/** Rules with a sum of weights each, to draw one in a single pass. */
export class Rules {
  readonly #rules: ReadonlyArray<Rule>

  constructor(rules: ReadonlyArray<Rule>) {
    this.#rules = rules
  }

  /** One of the rules that fit, or, as often as the scope is wild, one that fits something else. */
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
