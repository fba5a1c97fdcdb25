import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { double } from "../../../structure/numbers/Numbers.ts"

/** The kinds of streams: of objects, and IntStream, LongStream and DoubleStream. */
export type StreamKind = "Stream" | "IntStream" | "LongStream" | "DoubleStream"

/** The sum of numbers by Java: Ints and Longs overflow, and Doubles are added with the compensation of their rounding. */
export const javaSum = (numbers: readonly unknown[], kind: StreamKind): unknown => {
  if (kind === "DoubleStream") {
    let [sum, rest, simple] = [0, 0, 0]
    for (const number of numbers as number[]) {
      const value = toDouble(number)
      const added = value - rest
      const next = sum + added
      rest = next - sum - added
      sum = next
      simple += value
    }
    const exact = sum - rest
    return double(Number.isNaN(exact) && !Number.isFinite(simple) ? simple : exact)
  }
  const sum = numbers.reduce<bigint>((all, number) => all + BigInt(number as number | bigint), 0n)
  return kind === "IntStream" ? Number(BigInt.asIntN(32, sum)) : BigInt.asIntN(64, sum)
}

/** The mean of numbers, as a Double; undefined without numbers. */
export const javaMean = (numbers: readonly unknown[], kind: StreamKind): unknown => {
  if (numbers.length === 0) return undefined
  const sum = kind === "IntStream" ? javaSum(numbers, "LongStream") : javaSum(numbers, kind)
  return double(Number(sum) / numbers.length)
}
