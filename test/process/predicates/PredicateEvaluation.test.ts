import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { ConnectiveP, NotP, P, type Predicate, TextP } from "../../../src/process/language/Predicate.ts"
import { compilePredicate } from "../../../src/process/predicates/PredicateEvaluation.ts"
import { BulkSet, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { compare } from "../../../src/structure/comparison/Comparison.ts"
import { equals } from "../../../src/structure/comparison/Equality.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { GType } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { values } from "../../structure/Values.ts"

const itself = (operand: unknown) => operand
const test = (predicate: Predicate, value: unknown) => compilePredicate(predicate, itself)(value)
const ones = [1, 1n, double(1), new Float(1), new Byte(1), new Short(1), new BigInteger(1n), new BigDecimal(1n, 0)]

describe("compilePredicate", () => {
  it("agrees with equals and compare for every operand and value", () => {
    FastCheck.assert(
      FastCheck.property(values, values, (operand, value) => {
        const difference = compare(value, operand)
        expect(test(new P("eq", operand), value)).toBe(equals(value, operand))
        expect(test(new P("neq", operand), value)).toBe(!equals(value, operand))
        expect(test(new P("lt", operand), value)).toBe(difference !== undefined && difference < 0)
        expect(test(new P("lte", operand), value)).toBe(difference !== undefined && difference <= 0)
        expect(test(new P("gt", operand), value)).toBe(difference !== undefined && difference > 0)
        expect(test(new P("gte", operand), value)).toBe(difference !== undefined && difference >= 0)
      }),
      { numRuns: 2000 }
    )
  })

  it("finds a value within many values exactly if it equals one of them", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(values, { maxLength: 8 }), values, (operands, value) => {
        const expected = operands.some((operand) => equals(value, operand))
        expect(test(new P("within", operands), value)).toBe(expected)
        expect(test(new P("without", operands), value)).toBe(!expected)
      }),
      { numRuns: 2000 }
    )
  })

  it("compares numbers of different kinds by value", () => {
    for (const one of ones) {
      for (const operand of ones) {
        expect(test(new P("eq", operand), one)).toBe(true)
        expect(test(new P("within", [operand, 7, 8, 9, 10]), one)).toBe(true)
        expect(test(new P("between", [operand, 2]), one)).toBe(true)
        expect(test(new P("inside", [operand, 2]), one)).toBe(false)
        expect(test(new P("outside", [operand, 2]), one)).toBe(false)
        expect(test(new P("inside", [0.5, operand]), one)).toBe(false)
      }
    }
  })

  it("is false for values that cannot be compared, and its negation is true", () => {
    expect(test(new P("gt", Number.NaN), 1)).toBe(false)
    expect(test(new NotP(new P("gt", Number.NaN)), 1)).toBe(true)
    expect(test(new P("lt", 1), "foo")).toBe(false)
    expect(test(new P("gte", 1), null)).toBe(false)
    expect(test(new P("lte", null), null)).toBe(true)
    expect(test(new P("within", [Number.NaN, 1, 2, 3, 4]), Number.NaN)).toBe(false)
  })

  it("combines predicates with and, or and not", () => {
    const both = new ConnectiveP("and", [new P("gt", 0), new P("lt", 3)])
    expect([0, 1, 3].map(compilePredicate(both, itself))).toEqual([false, true, false])
    const either = new ConnectiveP("or", [new P("lt", 1), new P("gt", 2), new P("eq", "a")])
    expect([0, 1, 3, "a"].map(compilePredicate(either, itself))).toEqual([true, false, true, true])
    expect([0, 1, 3].map(compilePredicate(new NotP(both), itself))).toEqual([true, false, true])
  })

  it("resolves parameters, and accepts a collection as the operand of within, but not as its only member", () => {
    const late = { name: "x" }
    const given = (value: unknown) => (operand: unknown) =>
      operand === late
        ? value
        : Array.isArray(operand)
          ? operand.map((item) => (item === late ? value : item))
          : operand
    expect(compilePredicate(new P("eq", late), given(5))(5)).toBe(true)
    expect(compilePredicate(new P("between", [late, 10]), given(5))(5n)).toBe(true)
    for (const collection of [[1, 2], new GremlinSet([1, 2])]) {
      expect(compilePredicate(new P("within", [late]), given(collection))(2)).toBe(false)
      expect(compilePredicate(new P("within", [late]), given(collection))(collection)).toBe(true)
      expect(compilePredicate(new P("within", late), given(collection))(2)).toBe(true)
    }
    const bulk = new BulkSet()
    bulk.add("a", 3)
    expect(compilePredicate(new P("without", late), given(bulk))("a")).toBe(false)
    expect(compilePredicate(new P("within", [late, 7]), given(5))(5)).toBe(true)
    expect(test(new P("within", [[1, 2]]), 1)).toBe(false)
    expect(test(new P("within", [[1, 2]]), [1, 2])).toBe(true)
    expect(test(new P("within", []), 1)).toBe(false)
    expect(test(new P("without", []), 1)).toBe(true)
  })

  it("tests types by GType and by registered name, including subtypes", () => {
    expect(test(new P("typeOf", GType.INT), 1)).toBe(true)
    expect(test(new P("typeOf", GType.INT), 1n)).toBe(false)
    expect(test(new P("typeOf", GType.NUMBER), new Byte(1))).toBe(true)
    expect(test(new P("typeOf", GType.NULL), null)).toBe(true)
    expect(test(new P("typeOf", GType.STRING), null)).toBe(false)
    expect(test(new P("typeOf", GType.UUID), new Uuid("a"))).toBe(true)
    expect(test(new P("typeOf", GType.SET), new BulkSet())).toBe(true)
    expect(test(new P("typeOf", "Integer"), 1)).toBe(true)
    expect(() => test(new P("typeOf", "Unheard"), 1)).toThrow("Unheard is not a registered type")
    expect(() => test(new P("typeOf", "constructor"), 1)).toThrow("is not a registered type")
  })

  it("tests texts, and is false for other values except in negations", () => {
    expect(test(new TextP("startingWith", "mar"), "marko")).toBe(true)
    expect(test(new TextP("notStartingWith", "mar"), "marko")).toBe(false)
    expect(test(new TextP("endingWith", "ko"), "marko")).toBe(true)
    expect(test(new TextP("containing", "ark"), "marko")).toBe(true)
    expect(test(new TextP("notContaining", "x"), "marko")).toBe(true)
    expect(test(new TextP("regex", "^m.r"), "marko")).toBe(true)
    expect(test(new TextP("notRegex", "^m.r"), "marko")).toBe(false)
    for (const value of [null, 5]) {
      expect(test(new TextP("startingWith", "5"), value)).toBe(false)
      expect(test(new TextP("notStartingWith", "5"), value)).toBe(true)
      expect(test(new TextP("regex", "5"), value)).toBe(false)
    }
    expect(test(new TextP("startingWith", null), "a")).toBe(false)
    expect(() => test(new TextP("startingWith", 5), "a")).toThrow("needs a string")
  })
})
