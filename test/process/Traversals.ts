import * as FastCheck from "effect/FastCheck"

/** Options of random traversals from vertices to vertices. */
export interface Family {
  /** Whether to include steps whose results depend on the order of traversers. */
  readonly ordered: boolean
  /** Levels of child traversals. */
  readonly depth: number
}

const free = [
  "out()",
  "in()",
  "both()",
  'out("knows")',
  'out("created")',
  'in("created")',
  'has("age")',
  'has("age", P.gt(30))',
  'has("name", "josh")',
  'hasLabel("person")',
  "identity()",
  "dedup()",
  "barrier()"
].filter((step) => step !== 'has("age")')

const ordered = ["limit(2)", "skip(1)", "tail(2)", "simplePath()"]

const list = (
  arbitrary: FastCheck.Arbitrary<string>,
  minLength: number,
  maxLength: number
): FastCheck.Arbitrary<string> => FastCheck.array(arbitrary, { minLength, maxLength }).map((steps) => steps.join("."))

/** A random traversal without a source, such as `out().where(in())`. */
export const steps = (family: Family): FastCheck.Arbitrary<string> => {
  const plain = FastCheck.constantFrom(...free, ...(family.ordered ? ordered : []))
  if (family.depth === 0) return list(plain, 1, 3)
  const child = steps({ ...family, depth: family.depth - 1 })
  const one = (name: string) => child.map((inner) => `${name}(${inner})`)
  const two = (name: string) => FastCheck.tuple(child, child).map(([a, b]) => `${name}(${a}, ${b})`)
  const nested = FastCheck.oneof(
    ...["where", "not", "filter", "local", "flatMap", "optional"].map(one),
    ...["and", "or", "union", "coalesce"].map(two),
    FastCheck.tuple(child, child, child).map(([a, b, c]) => `choose(${a}, ${b}, ${c})`),
    two("choose"),
    loops(child),
    ...(family.ordered ? [one("map")] : [])
  )
  return list(FastCheck.oneof({ arbitrary: plain, weight: 2 }, { arbitrary: nested, weight: 3 }), 1, 4)
}

/** A repeat() of at most three rounds, with until(), times() and emit() on either side. */
const loops = (body: FastCheck.Arbitrary<string>): FastCheck.Arbitrary<string> => {
  const until = FastCheck.oneof(
    FastCheck.constantFrom("times(1)", "times(2)", "times(3)"),
    body.map((test) => `until(or(${test}, loops().is(P.gt(1))))`)
  )
  const emit = FastCheck.oneof(
    FastCheck.constant(""),
    FastCheck.constant("emit()"),
    body.map((test) => `emit(${test})`)
  )
  return FastCheck.tuple(body, until, emit, FastCheck.boolean(), FastCheck.boolean()).map(
    ([inner, ends, emits, untilFirst, emitFirst]) =>
      [
        untilFirst ? ends : "",
        emitFirst ? emits : "",
        `repeat(${inner})`,
        emitFirst ? "" : emits,
        untilFirst ? "" : ends
      ]
        .filter((part) => part !== "")
        .join(".")
  )
}
