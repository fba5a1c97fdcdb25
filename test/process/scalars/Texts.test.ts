import { describe, expect, it } from "vitest"
import { TraversalError } from "../../../src/process/language/Errors.ts"
import {
  concat,
  type LongTextFunction,
  length,
  lTrim,
  onText as onTextInPieces,
  onTexts as onTextsInPieces,
  replace as replaceInPieces,
  rTrim,
  short,
  split as splitInPieces,
  substring,
  type TextFunction,
  toLower,
  toUpper,
  trim
} from "../../../src/process/scalars/Texts.ts"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"

const onText = (step: string, apply: TextFunction) => (input: unknown) =>
  runWhole(onTextInPieces(step, short(apply))(new TimeSlice(), input))
const onTexts = (step: string, apply: TextFunction) => (input: unknown) =>
  runWhole(onTextsInPieces(step, short(apply))(new TimeSlice(), input))
const wholly = (apply: LongTextFunction) => (text: string) => runWhole(apply(text))
const replace = (search: string | null, replacement: string | null) => wholly(replaceInPieces(search, replacement))
const split = (separator: string | null) => wholly(splitInPieces(separator))

describe("onText", () => {
  it("accepts strings, keeps null, and refuses other values with the step", () => {
    const step = onText("toUpper", toUpper)
    expect(step("feature")).toBe("FEATURE")
    expect(step(null)).toBe(null)
    expect(() => step(["a"])).toThrow(TraversalError)
    expect(() => step(["a"])).toThrow("The toUpper() step can only take string as argument, encountered ArrayList")
    expect(() => onText("length", length)(5)).toThrow("The length() step can only take string as argument")
  })
})

describe("onTexts", () => {
  it("applies to the members of lists and sets, and keeps nulls in them", () => {
    const step = onTexts("trim", trim)
    expect(step([" a ", null, "b"])).toEqual(["a", null, "b"])
    expect(step(new GremlinSet([" a "]))).toEqual(["a"])
    expect(step(" a ")).toBe("a")
    expect(step(null)).toBe(null)
  })

  it("refuses other values inside and outside of lists", () => {
    const step = onTexts("trim", trim)
    expect(() => step([1])).toThrow(
      "The trim(local) step can only take string or list of strings, encountered Integer in list"
    )
    expect(() => step(1)).toThrow("The trim(local) step can only take string or list of strings, encountered Integer")
    expect(() => step(new GremlinMap())).toThrow(TraversalError)
  })
})

describe("String functions", () => {
  it("return the length and change case", () => {
    expect(length("feature")).toBe(7)
    expect(toLower("TEST")).toBe("test")
    expect(toUpper("test")).toBe("TEST")
  })

  it("trim Java's white space, on both sides or one", () => {
    expect(trim(" \t\u001f\u3000a b\n ")).toBe("a b")
    expect(lTrim("  a  ")).toBe("a  ")
    expect(rTrim("  a  ")).toBe("  a")
    expect(trim("\u00a0a\u00a0")).toBe("\u00a0a\u00a0")
    expect([trim, lTrim, rTrim].map((f) => f("   "))).toEqual(["", "", ""])
  })

  it("replace every occurrence of a literal text", () => {
    expect(replace("h", "j")("that hash")).toBe("tjat jasj")
    expect(replace("a", "$&")("banana")).toBe("b$&n$&n$&")
    expect(replace("", "j")("test")).toBe("test")
    expect(replace(null, "g")("test")).toBe("test")
    expect(replace("t", null)("test")).toBe("test")
  })

  it("split at a separator, at white space, or into characters", () => {
    expect(split("h")("that")).toEqual(["t", "at"])
    expect(split("h")("test")).toEqual(["test"])
    expect(split(",")(",a,,b,")).toEqual(["a", "b", ""])
    expect(split(",")(",,")).toEqual([""])
    expect(split("ab")("ab")).toEqual([""])
    expect(split(",")("a,b")).toEqual(["a", "b"])
    expect(split(",")("")).toEqual([])
    expect(split(null)(" hello \t world ")).toEqual(["hello", "world"])
    expect(split(null)("marko")).toEqual(["marko"])
    expect(split("")("that")).toEqual(["t", "h", "a", "t"])
    expect(split("a")("")).toEqual([])
  })

  it("return a substring, with negative positions from the end", () => {
    expect(substring(1, 8)("test")).toBe("est")
    expect(substring(1, 8)("hello world")).toBe("ello wo")
    expect(substring(2, null)("lop")).toBe("p")
    expect(substring(1, 0)("lop")).toBe("")
    expect(["marko", "josh", "vadas", "peter"].map(substring(-3, null))).toEqual(["rko", "osh", "das", "ter"])
    expect(["lop", "ripple"].map(substring(1, -1))).toEqual(["o", "ippl"])
    expect(["lop", "ripple"].map(substring(-4, 2))).toEqual(["lo", ""])
    expect(["lop", "ripple"].map(substring(-3, -1))).toEqual(["lo", "pl"])
    expect(substring(-1, null)("")).toBe("")
  })
})

describe("concat", () => {
  it("concatenates strings except nulls", () => {
    expect(concat("a")).toBe("a")
    expect(concat("a", "c", "d")).toBe("acd")
    expect(concat(null, null, "b")).toBe("b")
    expect(concat("a", null, "b")).toBe("ab")
    expect(concat(null)).toBe(null)
    expect(concat("", null)).toBe("")
  })

  it("refuses values that are not strings", () => {
    expect(() => concat(["a"], "b")).toThrow("String concat() can only take string as argument, encountered ArrayList")
    expect(() => concat("a", 1)).toThrow("encountered Integer")
  })
})
