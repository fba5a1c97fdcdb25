import { beginning } from "../errors/TaggedError.ts"
import { MalformedText } from "../errors/ValueErrors.ts"
import { LONG_MAX, LONG_MIN } from "../numbers/Numbers.ts"
import { Duration } from "./Temporal.ts"

// Arithmetic with numbers of any length would take long. No Long has more than 19 digits, zeros at the start aside.
const syntax =
  /^([+-])?P(?:([+-]?\d{1,40})D)?(T(?:([+-]?\d{1,40})H)?(?:([+-]?\d{1,40})M)?(?:([+-]?)(\d{1,40})(?:[.,](\d{0,9}))?S)?)?$/i

/** Characters of a text that an error quotes. */
const QUOTED_CHARS = 200

const nanosPerSecond = 1_000_000_000n

/**
 * Reads an ISO-8601 duration of days, hours, minutes and seconds, as java.time.Duration does: `PT1H30M`, `-PT0.5S`. Fails with
 * MalformedText.
 */
export const parseDuration = (text: string): Duration => {
  const [whole, sign, days, time, hours, minutes, secondSign, seconds, fraction] = syntax.exec(text) ?? []
  const total = BigInt(days ?? 0) * 86_400n + BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n
  const wholeSeconds = total + BigInt(`${secondSign === "-" ? "-" : ""}${seconds ?? 0}`)
  const nanos = BigInt((fraction ?? "").padEnd(9, "0")) * (secondSign === "-" ? -1n : 1n)
  const all = (wholeSeconds * nanosPerSecond + nanos) * (sign === "-" ? -1n : 1n)
  const duration = durationOfNanos(all)
  const empty = time?.length === 1 || (days === undefined && time === undefined)
  if (whole === undefined || empty || duration.seconds > LONG_MAX || duration.seconds < LONG_MIN) {
    throw new MalformedText(
      `Can't parse '${beginning(text, QUOTED_CHARS)}' as a duration: it should look like PT1H30M or P2DT0.5S.`
    )
  }
  return duration
}

/** The duration of a number of nanoseconds. */
export const durationOfNanos = (nanos: bigint): Duration => {
  const rest = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond
  return new Duration((nanos - rest) / nanosPerSecond, Number(rest))
}

/** A duration as java.time.Duration writes it: hours, minutes, seconds; days are 24 hours: `PT26H3M4.5S`. */
export const durationText = (duration: Duration): string => {
  if (duration.seconds === 0n && duration.nanos === 0) return "PT0S"
  // The absolute value is split, so that all fields of a negative duration are negative.
  const negative = duration.seconds < 0n
  const nanos = negative && duration.nanos > 0 ? 1_000_000_000 - duration.nanos : duration.nanos
  const seconds = negative && duration.nanos > 0 ? duration.seconds + 1n : duration.seconds
  const hours = seconds / 3600n
  const minutes = (seconds % 3600n) / 60n
  const rest = seconds % 60n
  let text = "PT"
  if (hours !== 0n) text += `${hours}H`
  if (minutes !== 0n) text += `${minutes}M`
  if (rest === 0n && nanos === 0) return text
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`
  return `${text}${negative && rest === 0n ? "-" : ""}${rest}${fraction}S`
}
