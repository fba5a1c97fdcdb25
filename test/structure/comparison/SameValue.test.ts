import { describe, expect, it } from "vitest"
import { BulkSet, GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { isSame } from "../../../src/structure/comparison/SameValue.ts"
import { Double } from "../../../src/structure/numbers/Numbers.ts"
import { OffsetDateTime, Timestamp } from "../../../src/structure/times/Temporal.ts"

describe("Objects that are the same by Java's equals()", () => {
  it("are numbers of one type, also as members of lists, maps and sets", () => {
    for (const within of [
      (value: unknown) => value,
      (value: unknown) => [value],
      (value: unknown) => new GremlinMap([["a", value]]),
      (value: unknown) => new GremlinMap([[value, "a"]]),
      (value: unknown) => new GremlinSet([value]),
      (value: unknown) => {
        const members = new BulkSet()
        members.add(value, 2)
        return members
      }
    ]) {
      expect(isSame(within(1), within(1))).toBe(true)
      expect(isSame(within(1), within(1n))).toBe(false)
      expect(isSame(within(1), within(new Double(1)))).toBe(false)
      expect(isSame(within(new Double(Number.NaN)), within(new Double(Number.NaN)))).toBe(true)
    }
    expect(isSame(new GremlinMap([["a", 0]]), new GremlinMap([["a", new Double(-0)]]))).toBe(false)
  })

  it("are dates of one class", () => {
    expect(isSame(new Timestamp(5), new Timestamp(5))).toBe(true)
    expect(isSame(new Timestamp(5), new Timestamp(6))).toBe(false)
    expect(isSame(new Timestamp(5), new Timestamp(5, true))).toBe(false)
    expect(isSame(new OffsetDateTime(5, 0, 0), new OffsetDateTime(5, 0, 0))).toBe(true)
    expect(isSame(new OffsetDateTime(5, 0, 0), new OffsetDateTime(5, 0, 3600))).toBe(false)
    expect(isSame(new OffsetDateTime(5, 0, 0), new Timestamp(5))).toBe(false)
  })

  it("may have more members than can be compared in order", () => {
    const numbers = () => new GremlinSet(Array.from({ length: 20_000 }, (_, at) => at))
    expect(isSame(numbers(), numbers())).toBe(true)
  })
})
