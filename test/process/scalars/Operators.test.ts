import { describe, expect, it } from "vitest"
import { Accumulator } from "../../../src/process/scalars/Accumulator.ts"
import { applyOperator } from "../../../src/process/scalars/Operators.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Operator } from "../../../src/structure/scalars/Enums.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { frozen } from "../../structure/Frozen.ts"

const bulkSet = (...values: ReadonlyArray<unknown>): BulkSet => {
  const set = new BulkSet()
  for (const value of values) set.add(value, 2)
  return set
}

/** Functions that make values, so that comparisons do not share values. */
const makers: ReadonlyArray<() => unknown> = [
  () => [],
  () => [1, 2],
  () => [[1], [2, [3]]],
  () => [new GremlinMap([["a", [1]]])],
  () => new GremlinMap(),
  () =>
    new GremlinMap([
      ["a", 1],
      [[1], new GremlinMap([["b", 2]])]
    ]),
  () => new GremlinSet([1, [2]]),
  () => bulkSet(1, [2]),
  () => null,
  () => 1,
  () => "text",
  () => true
]

/** Parts of a collection, which share members with it. */
const partsOf = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return [...value, value.slice(0, 1)]
  if (value instanceof GremlinMap) return [...value.values(), ...value.keys()]
  return value instanceof GremlinSet || value instanceof BulkSet ? [...value] : []
}

const operators = Object.values(Operator)

/** The result of an operator, or its error, as text. */
const outcome = (work: () => unknown): string => {
  try {
    return text(work())
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}

/** Every operator with every value, and the value itself or a part of it as the other operand. */
const aliased = operators.flatMap((operator) =>
  makers.flatMap((make) =>
    [-1, ...partsOf(make()).keys()].map((part) => {
      const other = (value: unknown): unknown => (part < 0 ? value : partsOf(value)[part])
      return { operator, make, other, name: `${operator.name} ${text(make())} with ${text(other(make()))}` }
    })
  )
)

describe("An Operator", () => {
  it("changes neither of its operands", () => {
    for (const operator of operators) {
      for (const left of makers) {
        for (const right of makers) {
          const expected = outcome(() => applyOperator(operator, left(), right()))
          const got = outcome(() => applyOperator(operator, frozen(left()), frozen(right())))
          expect(got, `${operator.name} ${text(left())} ${text(right())}`).toBe(expected)
        }
      }
    }
  })

  it("has the same result for operands that share members as for equal operands that do not", () => {
    for (const { make, name, operator, other } of aliased) {
      const value = frozen(make())
      const expected = outcome(() => applyOperator(operator, make(), other(make())))
      expect(
        outcome(() => applyOperator(operator, value, other(value))),
        name
      ).toBe(expected)
    }
  })
})

describe("An Accumulator", () => {
  it("has the results of the Operator, whether it owns its value or has shared it", () => {
    for (const { make, name, operator, other } of aliased) {
      for (const shares of [false, true]) {
        const accumulator = new Accumulator(frozen(make()))
        let expected = make()
        const handedOut: Array<readonly [unknown, string]> = []
        const failures: Array<string> = []
        for (let round = 0; round < 3; round++) {
          const operand = (shares ? accumulator.share() : make()) as never
          const equal = shares ? expected : make()
          if (shares) handedOut.push([operand, text(operand)])
          failures.push(
            outcome(() => accumulator.apply(operator, other(operand))),
            outcome(() => {
              expected = applyOperator(operator, expected, other(equal))
            })
          )
          expect(failures.at(-2), name).toBe(failures.at(-1))
        }
        expect(text(accumulator.current), name).toBe(text(expected))
        for (const [value, before] of handedOut) expect(text(value), name).toBe(before)
      }
    }
  })

  it("copies a collection once for many additions in a row", () => {
    const given = frozen([0])
    const accumulator = new Accumulator(given)
    accumulator.apply(Operator.addAll, [1])
    const own = accumulator.current
    accumulator.apply(Operator.addAll, [2])
    expect(own).not.toBe(given)
    expect(accumulator.current).toBe(own)
    expect(accumulator.share()).toEqual([0, 1, 2])
    accumulator.apply(Operator.addAll, [3])
    expect(own).toEqual([0, 1, 2])
    expect(accumulator.current).toEqual([0, 1, 2, 3])
  })
})
