import { describe, expect, it } from "vitest"
import { TraversalError, TraversalInvalid } from "../../../src/process/language/Errors.ts"
import { mathOperand, parseMath } from "../../../src/process/scalars/MathExpression.ts"
import { BigDecimal, double } from "../../../src/structure/numbers/Numbers.ts"

const variables: { readonly [name: string]: number } = { x: 2, a: 5, b: 6, _: 29 }

const evaluate = (equation: string): number => {
  const expression = parseMath(equation)
  return expression.evaluate(expression.variables.map((name) => variables[name]!))
}

describe("parseMath", () => {
  it.each([
    ["1+2*3", 7],
    ["(1+2)*3", 9],
    ["[1+{2*3}]", 7],
    ["10/4/5", 0.5],
    ["2-3-4", -5],
    ["-2^2", -4],
    ["2^-1", 0.5],
    ["2^3^2", 512],
    ["2^-3^2", 0.001953125],
    ["--2", 2],
    ["+-2", -2],
    ["2*-2", -4],
    ["-x*2", -4],
    ["-7%3", -1],
    ["1e3+1", 1001],
    ["1.5e-1 + .5 + 5.", 5.65],
    ["_+_", 58],
    ["0-_", -29],
    ["b + a", 11],
    ["sin x", Math.sin(2)],
    ["sin x + 1", Math.sin(3)],
    ["sin(x)+1", Math.sin(2) + 1],
    ["2*sin x*3", 2 * Math.sin(6)],
    ["2^sin x", 2 ** Math.sin(2)],
    ["abs(-3)*2", 6],
    ["signum(-3)", -1],
    ["signum(3)", 1],
    ["signum(-0*_)", 0],
    ["signum(log(-1))", 0],
    ["log2(8) + log10 1000", 6],
    ["cbrt(27) + sqrt 16", 7],
    ["signum(0-5) + ceil 1.2 + 0", 1],
    ["floor 1.7 + 0.5", 2],
    ["π", Math.PI],
    ["φ", 1.61803398874]
  ])("evaluates %s to %d", (equation, expected) => {
    expect(evaluate(equation)).toBe(expected)
  })

  it("lists the distinct variables in the order in which they appear", () => {
    expect(parseMath("b + a * _ - b / sin c1").variables).toEqual(["b", "a", "_", "c1"])
  })

  it.each([
    ["", "a value is missing", 0],
    ["1+", "a value is missing", 2],
    ["*2", "a value is missing before '*'", 0],
    ["2x", "an operator is missing", 1],
    ["1 2", "an operator is missing", 1],
    ["(1", "a bracket is not closed", 0],
    ["1)", "a bracket is closed that was not opened", 1],
    ["sin()", "a value is missing", 4],
    ["a$b", "'$' has no meaning", 1]
  ])("refuses '%s': %s", (equation, reason, position) => {
    expect(() => parseMath(equation)).toThrow(TraversalInvalid)
    expect(() => parseMath(equation)).toThrow(`${reason} (at position ${position})`)
  })

  it("throws for a division by zero", () => {
    expect(() => evaluate("1/(x-2)")).toThrow(TraversalError)
    expect(() => evaluate("1%0")).toThrow("Division by zero!")
  })

  it("evaluates an expression of up to 16,384 characters", () => {
    expect(evaluate(`1${"+1".repeat(8_000)}`)).toBe(8_001)
    expect(evaluate(`${"(".repeat(8_000)}x${")".repeat(8_000)}`)).toBe(2)
    expect(() => evaluate(`1${"+1".repeat(8_192)}`)).toThrow("at most 16384 characters, but this one has 16385")
  })
})

describe("mathOperand", () => {
  it("accepts numbers of every kind", () => {
    expect([1, 2n, double(3), new BigDecimal(45n, 1)].map((value) => mathOperand("_", value))).toEqual([1, 2, 3, 4.5])
  })

  it("reports the variable whose value is not a number", () => {
    expect(() => mathOperand("a", "marko")).toThrow(
      "The variable a for math() step must resolve to a Number - it is instead of type String with value marko"
    )
    expect(() => mathOperand("_", null)).toThrow("of type null")
  })
})
