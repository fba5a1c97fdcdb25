import { setTimeout as pause } from "node:timers/promises"

/**
 * Time as the protocols among several processes need it. They rest on clocks: all machines that share a keyspace keep
 * theirs together (NTP), to less than what a protocol waits minus what a write takes.
 */
export interface Clock {
  /** Microseconds since 1970 by the clock of the machine; each call gives more than the one before. */
  now(): bigint
  /** Milliseconds that grow evenly, whatever happens to the clock of the machine: what lengths of time are measured with. */
  elapsed(): number
  sleep(milliseconds: number): Promise<void>
}

/** Microseconds by which the two clocks of the process may differ before the finer one is set again. */
const DRIFT = 1000

/** The time of this machine. */
export const systemClock = (): Clock => {
  // Date.now() has whole milliseconds only, performance.now() does not follow when the machine's clock is set.
  let offset = Date.now() * 1000 - performance.now() * 1000
  let last = 0n
  return {
    now: () => {
      const coarse = Date.now() * 1000
      let fine = performance.now() * 1000 + offset
      if (fine < coarse || fine >= coarse + DRIFT) {
        offset += coarse - fine
        fine = coarse
      }
      const time = BigInt(Math.floor(fine))
      last = time > last ? time : last + 1n
      return last
    },
    elapsed: () => performance.now(),
    // A process that has nothing else to do may end meanwhile.
    sleep: (milliseconds) => pause(milliseconds, undefined, { ref: false })
  }
}

/** So many milliseconds in microseconds, the unit of times in a keyspace. */
export const micros = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000))
