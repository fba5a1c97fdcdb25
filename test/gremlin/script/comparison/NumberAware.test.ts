import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("Lists that compare numbers by value", () => {
  it("find a number of another type", () => {
    expect(shown("[1, 1.0m, 2.50m, 0e999999m, 10e1m] - [1L, 2.5d, 0.0d, 100]")).toBe("[]")
    expect(shown("[1, 1.0m, 2.50m, 2.5d, 0.10m, 0.1d, 3].unique()")).toBe("[1, 2.50, 0.10, 3]")
    expect(shown("([1000 ** 1000] - [1e3000m]).size()")).toBe("0")
  })

  it("distinguish decimals that no Double equals", () => {
    expect(shown("[1e-400m] - [0]")).toBe("[1E-400]")
    expect(shown("([1.00000000000000000001m] - [1]).size()")).toBe("1")
    expect(shown("[1e-400m, 1.0e-400m, 2e-400m].unique().size()")).toBe("2")
  })

  it("write no digits of an extreme scale out", () => {
    for (const number of ["1e-99999999m", "1e20000m", "1e99999999m", "-1e-20000m"]) {
      const began = process.cpuUsage()
      expect(
        shown(`def x = [${number}]; [x - [1], x.intersect(x), x.disjoint([1]), (x + x).unique().size()].size()`)
      ).toBe("4")
      expect(shown(`([${number}] - [1]).size()`)).toBe("1")
      expect(process.cpuUsage(began).user, number).toBeLessThan(2_000_000)
    }
  })
})
