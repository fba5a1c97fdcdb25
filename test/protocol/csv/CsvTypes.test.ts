import { describe, expect, it } from "vitest"
import { csvType, csvValue } from "../../../src/protocol/csv/CsvTypes.ts"
import { Timestamp } from "../../../src/structure/times/Temporal.ts"

describe("A date in CSV", () => {
  it.each([
    ["+292278994-08-17T07:12:55.807Z", 2n ** 63n - 1n],
    ["-292275055-05-16T16:47:04.192Z", -(2n ** 63n)],
    ["+287396-10-12T08:59:00.992Z", 2n ** 53n],
    ["+275760-09-13T00:00:00.001Z", 8_640_000_000_000_001n],
    ["+275760-09-12T12:00:00Z", 8_640_000_000_000_000n - 43_200_000n],
    ["1970-01-01T00:00Z", 0n]
  ])("is read as it was written: %s", (text, millis) => {
    expect(csvValue(new Timestamp(millis))).toEqual({ type: "Date", text })
    expect(csvType("Date")!.parse(text)).toEqual(new Timestamp(millis))
  })

  it("has no other text", () => {
    for (const text of ["+292278994-08-17T07:12:55.808Z", "+292278994-02-30T00:00:00Z", "+292278994-02-28", "never"]) {
      expect(csvType("Date")!.parse(text), text).toBeUndefined()
    }
  })
})
