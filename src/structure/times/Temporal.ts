/**
 * The date and time types of GraphSON 3 and GraphBinary 1.0. Field ranges are those of java.time. The server passes values on as
 * they are; only nanoseconds of an Instant or a Duration in GraphBinary may be out of their range, as in java.time's factories.
 */

/** An instant with an offset (java.time.OffsetDateTime), the type of Gremlin's datetime(). */
export class OffsetDateTime {
  /** Milliseconds since 1970-01-01T00:00Z, floor. */
  readonly epochMillis: number
  /** Nanoseconds inside the millisecond, 0 to 999,999. */
  readonly nanos: number
  /** Offset from UTC in seconds, -64,800 to 64,800. */
  readonly offsetSeconds: number
  constructor(epochMillis: number, nanos: number, offsetSeconds: number) {
    this.epochMillis = epochMillis
    this.nanos = nanos
    this.offsetSeconds = offsetSeconds
  }
  /** The milliseconds since the epoch as a Java long. */
  get millis(): bigint {
    return BigInt(this.epochMillis)
  }
}

/** java.util.Date on the wire (g:Date): milliseconds since the epoch. */
export class Timestamp {
  /** The milliseconds, rounded if {@link distant} has them. */
  readonly epochMillis: number
  /** g:Timestamp (java.sql) keeps its own type name on the wire. */
  readonly sql: boolean
  /** The milliseconds, a Java long, of a date so far from 1970 that no JavaScript number has them exactly; else undefined. */
  readonly distant: bigint | undefined
  constructor(epochMillis: number | bigint, sql = false) {
    this.epochMillis = Number(epochMillis)
    this.sql = sql
    const isDistant = typeof epochMillis === "bigint" && !Number.isSafeInteger(this.epochMillis)
    this.distant = isDistant ? epochMillis : undefined
  }
  /** All milliseconds since the epoch. */
  get millis(): bigint {
    return this.distant ?? BigInt(this.epochMillis)
  }
}

/** A length of time (java.time.Duration); seconds may be negative, nanos are 0 to 999,999,999. */
export class Duration {
  readonly seconds: bigint
  readonly nanos: number
  constructor(seconds: bigint, nanos: number) {
    this.seconds = seconds
    this.nanos = nanos
  }
}

/** Names of java.time types that the server passes on without calculating with their values. */
export type TemporalName =
  | "Instant"
  | "LocalDate"
  | "LocalDateTime"
  | "LocalTime"
  | "MonthDay"
  | "OffsetTime"
  | "Period"
  | "Year"
  | "YearMonth"
  | "ZonedDateTime"
  | "ZoneOffset"

/** A java.time value of another type, as its ISO-8601 text (the form GraphSON sends). */
export class Temporal {
  readonly name: TemporalName
  readonly text: string
  constructor(name: TemporalName, text: string) {
    this.name = name
    this.text = text
  }
}
