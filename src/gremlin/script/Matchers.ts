import type { HostCall } from "../Scope.ts"
import type { Budget } from "./Budget.ts"
import type { PatternMatch, ScriptPattern } from "./Patterns.ts"

/** Maximum number of matches that one operation finds. */
const MAX_MATCHES = 100_000

/** In a text of this length and more, the search for all matches pauses. */
export const PAUSED_CHARS = 4_096

/** 32 characters of a text count as one item when a match may read the rest of the text. */
export const CHARS_PER_ITEM_SHIFT = 5

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
  /** Finds all matches in a long text, with pauses. Then {@link matches} has them. */
  *find(budget: Budget): Generator<HostCall, readonly PatternMatch[], unknown> {
    const { text } = this
    if (this.#matches !== undefined || text.length < PAUSED_CHARS) return this.matches(budget)
    const next = this.pattern.compiled.finder(budget.whole(text))
    const found: Array<PatternMatch> = []
    for (let match = next(); match !== undefined && found.length < MAX_MATCHES; match = next()) {
      found.push(match)
      // A match may read the rest of the text.
      budget.spend((text.length - match.end) >> CHARS_PER_ITEM_SHIFT, "finding matches")
      if (budget.isSliceOver) yield { kind: "pause" }
    }
    this.#matches = found
    return found
  }
  matches(budget: Budget): readonly PatternMatch[] {
    if (this.#matches === undefined) {
      this.#matches = this.pattern.compiled.all(this.text, MAX_MATCHES)
      budget.spend(this.#matches.length, "finding matches")
    }
    return this.#matches
  }
}
