import type { HostCall } from "../../HostCall.ts"
import type { Budget } from "../budget/Budget.ts"
import { OperandError } from "../values/OperandErrors.ts"
import type { PatternMatch, ScriptPattern } from "../values/Patterns.ts"

/** Maximum number of matches that one operation finds. */
const MAX_MATCHES = 100_000

/**
 * A search for all matches that takes no more steps than this, about 2 ms, does not pause. Each match may read the rest of the text, which
 * takes at most as many steps as the pattern has states for each character.
 */
const UNPAUSED_STEPS = 50_000

/** 32 characters of a text count as one item when a match may read the rest of the text. */
export const CHARS_PER_ITEM_SHIFT = 5

/** The value of `text =~ pattern`: the matches of a text, which the first use finds. */
export class ScriptMatcher {
  readonly text: string
  readonly pattern: ScriptPattern
  #matches: readonly PatternMatch[] | undefined
  /** The first matches, and what finds the next one, while the others are not found yet. */
  readonly #first: Array<PatternMatch> = []
  #finder: (() => PatternMatch | undefined) | undefined
  /** Index of the match of the last find(); -1 before the first one. */
  #at = -1
  /** The match of matches(), which the groups belong to until the next find(); null if the text does not match as a whole. */
  #whole: PatternMatch | null | undefined
  constructor(text: string, pattern: ScriptPattern) {
    this.text = text
    this.pattern = pattern
  }
  get [Symbol.toStringTag](): string {
    return "Matcher"
  }
  /** Goes to the next match, as in Groovy, where a matcher is true if find() is. Cannot pause, so that it finds no other match. */
  get found(): boolean {
    this.goTo(this.#at + 1)
    if (this.#matches !== undefined) return this.#at < this.#matches.length
    if (this.#at === 0) return this.pattern.compiled.test(this.text)
    const next = this.#next(this.text)
    while (this.#first.length <= this.#at) {
      if (this.#first.length < MAX_MATCHES && next() !== undefined) continue
      this.#matches = this.#first
      return false
    }
    return true
  }
  /** A function that finds the next match and adds it to the first ones. */
  #next(text: string): () => PatternMatch | undefined {
    this.#finder ??= this.pattern.compiled.finder(text)
    return () => {
      const match = this.#finder!()
      if (match !== undefined) this.#first.push(match)
      return match
    }
  }
  /** The number of matches, `matcher.count`. As in Groovy, the matcher is behind the last one afterwards. */
  get count(): number {
    this.#matches ??= this.pattern.compiled.all(this.text, MAX_MATCHES)
    this.goTo(this.#matches.length)
    return this.#matches.length
  }
  /** Goes to the next match. False after the last one. */
  next(budget: Budget): boolean {
    this.goTo(this.#at + 1)
    return this.#at < this.matches(budget).length
  }
  /** Goes to the match at an index: before the first one with -1, and behind the last one with the number of matches. */
  goTo(at: number): void {
    this.#at = at
    this.#whole = undefined
  }
  /** The match at an index, to which the matcher goes; undefined outside of the matches. A negative index counts from the end. */
  matchAt(index: number, budget: Budget): PatternMatch | undefined {
    const matches = this.matches(budget)
    this.goTo(index < 0 ? index + matches.length : index)
    return matches[this.#at]
  }
  /** Matches the whole text. As in Java, the next find() continues behind it. */
  matchesWhole(budget: Budget): boolean {
    const whole = this.pattern.compiled.whole(budget.whole(this.text))
    if (whole !== undefined) {
      const behind = this.matches(budget).findIndex(({ start }) => start === this.text.length && start > 0)
      this.#at = (behind < 0 ? this.matches(budget).length : behind) - 1
    }
    this.#whole = whole ?? null
    return whole !== undefined
  }
  /** The match to which the groups belong. Fails with OperandError before a match is found. */
  current(budget: Budget): PatternMatch {
    const match = this.#whole === undefined ? this.matches(budget)[this.#at] : this.#whole
    if (match === undefined || match === null) {
      throw new OperandError(
        "no match is found: call find() or matches() first, and use the groups if it is true",
        "IllegalStateException",
        "No match found"
      )
    }
    return match
  }
  /** Finds all matches, with pauses if that takes long. Then {@link matches} has them. */
  *find(budget: Budget): Generator<HostCall, readonly PatternMatch[], unknown> {
    const { text } = this
    const steps = text.length * text.length * this.pattern.compiled.states
    if (this.#matches !== undefined || steps <= UNPAUSED_STEPS) return this.matches(budget)
    const next = this.#next(budget.whole(text))
    for (let match = next(); match !== undefined && this.#first.length < MAX_MATCHES; match = next()) {
      // A match may read the rest of the text.
      budget.spend((text.length - match.end) >> CHARS_PER_ITEM_SHIFT, "finding matches")
      if (budget.isSliceOver) yield { kind: "pause" }
    }
    this.#matches = this.#first
    return this.#first
  }
  matches(budget: Budget): readonly PatternMatch[] {
    if (this.#matches === undefined) {
      this.#matches = this.pattern.compiled.all(this.text, MAX_MATCHES)
      budget.spend(this.#matches.length, "finding matches")
    }
    return this.#matches
  }
}
