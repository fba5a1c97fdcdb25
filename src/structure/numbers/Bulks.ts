import { ArithmeticFailure } from "../errors/ValueErrors.ts"
import { LONG_MAX } from "./Numbers.ts"

/** Largest bulk of a row. Bulks are Doubles, in which larger integers are not exact. */
const MAX_BULK_TRAVERSERS = Number.MAX_SAFE_INTEGER

/**
 * Bulks of which each is a sum or a product. One that is not exact becomes Infinity: many steps, such as dedup() and limit(), need
 * only a part of it, or none. Those that count traversers call {@link exactBulk}.
 */
export const joinedBulks = (bulks: Float64Array): Float64Array => {
  // A sum of Doubles never falls below this bound again, so it is enough to check the end of a long addition.
  for (let i = 0; i < bulks.length; i++) if (bulks[i]! > MAX_BULK_TRAVERSERS) bulks[i] = Number.POSITIVE_INFINITY
  return bulks
}

/** A bulk, or a sum of bulks, as a number of traversers. Throws ArithmeticFailure if it is not exact. */
export const exactBulk = (bulk: number): number => {
  if (bulk <= MAX_BULK_TRAVERSERS) return bulk
  throw new ArithmeticFailure(
    `More than ${MAX_BULK_TRAVERSERS} equal traversers meet in one step, and this server cannot count them exactly. ` +
      "Give repeat() fewer rounds, or remove equal traversers with dedup() first."
  )
}

/** True for a sum of bulks that may have been rounded. */
export const isRounded = (sum: number): boolean => sum > MAX_BULK_TRAVERSERS

/** A count of traversers that grows: a number while that is exact, and then a bigint. */
export type Tally = number | bigint

/** Adds a bulk to a count. Throws ArithmeticFailure beyond the range of a Long. */
export const tally = (count: Tally | undefined, bulk: number): Tally => {
  if (typeof count !== "bigint") {
    const sum = (count ?? 0) + bulk
    if (sum <= MAX_BULK_TRAVERSERS) return sum
  }
  return longCount(BigInt(count ?? 0) + BigInt(exactBulk(bulk)))
}

/** A count as a Long. Throws ArithmeticFailure beyond its range. */
export const longCount = (count: bigint): bigint => {
  if (count <= LONG_MAX) return count
  throw new ArithmeticFailure(
    `long overflow: a step counts more than ${LONG_MAX} traversers. Give repeat() fewer rounds, or remove equal traversers with dedup() first.`
  )
}
