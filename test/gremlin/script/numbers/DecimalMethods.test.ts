import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { modernSession } from "../../../layers/support/DriverClient.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

/** The message of the ArithmeticException that a script catches. */
const problemOf = (call: string): string =>
  shown(`try { ${call}; 'none' } catch (ArithmeticException e) { e.message }`).replace(/ Line 1, .*/, "")

describe("A BigDecimal", () => {
  it("has another scale, rounded by a mode of RoundingMode or of BigDecimal", () => {
    expect(shown("import java.math.RoundingMode; 1.25m.setScale(1, RoundingMode.HALF_EVEN)")).toBe("1.2")
    expect(shown("1.25m.setScale(1, BigDecimal.ROUND_HALF_UP)")).toBe("1.3")
    expect(shown("RoundingMode.values().take(7).collect { [1.15m, -1.15m, 1.11m]*.setScale(1, it) }")).toBe(
      "[[1.2, -1.2, 1.2], [1.1, -1.1, 1.1], [1.2, -1.1, 1.2], [1.1, -1.2, 1.1], [1.2, -1.2, 1.1], [1.1, -1.1, 1.1], [1.2, -1.2, 1.1]]"
    )
    expect(shown("[1.250m.setScale(2), new BigDecimal('123').setScale(-2, RoundingMode.UP)]")).toBe("[1.25, 2E+2]")
    expect(problemOf("1.25m.setScale(1)")).toBe("Rounding necessary")
    expect(shown("try { 1.25m.setScale(1, 9) } catch (IllegalArgumentException e) { e.message }")).toBe(
      "Invalid rounding mode"
    )
  })

  it("has Java's parts and texts", () => {
    expect(shown("[1.5m.scale(), 1.5m.precision(), 0.00m.precision(), 1.5m.unscaledValue()]")).toBe("[1, 2, 1, 15]")
    expect(shown("[1.10m, new BigDecimal('100'), 0.00m]*.stripTrailingZeros()")).toBe("[1.1, 1E+2, 0]")
    expect(shown("['1E+3', '-1E-8', '0E+2', '-1.50'].collect { new BigDecimal(it).toPlainString() }")).toBe(
      "[1000, -0.00000001, 0, -1.50]"
    )
    expect(shown("[1.5m.movePointLeft(2), 1.5m.movePointRight(2), new BigDecimal('1E+3').movePointLeft(1)]")).toBe(
      "[0.015, 150, 100]"
    )
    expect(shown("1.5m.scaleByPowerOfTen(2)")).toBe("1.5E+2")
  })

  it("divides exactly, or at a scale with a mode", () => {
    expect(shown("[1.0m.divide(8.0m), 10.00m.divide(2.5m), 1.5m.divide(2)]")).toBe("[0.125, 4.0, 0.75]")
    expect(problemOf("1.0m.divide(3.0m)")).toBe(
      "Non-terminating decimal expansion; no exact representable decimal result."
    )
    expect(shown("10.0m.divide(3.0m, RoundingMode.HALF_UP)")).toBe("3.3")
    expect(shown("[10.0m.divide(3.0m, 5, RoundingMode.HALF_UP), 10.0m.divide(4, 4, RoundingMode.DOWN)]")).toBe(
      "[3.33333, 2.5000]"
    )
    expect(problemOf("10.0m.divide(0.0m)")).toBe("Division by zero")
    expect(problemOf("0.0m.divide(0.0m)")).toBe("Division undefined")
    expect(shown("[10.5m.remainder(3.0m), new BigDecimal('-10.5').remainder(3.00m)]")).toBe("[1.5, -1.50]")
  })

  it("adds, subtracts and compares as Java does", () => {
    expect(shown("[1.5m.add(2), 1.5m.subtract(2.25m), 1.0m.max(1.00m), 1.00m.min(1.0m), 1.5m.min(1)]")).toBe(
      "[3.5, -0.75, 1.0, 1.00, 1]"
    )
    expect(() => resultOf("1.5m.add(0.1d)")).toThrow(
      /add\(\) of BigDecimal takes a BigDecimal or an integer, not Double/
    )
  })

  it("gives an integer only without a loss", () => {
    expect(shown("[1.00m.intValueExact(), 3000000000.0m.longValueExact(), 1.0m.toBigIntegerExact()]")).toBe(
      "[1, 3000000000, 1]"
    )
    expect(problemOf("1.50m.intValueExact()")).toBe("Rounding necessary")
    expect(problemOf("3000000000.0m.intValueExact()")).toBe("Overflow")
    expect(problemOf("new BigDecimal('1E30').longValueExact()")).toBe("Overflow")
  })

  it("has a bounded number of digits, and a scale that is an Int", () => {
    expect(() => resultOf("1.5m.setScale(100000)")).toThrow(/more than 10000 digits/)
    for (const script of [
      "1e-300000000m ** 10",
      "1e-300000000m.pow(10)",
      "new BigDecimal('1E-2000000000') * new BigDecimal('1E-2000000000')"
    ]) {
      expect(problemOf(script), script).toBe("Underflow")
    }
    expect(problemOf("new BigDecimal('1E2000000000') / new BigDecimal('1E-2000000000')")).toBe("Overflow")
    expect(problemOf("new BigDecimal('1E-2000000000').movePointLeft(2000000000)")).toBe("Underflow")
    expect(problemOf("new BigDecimal('1E2000000000').scaleByPowerOfTen(2000000000)")).toBe("Overflow")
    expect(() => resultOf("new BigDecimal('1E+2000000').toPlainString()")).toThrow(/at most 1048576 characters/)
  })
})

describe("RoundingMode", () => {
  it("has named constants, of which a client gets the names", async () => {
    expect(shown("[RoundingMode.HALF_UP.name(), RoundingMode.UP.toString(), RoundingMode.valueOf('UP')]")).toBe(
      "[HALF_UP, UP, UP]"
    )
    expect(() => resultOf("RoundingMode.HALF")).toThrow(/RoundingMode has no constant HALF/)
    expect(() => resultOf("RoundingMode.valueOf('X')")).toThrow(/No enum constant java.math.RoundingMode.X/)
    const asked = await modernSession()
    expect(await asked("RoundingMode.UP")).toEqual(["UP"])
  })
})
