import { setTimeout as pause } from "node:timers/promises"

/**
 * The clock of the coordination protocols. They require synchronised clocks (NTP): two machines that share a keyspace may
 * differ by less than the wait of a protocol minus the duration of a write.
 */
export interface Clock {
  /** Microseconds since 1970 by the clock of the machine. Strictly increasing. */
  now(): bigint
  /** Milliseconds of a monotonic clock, which changes of the machine's clock do not affect. For durations. */
  elapsed(): number
  /** Resolves after a duration. It does not keep the process running. */
  sleep(milliseconds: number): Promise<void>
}

/** If performance.now() is ahead of Date.now() by this much, or behind it, it is set to Date.now(). */
const MAX_DRIFT_MICROSECONDS = 1000

/** The time of this machine. */
export const systemClock = (): Clock => {
  // Date.now() has a resolution of milliseconds; performance.now() does not follow changes of the machine's clock.
  let offset = Date.now() * 1000 - performance.now() * 1000
  let last = 0n
  return {
    now: () => {
      const coarse = Date.now() * 1000
      let fine = performance.now() * 1000 + offset
      if (fine < coarse || fine >= coarse + MAX_DRIFT_MICROSECONDS) {
        offset += coarse - fine
        fine = coarse
      }
      const time = BigInt(Math.floor(fine))
      last = time > last ? time : last + 1n
      return last
    },
    elapsed: () => performance.now(),
    // The timer does not keep the process running.
    sleep: (milliseconds) => pause(milliseconds, undefined, { ref: false })
  }
}

/** Converts milliseconds to microseconds, the unit of time stamps in a keyspace. */
export const micros = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000))

/** A time, microseconds since the epoch, as the first bytes of columns that sort by time. */
export const timeBytes = (microseconds: bigint): Buffer => {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(microseconds)
  return bytes
}
