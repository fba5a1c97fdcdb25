import { searchComparisons } from "../../process/language/Predicate.ts"
import { callTable } from "../../process/language/Signatures.ts"

/** Methods of a traversal source that begin a traversal. */
export const spawns: ReadonlySet<string> = new Set([
  "V",
  "E",
  "addV",
  "addE",
  "mergeV",
  "mergeE",
  "inject",
  "io",
  "call",
  "union"
])

/** Methods of graphs alone. Whether `g` has them is known when the script runs: an alias of its request may name a graph `g`. */
export const graphNames: ReadonlySet<string> = new Set(["addVertex", "clear", "vertices", "edges", "traversal"])

/** Methods of Groovy that iterate a traversal, as they do every iterator. */
export const iterated: ReadonlySet<string> = new Set([
  ...["each", "eachWithIndex", "forEachRemaining", "collect", "collectMany", "collectEntries", "find", "findAll"],
  ...["fill", "every", "inject", "groupBy", "countBy", "join", "sort", "toSorted", "withIndex"],
  ...["unique", "toUnique"]
])

/** Steps whose names are also methods of Groovy's iterators: `g.V().max { it.value('age') }`. The step takes no closure. */
export const iteratorMethods: ReadonlySet<string> = new Set(["any", "count", "max", "min", "sum"])

/** Methods that end a traversal and return its results. profile() is not one of them: it is a step. */
export const terminals = callTable({
  explain: [""],
  hasNext: [""],
  iterate: [""],
  iterator: [""],
  next: ["", "int"],
  toBulkSet: [""],
  toList: [""],
  toSet: [""],
  tryNext: [""]
})

/** P: comparisons with any value. */
export const predicates = callTable({
  eq: ["value"],
  neq: ["value"],
  lt: ["value"],
  lte: ["value"],
  gt: ["value"],
  gte: ["value"],
  inside: ["value value"],
  outside: ["value value"],
  between: ["value value"],
  within: ["value*"],
  without: ["value*"],
  typeOf: ["GType|string|class"],
  not: ["predicate"]
})

/** TextP: comparisons with a string. */
export const textPredicates = callTable({
  startingWith: ["string?"],
  notStartingWith: ["string?"],
  endingWith: ["string?"],
  notEndingWith: ["string?"],
  containing: ["string?"],
  notContaining: ["string?"],
  regex: ["string?"],
  notRegex: ["string?"]
})

/** JanusGraph's predicates for words of texts, whole texts and shapes. They may have the prefix `Text.` or `Geo.`. */
export const searchPredicates = callTable(
  Object.fromEntries(searchComparisons.map((name) => [name, [name.startsWith("geo") ? "value" : "string?"]]))
)
