import { describe, expect, it } from "vitest"
import type { BinaryOperator } from "../../../../src/gremlin/Script.ts"
import { Budget } from "../../../../src/gremlin/script/budget/Budget.ts"
import {
  binary,
  contains,
  isSameMember,
  type StrictOperator
} from "../../../../src/gremlin/script/operators/Operators.ts"
import { areInts, intOperator } from "../../../../src/gremlin/script/operators/QuickOperators.ts"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import { Double, Float } from "../../../../src/structure/numbers/Numbers.ts"
import { FakeHost } from "../../FakeHost.ts"

const OPERATORS: readonly BinaryOperator[] = "+ - * / % ** == != < <= > >= <=> === in & | ^ << >> >>>".split(
  " "
) as BinaryOperator[]
const INTS = [0, 1, -1, 2, 3, 7, -5, 255, 65_536, -65_537, 2 ** 31 - 1, -(2 ** 31)]

describe("An operator on two Ints", () => {
  it("has the value of the general operator", () => {
    const budget = new Budget(new TimeSlice())
    let compared = 0
    for (const operator of OPERATORS) {
      for (const left of INTS) {
        for (const right of INTS) {
          const quick = intOperator(operator)?.(left, right)
          if (quick === undefined) continue
          expect(quick, `${left} ${operator} ${right}`).toBe(binary(operator as StrictOperator, left, right, budget))
          compared++
        }
      }
    }
    expect(compared).toBe(14 * INTS.length ** 2 - INTS.length)
  })

  it("leaves a division by 0 to the general operator", () => {
    expect(intOperator("%")?.(7, 0)).toBeUndefined()
    expect(() => new FakeHost().run("def a = 7; a %= 0")).toThrow("/ by zero")
  })

  it("is not used for Doubles", () => {
    for (const other of [-0, 0.5, Number.NaN, 2 ** 31, 1n, new Double(1), new Float(1), null, "1"]) {
      expect(areInts(1, other)).toBe(false)
      expect(areInts(other, 1)).toBe(false)
    }
    expect(areInts(1, 0)).toBe(true)
  })
})

describe("contains() of a list", () => {
  it("finds the members that are equal in Java", () => {
    const values = [0, -0, 1, 0.5, Number.NaN, 1n, new Double(1), new Float(0.5), "", "1", null, true, [1]]
    const budget = new Budget(new TimeSlice())
    for (const member of values) {
      for (const value of values) expect(contains([member], value, budget)).toBe(isSameMember(member, value))
    }
  })
})
