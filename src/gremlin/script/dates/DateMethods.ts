import { ArithmeticFailure, MalformedText } from "../../../structure/errors/ValueErrors.ts"
import { LONG_MAX, LONG_MIN } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { durationOfNanos, parseDuration } from "../../../structure/times/Durations.ts"
import { instantOf, partsOfInstant } from "../../../structure/times/Instants.ts"
import { Duration, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { whole } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"

// Instants, durations and dates, as java.time and java.util create them. All functions fail with OperandError for other values.

/** The number itself, which must be a Long as in Java. Fails with ArithmeticFailure. */
export const longOf = (value: bigint): bigint => {
  if (value >= LONG_MIN && value <= LONG_MAX) return value
  throw new ArithmeticFailure(
    `The result is no Long: it exceeds ${value > 0n ? LONG_MAX : LONG_MIN}. Use a larger unit.`
  )
}

/** Seconds of the first and the last instant of java.time. */
const FIRST_SECOND = -31_557_014_167_219_200n
const LAST_SECOND = 31_556_889_864_403_199n
const NANOS_PER_SECOND = 1_000_000_000n

const instant = (seconds: bigint, nanos: bigint): Temporal => {
  const rest = ((nanos % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND
  const second = seconds + (nanos - rest) / NANOS_PER_SECOND
  if (second < FIRST_SECOND || second > LAST_SECOND) throw new OperandError("the instant is out of range")
  return instantOf(second, Number(rest))
}

/** The instant of an ISO-8601 text. */
export const instantOfText = (text: unknown): Temporal => {
  const written = String(text)
  const parts = partsOfInstant(new Temporal("Instant", written))
  const isReal = parts !== undefined && instantOf(parts.seconds, parts.nanos).text.startsWith(written.slice(0, 16))
  if (parts !== undefined && isReal) return instantOf(parts.seconds, parts.nanos)
  const quoted = JSON.stringify(written.slice(0, 60))
  throw new OperandError(`${quoted} is not an instant such as 2024-02-29T10:00:00Z`, "DateTimeParseException")
}

/** The instant of a number of milliseconds since 1970. */
export const instantOfMillis = (millis: unknown): Temporal => instant(0n, whole(millis) * 1_000_000n)

/** The instant of a number of seconds since 1970, and of nanoseconds. */
export const instantOfSeconds = (seconds: unknown, nanos: unknown = 0): Temporal =>
  instant(whole(seconds), whole(nanos))

const nanosOf = (value: unknown): bigint => {
  const parts = value instanceof Temporal && value.name === "Instant" ? partsOfInstant(value) : undefined
  if (parts === undefined) throw new OperandError(`an Instant was expected, not ${typeName(value)}`)
  return parts.seconds * NANOS_PER_SECOND + BigInt(parts.nanos)
}

/** Milliseconds since 1970 of an instant. */
export const millisOfInstant = (value: unknown): bigint => {
  const nanos = nanosOf(value)
  return (nanos - (((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n
}

/** The instant of a date. */
export const instantOfDate = ({ millis }: Timestamp): Temporal => instantOfMillis(millis)

/** The date of an instant, as Date.from(). */
export const dateOfInstant = (value: unknown): Timestamp => {
  const millis = millisOfInstant(value)
  if (millis >= LONG_MIN && millis <= LONG_MAX) return new Timestamp(millis)
  throw new OperandError("the date is out of range", "IllegalArgumentException")
}

/** All nanoseconds of a duration. */
export const nanosOfDuration = (value: unknown): bigint => {
  if (!(value instanceof Duration)) throw new OperandError(`a Duration was expected, not ${typeName(value)}`)
  return value.seconds * NANOS_PER_SECOND + BigInt(value.nanos)
}

/** The duration of a number of nanoseconds whose seconds are a Long, as in Java. */
export const checkedDuration = (nanos: bigint): Duration => {
  const duration = durationOfNanos(nanos)
  if (BigInt.asIntN(64, duration.seconds) !== duration.seconds) throw new OperandError("the duration is too long")
  return duration
}

/** The instant a duration later, or earlier when `sign` is -1. */
export const shifted = (value: Temporal, by: unknown, sign: bigint): Temporal =>
  instant(0n, nanosOf(value) + sign * nanosOfDuration(by))

/** The duration from one instant to another one. */
export const durationBetween = (from: unknown, to: unknown): Duration => durationOfNanos(nanosOf(to) - nanosOf(from))

/** The duration of an ISO-8601 text. */
export const durationOfText = (text: unknown): Duration => {
  try {
    return parseDuration(String(text))
  } catch (error) {
    if (error instanceof MalformedText) throw new OperandError(error.message, "DateTimeParseException")
    throw error
  }
}

/** `Duration.ofSeconds(seconds, nanos)`, and the other units with one argument. */
export const durationOf =
  (unitNanos: bigint) =>
  ([amount, nanos = 0]: ReadonlyArray<unknown>): Duration =>
    checkedDuration(whole(amount) * unitNanos + whole(nanos))
