import type { Budget } from "./Budget.ts"
import type { PatternMatch, ScriptPattern } from "./Patterns.ts"

/** Maximum number of matches that one operation finds. */
const MAX_MATCHES = 100_000

/** The value of `text =~ pattern`: the matches of a text, which the first use finds. */
export class ScriptMatcher {
  readonly text: string
  readonly pattern: ScriptPattern
  #matches: readonly PatternMatch[] | undefined
  /** Index of the match of the last find(). */
  at = -1
  constructor(text: string, pattern: ScriptPattern) {
    this.text = text
    this.pattern = pattern
  }
  get found(): boolean {
    return this.#matches === undefined ? this.pattern.compiled.test(this.text) : this.#matches.length > 0
  }
  matches(budget: Budget): readonly PatternMatch[] {
    if (this.#matches === undefined) {
      this.#matches = this.pattern.compiled.all(this.text, MAX_MATCHES)
      budget.spend(this.#matches.length, "finding matches")
    }
    return this.#matches
  }
}
