/** Nanoseconds of the constants of java.time.temporal.ChronoUnit that have an exact length. */
export const unitNanos: Readonly<Record<string, bigint>> = {
  NANOS: 1n,
  MICROS: 1_000n,
  MILLIS: 1_000_000n,
  SECONDS: 1_000_000_000n,
  MINUTES: 60_000_000_000n,
  HOURS: 3_600_000_000_000n,
  HALF_DAYS: 43_200_000_000_000n,
  DAYS: 86_400_000_000_000n
}

/** Nanoseconds of the constants of java.util.concurrent.TimeUnit. */
export const timeUnitNanos: Readonly<Record<string, bigint>> = {
  NANOSECONDS: unitNanos.NANOS!,
  MICROSECONDS: unitNanos.MICROS!,
  MILLISECONDS: unitNanos.MILLIS!,
  SECONDS: unitNanos.SECONDS!,
  MINUTES: unitNanos.MINUTES!,
  HOURS: unitNanos.HOURS!,
  DAYS: unitNanos.DAYS!
}
