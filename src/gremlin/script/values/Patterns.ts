/** One match of a pattern: the whole match first, then its groups; null for a group that took no part. */
export interface PatternMatch {
  readonly start: number
  readonly end: number
  readonly groups: ReadonlyArray<string | null>
}

/** A compiled regular expression. All of its methods take time linear in the text, and fail for a text that is too long. */
interface CompiledPattern {
  /** Number of its states. The time of one match is at most proportional to states times characters. */
  readonly states: number
  /** True when the pattern matches anywhere. */
  test(text: string): boolean
  /** True when the pattern matches the whole text. */
  testWhole(text: string): boolean
  /** The match of the whole text; undefined without one. */
  whole(text: string): PatternMatch | undefined
  /** A function that finds the next match at each call; undefined after the last one. */
  finder(text: string): () => PatternMatch | undefined
  /** All matches, at most `most`. Fails if finding them takes too long. */
  all(text: string, most: number): readonly PatternMatch[]
}

/** Compiles a pattern with Java's syntax. The host gives it to the scope. */
export type PatternCompiler = (pattern: string) => CompiledPattern

/** A pattern as a value of a script, such as `~/a+/`. */
export class ScriptPattern {
  readonly source: string
  readonly compiled: CompiledPattern
  constructor(source: string, compiled: CompiledPattern) {
    this.source = source
    this.compiled = compiled
  }
  get [Symbol.toStringTag](): string {
    return "Pattern"
  }
  matches(text: string): boolean {
    return this.compiled.testWhole(text)
  }
  toString(): string {
    return this.source
  }
}
