import type { StaticImports } from "./StaticImports.ts"

/** How one script is parsed: its limits and its language. */
export interface ParseOptions {
  /** Levels that brackets, traversals and operators may nest. Default {@link DEFAULT_DEPTH_LEVELS}. */
  readonly maximumDepth?: number
  /** Whether steps take closures. Default true. */
  readonly allowsClosures?: boolean
  /** Static methods of Java that the script calls without their class, such as `sqrt(16)`. Default none. */
  readonly imports?: StaticImports
  /**
   * The language that the request names. Both are parsed alike, with two exceptions. Where a step takes a value or a closure that makes
   * it, as `withSack({1})` does, braces around one value are the set of gremlin-lang and the closure of Groovy. `"$name"` in an argument
   * of a step is a text in gremlin-lang if no variable has this name, and always a variable in Groovy. Default gremlin-groovy.
   */
  readonly language?: string | undefined
}

/** Levels of nesting that a script may have without another limit. */
export const DEFAULT_DEPTH_LEVELS = 500

/** Items that all ranges of one script may have together: otherwise a range of a few characters could fill the memory. */
export const MAX_RANGE_ITEMS = 1_000_000
