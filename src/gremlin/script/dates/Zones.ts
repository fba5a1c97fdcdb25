import { typeName } from "../../../structure/texts/TypeNames.ts"
import { partsOfInstant } from "../../../structure/times/Instants.ts"
import { Temporal } from "../../../structure/times/Temporal.ts"
import { whole } from "../values/NumberTypes.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { type CalendarTime, SECOND_NANOS, withLocalNanos } from "./CalendarTimes.ts"

// Time zones of scripts: UTC, and offsets from it. Each is a ZoneOffset, also as a java.util.TimeZone.

/** The zone UTC. */
export const UTC = new Temporal("ZoneOffset", "Z")

const MAX_OFFSET_SECONDS = 64_800

/** The zone with a number of seconds before UTC. Fails with OperandError for more than 18 hours. */
const zoneOfSeconds = (seconds: number): Temporal => {
  if (Math.abs(seconds) > MAX_OFFSET_SECONDS) {
    throw new OperandError("the offset of a zone is at most 18 hours", "DateTimeException")
  }
  if (seconds === 0) return UTC
  const parts = [3600, 60, 1].map((unit) =>
    String(Math.floor(Math.abs(seconds) / unit) % (unit === 3600 ? 24 : 60)).padStart(2, "0")
  )
  if (parts[2] === "00") parts.pop()
  return new Temporal("ZoneOffset", `${seconds < 0 ? "-" : "+"}${parts.join(":")}`)
}

/** The zone of `ZoneOffset.ofHours(2)`. Fails with OperandError for more than 18 hours. */
export const zoneOfHours = (hours: unknown): Temporal => zoneOfSeconds(Number(whole(hours)) * 3600)

/** The zone of a name: UTC and GMT, and offsets such as `+02:00`. Fails with Unavailable for another zone. */
export const zoneOf = (name: unknown): Temporal => {
  const text = String(name)
  if (/^(?:Z|UTC?|GMT|Etc\/(?:UTC|GMT))$/.test(text)) return UTC
  const [, sign, hours, minutes = "0"] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(text) ?? []
  if (hours === undefined) {
    throw new Unavailable(
      `scripts have UTC and offsets such as +02:00 as time zones, not ${JSON.stringify(text.slice(0, 60))}`
    )
  }
  return zoneOfSeconds((sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60))
}

/** Seconds before UTC of a zone. Fails with OperandError for another value. */
export const offsetOfZone = (zone: unknown): number => {
  if (!(zone instanceof Temporal) || zone.name !== "ZoneOffset") {
    throw new OperandError(`a time zone was expected, such as ZoneOffset.UTC, not ${typeName(zone)}`)
  }
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zone.text) ?? []
  return (sign === "-" ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds))
}

/** The calendar time of an instant at an offset from UTC. Fails with OperandError for another value, and beyond the years 0 to 9999. */
export const timeOfInstant = (
  instant: unknown,
  offset: number,
  type: CalendarTime["type"] = "OffsetDateTime"
): CalendarTime => {
  const parts = instant instanceof Temporal && instant.name === "Instant" ? partsOfInstant(instant) : undefined
  if (parts === undefined) throw new OperandError(`an Instant was expected, not ${typeName(instant)}`)
  const nanos = (parts.seconds + BigInt(offset)) * SECOND_NANOS + BigInt(parts.nanos)
  const time = withLocalNanos({ day: 0, nanos: 0n, type, offset: type === "OffsetDateTime" ? offset : 0 }, nanos)
  return type === "LocalDate" ? { ...time, nanos: 0n } : time
}
