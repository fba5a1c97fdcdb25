import { type EdgeValue, show, type TreeValue, type Value, type VertexValue } from "./Value.ts"

/**
 * Equality in the suite. Values of different types are different: Int32 and Int64, a list and a set. Elements are equal if
 * their ids and labels are equal, and for edges also their vertices. The labels of a path are not compared, because the
 * notation has none.
 */
export const same = (left: Value, right: Value): boolean => {
  switch (left.kind) {
    case "null":
      return right.kind === "null"
    case "boolean":
    case "string":
    case "char":
    case "uuid":
    case "byte":
    case "short":
    case "int":
    case "long":
    case "bigInteger":
    case "float":
    case "double":
      return right.kind === left.kind && Object.is(left.value, right.value)
    case "bigDecimal":
      return right.kind === left.kind && left.unscaled === right.unscaled && left.scale === right.scale
    case "dateTime":
      return (
        right.kind === left.kind &&
        left.epochDay === right.epochDay &&
        left.nanoOfDay === right.nanoOfDay &&
        left.offset === right.offset
      )
    case "duration":
      return right.kind === left.kind && left.seconds === right.seconds && left.nanos === right.nanos
    case "list":
      return right.kind === left.kind && inOrder(left.items, right.items)
    case "set":
    case "bulkSet":
      return right.kind === left.kind && inAnyOrder(left.items, right.items)
    case "map":
      return (
        right.kind === left.kind &&
        left.entries.length === right.entries.length &&
        left.entries.every(([key, item]) => right.entries.some(([k, i]) => same(key, k) && same(item, i)))
      )
    case "vertex":
      return right.kind === left.kind && same(left.id, right.id) && left.label === right.label
    case "edge":
      return (
        right.kind === left.kind &&
        same(left.id, right.id) &&
        left.label === right.label &&
        sameEnd(left.out, right.out) &&
        sameEnd(left.in, right.in)
      )
    case "vertexProperty":
      return (
        right.kind === left.kind &&
        same(left.id, right.id) &&
        left.label === right.label &&
        same(left.value, right.value)
      )
    case "property":
      return right.kind === left.kind && left.key === right.key && same(left.value, right.value)
    case "path":
      return right.kind === left.kind && inOrder(left.objects, right.objects)
    case "tree":
      return right.kind === left.kind && sameTree(left, right)
    case "enum":
      return right.kind === left.kind && left.type === right.type && left.name === right.name
    case "graph":
    case "traverser":
    case "other":
      return false
  }
}

/** A reference to a vertex that is not loaded has the label "vertex", as in the paths of shortestPath(). */
const sameEnd = (left: EdgeValue["out"], right: EdgeValue["out"]): boolean =>
  same(left.id, right.id) && (left.label === right.label || left.label === "vertex" || right.label === "vertex")

const inOrder = (left: ReadonlyArray<Value>, right: ReadonlyArray<Value>): boolean =>
  left.length === right.length && left.every((item, index) => same(item, right[index]!))

/** Matches each item of one side with another item of the other side. */
const matchAll = <A, B>(left: ReadonlyArray<A>, right: ReadonlyArray<B>, equal: (a: A, b: B) => boolean): boolean => {
  if (left.length !== right.length) return false
  const rest = [...right]
  return left.every((item) => {
    const index = rest.findIndex((candidate) => equal(item, candidate))
    if (index >= 0) rest.splice(index, 1)
    return index >= 0
  })
}

const inAnyOrder = (left: ReadonlyArray<Value>, right: ReadonlyArray<Value>): boolean => matchAll(left, right, same)

const sameTree = (left: TreeValue, right: TreeValue): boolean =>
  matchAll(left.branches, right.branches, ([key, below], [k, b]) => same(key, k) && sameTree(below, b))

/** As `same`, but a double that is itself a result, not part of one, may differ by rounding of the last digit. */
const sameResult = (actual: Value, expected: Value): boolean =>
  actual.kind === "double" && expected.kind === "double" && Number.isFinite(expected.value)
    ? Math.abs(actual.value - expected.value) <= 1e-15
    : same(actual, expected)

/** A comparison returns undefined for the expected result, and otherwise the difference. */
export type Verdict = string | undefined

const shown = (values: ReadonlyArray<Value>): string =>
  `[${values.slice(0, 40).map(show).join("; ")}${values.length > 40 ? `; ... ${values.length} in all` : ""}]`

const differ = (how: string, actual: ReadonlyArray<Value>, expected: ReadonlyArray<Value>): string =>
  `${how}: expected ${shown(expected)}, got ${shown(actual)}`

/** The items of `left` without an equal item in `right`. */
const surplus = (left: ReadonlyArray<Value>, right: ReadonlyArray<Value>): ReadonlyArray<Value> => {
  const rest = [...right]
  return left.filter((item) => {
    const index = rest.findIndex((candidate) => sameResult(item, candidate))
    if (index >= 0) rest.splice(index, 1)
    return index < 0
  })
}

/** Exactly the expected values, in any order. */
export const unordered = (actual: ReadonlyArray<Value>, expected: ReadonlyArray<Value>): Verdict =>
  matchAll(actual, expected, sameResult)
    ? undefined
    : `of ${expected.length} results in any order, missing ${shown(surplus(expected, actual))}, not expected ${shown(surplus(actual, expected))}`

/** Exactly the expected values in their order. */
export const ordered = (actual: ReadonlyArray<Value>, expected: ReadonlyArray<Value>): Verdict =>
  actual.length === expected.length && actual.every((item, index) => sameResult(item, expected[index]!))
    ? undefined
    : differ("in this order", actual, expected)

/** Only expected values, each any number of times. */
export const of = (actual: ReadonlyArray<Value>, expected: ReadonlyArray<Value>): Verdict =>
  actual.every((item) => expected.some((candidate) => same(item, candidate)))
    ? undefined
    : `not among the expected values: ${shown(surplus(actual, expected))}`

/** The number of results, or of the parts of the single result of `next`. */
export const count = (actual: number | undefined, expected: number): Verdict =>
  actual === expected ? undefined : `expected a count of ${expected}, got ${actual ?? "something that has no count"}`

/** An error whose message begins with, contains or ends with a text, ignoring case. */
export const errorMessage = (message: string, how: string, expected: string): Verdict => {
  const [actual, wanted] = [message.toLowerCase(), expected.toLowerCase()]
  const holds =
    how === "containing"
      ? actual.includes(wanted)
      : how === "starting"
        ? actual.startsWith(wanted)
        : how === "ending" && actual.endsWith(wanted)
  return holds ? undefined : `expected an error with a message ${how} "${expected}", got "${message}"`
}

/** A tree with the same keys at every level. */
export const tree = (actual: Value, expected: TreeValue): Verdict =>
  actual.kind === "tree" && sameTree(actual, expected) ? undefined : `expected ${show(expected)}, got ${show(actual)}`

const sameProperties = (
  actual: ReadonlyArray<{ readonly value: Value }> | undefined,
  expected: ReadonlyArray<{ readonly value: Value }> | undefined
): boolean => {
  const name = (property: object): string =>
    "key" in property ? String(property.key) : (property as { label: string }).label
  return matchAll(actual ?? [], expected ?? [], (a, b) => name(a) === name(b) && same(a.value, b.value))
}

/** A graph with exactly these vertices, or edges, and their properties. */
export const subgraph = (
  actual: Value,
  expected: ReadonlyArray<VertexValue> | ReadonlyArray<EdgeValue>,
  what: "vertices" | "edges"
): Verdict => {
  if (actual.kind !== "graph") return `expected a graph, got ${show(actual)}`
  const found: ReadonlyArray<VertexValue | EdgeValue> = actual[what]
  const wanted: ReadonlyArray<VertexValue | EdgeValue> = expected
  return matchAll(found, wanted, (a, b) => same(a, b) && sameProperties(a.properties, b.properties))
    ? undefined
    : differ(`exactly these ${what}, with their properties`, found, wanted)
}
