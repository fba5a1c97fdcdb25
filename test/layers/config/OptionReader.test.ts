import { describe, expect, it } from "vitest"
import { optionReader } from "../../../src/layers/config/OptionReader.ts"

/** A whole number of an option with a text: what is read, and the problems. */
const read = (text: string, limits?: { readonly least?: number; readonly unit?: "ms" | "s" }) => {
  const problems: Array<string> = []
  const reader = optionReader(new Map([["key", text]]), (key, reason) => {
    problems.push(`${key} ${reason}`)
    return undefined
  })
  return [reader.whole("key", 7, limits), ...problems]
}

describe("A whole number of an option", () => {
  it("is read with its unit or without, and with blanks around it", () => {
    expect(read("12")).toEqual([12])
    expect(read(" 12 ms ", { unit: "ms" })).toEqual([12])
    expect(read("12ms", { unit: "ms" })).toEqual([12])
    expect(read("12", { unit: "ms" })).toEqual([12])
    expect(read("60 s", { unit: "ms" })).toEqual([60_000])
    expect(read("2 Minutes", { unit: "ms" })).toEqual([120_000])
    expect(read("1.5 h", { unit: "ms" })).toEqual([5_400_000])
    expect(read("1 day", { unit: "s" })).toEqual([86_400])
    expect(read("864000", { unit: "s" })).toEqual([864_000])
    expect(read("0", { least: 0 })).toEqual([0])
    expect(read("2147483647")).toEqual([2_147_483_647])
  })

  it("is refused outside its range, with another unit, and without digits", () => {
    expect(read("0")).toEqual([7, "key must be a whole number above 0, not '0'"])
    expect(read("-1", { least: 0 })).toEqual([7, "key must be a whole number of 0 or more, not '-1'"])
    expect(read("1.5")).toEqual([7, "key must be a whole number above 0, not '1.5'"])
    expect(read("2147483648")).toEqual([7, "key must be at most 2147483647, not '2147483648'"])
    expect(read("30 days", { unit: "ms" })).toEqual([7, "key must be at most 2147483647 ms, not '30 days'"])
    expect(read("12 s")).toEqual([7, "key must be a whole number above 0, not '12 s'"])
    for (const text of ["ms", "12 us", "500 ns", "12 parsecs", "1 s 2 ms", "0.5", "1.2.3 s"]) {
      const problem = `key must be a whole number above 0 (ms), or have a unit such as '2 min', not '${text}'`
      expect(read(text, { unit: "ms" })).toEqual([7, problem])
    }
    expect(read("")).toEqual([7, "key must be a whole number above 0, not ''"])
  })

  it("is the default without a line", () => {
    expect(optionReader(new Map(), () => undefined).whole("key", undefined)).toBeUndefined()
  })
})
