import type { ClosureUse } from "../../plan/Language.ts"

/**
 * The operators that take closures. TinkerPop's Function<Traverser> and Predicate<Traverser> get the traverser, and its other
 * functions get the object.
 */
export const closureUses: ReadonlyMap<string, ClosureUse> = new Map<string, ClosureUse>([
  ["branch", "traverser"],
  ["by", "key"],
  ["choose", "object"],
  ["emit", "traverser"],
  ["filter", "traverser"],
  ["flatMap", "traverser"],
  ["fold", "own"],
  ["map", "traverser"],
  ["sack", "own"],
  ["sideEffect", "traverser"],
  ["until", "traverser"]
])
