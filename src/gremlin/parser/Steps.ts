import { searchComparisons } from "../../process/language/Predicate.ts"
import { callTable } from "./Signatures.ts"

/**
 * The steps of Gremlin 3.8 with their arguments, and the forms that clients of 3.4 to 3.7 still send. See Signatures.ts
 * for the notation. The compiler, not the parser, checks combinations (a modulator after its step, a repeat() with a body).
 */
export const steps = callTable(
  {
    V: ["value*"],
    E: ["value*"],
    addE: ["string|traversal"],
    addV: ["", "string|traversal"],
    aggregate: ["string", "Scope string"],
    all: ["predicate"],
    and: ["traversal*"],
    any: ["predicate"],
    as: ["string string?*"],
    asBool: [""],
    asDate: [""],
    asNumber: ["", "GType"],
    asString: ["", "Scope"],
    barrier: ["", "Barrier|int"],
    both: ["string?*"],
    bothE: ["string?*"],
    bothV: [""],
    branch: ["traversal"],
    by: ["", "Order", "T|Column|string|traversal", "T|Column|string|traversal Order|closure"],
    call: ["", "string", "string map?|traversal", "string map? traversal"],
    cap: ["string string?*"],
    choose: ["T|Column|traversal", "predicate|traversal traversal", "predicate|traversal traversal traversal"],
    coalesce: ["traversal*"],
    coin: ["number"],
    combine: ["value"],
    concat: ["traversal traversal*", "string?*"],
    conjoin: ["string"],
    connectedComponent: [""],
    constant: ["value"],
    count: ["", "Scope"],
    cyclicPath: [""],
    dateAdd: ["DT int"],
    dateDiff: ["traversal|date"],
    dedup: ["Scope string?*", "string?*"],
    difference: ["value"],
    discard: [""],
    disjunct: ["value"],
    drop: [""],
    element: [""],
    elementMap: ["string?*"],
    emit: ["", "predicate|traversal"],
    fail: ["", "string"],
    filter: ["predicate|traversal"],
    flatMap: ["traversal"],
    fold: ["", "value Operator|closure"],
    format: ["string"],
    from: ["string|traversal|vertex"],
    group: ["", "string"],
    groupCount: ["", "string"],
    has: ["string?", "string?|T value|predicate", "string? string? value|predicate"],
    hasId: ["predicate", "value value*"],
    hasKey: ["predicate", "string? string?*"],
    hasLabel: ["predicate", "string? string?*"],
    hasNot: ["string?"],
    hasValue: ["predicate", "value value*"],
    id: [""],
    identity: [""],
    in: ["string?*"],
    inE: ["string?*"],
    intersect: ["value"],
    inV: [""],
    index: [""],
    inject: ["value*"],
    is: ["value|predicate"],
    key: [""],
    label: [""],
    length: ["", "Scope"],
    limit: ["int", "Scope int"],
    local: ["traversal"],
    loops: ["", "string"],
    lTrim: ["", "Scope"],
    map: ["traversal"],
    match: ["traversal*"],
    math: ["string"],
    max: ["", "Scope"],
    mean: ["", "Scope"],
    merge: ["value"],
    mergeE: ["", "map?|traversal"],
    mergeV: ["", "map?|traversal"],
    min: ["", "Scope"],
    none: ["", "predicate"],
    not: ["traversal"],
    option: ["traversal", "predicate|Merge|Pick|value traversal", "Merge map?", "Merge map? Cardinality"],
    optional: ["traversal"],
    or: ["traversal*"],
    order: ["", "Scope"],
    otherV: [""],
    out: ["string?*"],
    outE: ["string?*"],
    outV: [""],
    pageRank: ["", "number"],
    path: [""],
    peerPressure: [""],
    product: ["value"],
    profile: ["", "string"],
    project: ["string string?*"],
    properties: ["string?*"],
    property: ["map?", "Cardinality map?", "T|value value value*", "Cardinality T|value value value*"],
    propertyMap: ["string?*"],
    range: ["int int", "Scope int int"],
    read: [""],
    repeat: ["traversal", "string traversal"],
    replace: ["string? string?", "Scope string? string?"],
    reverse: [""],
    rTrim: ["", "Scope"],
    sack: ["", "Operator|closure"],
    sample: ["int", "Scope int"],
    select: ["Column|traversal", "Pop traversal", "string string?*", "Pop string string?*"],
    shortestPath: [""],
    sideEffect: ["traversal"],
    simplePath: [""],
    skip: ["int", "Scope int"],
    split: ["string?", "Scope string?"],
    store: ["string"],
    subgraph: ["string"],
    substring: ["int", "int int", "Scope int", "Scope int int"],
    sum: ["", "Scope"],
    tail: ["", "int", "Scope", "Scope int"],
    timeLimit: ["int"],
    times: ["int"],
    to: ["string|traversal|vertex", "Direction string?*"],
    toE: ["Direction string?*"],
    toLower: ["", "Scope"],
    toUpper: ["", "Scope"],
    toV: ["Direction"],
    tree: ["", "string"],
    trim: ["", "Scope"],
    unfold: [""],
    union: ["traversal*"],
    until: ["predicate|traversal"],
    value: [""],
    valueMap: ["string?*", "boolean string?*"],
    values: ["string?*"],
    where: ["predicate|traversal", "string predicate"],
    with: ["string", "string value"],
    write: [""]
  },
  // Until 3.7, none() without arguments did what discard() does now. Drivers of these versions append it in iterate().
  {
    none: { emptyOperator: "discard" },
    branch: { closure: "one" },
    by: { closure: "one or two" },
    choose: { closure: "one" },
    emit: { closure: "one" },
    filter: { closure: "one" },
    flatMap: { closure: "one" },
    fold: { closure: "two" },
    map: { closure: "one" },
    sack: { closure: "two" },
    sideEffect: { closure: "one" },
    until: { closure: "one" }
  }
)

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

/**
 * Steps with other arguments at a source: io() exists only there. mergeV() and mergeE() need a map there, because no traverser can
 * provide it.
 */
export const sourceSteps = callTable({ io: ["string"], mergeE: ["map?|traversal"], mergeV: ["map?|traversal"] })

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

/** Methods of a traversal source that configure it. withStrategies() and withoutStrategies() have a syntax of their own. */
export const sourceMethods = callTable(
  {
    with: ["string", "string value"],
    withBulk: ["boolean"],
    withComputer: [""],
    withPath: [""],
    withSack: ["value|closure", "value|closure Operator|closure", "value|closure closure Operator|closure"],
    withSideEffect: ["string value|closure", "string value|closure Operator|closure"],
    withStrategies: [],
    withoutStrategies: []
  },
  { withSack: { closure: "any" }, withSideEffect: { closure: "any" } }
)

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
