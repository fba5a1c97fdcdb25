import { setTimeout as sleep } from "node:timers/promises"
import { StorageUnavailable } from "../../structure/errors/StoreErrors.ts"
import { openingText, otherOpening } from "./Opening.ts"

/** The time between two checks, in milliseconds. */
const POLL_MS = 2
/** The longest time between two checks that counts as a wait, in milliseconds: this process may have been stopped, too. */
const MAX_POLL_MS = 100

/** How long the commits of a store wait for one opening, in milliseconds. An opening takes a few of them. */
export interface OpeningLimits {
  readonly limit: number
  /** For a synchronous commit, which blocks the event loop. */
  readonly limitNow: number
}

const LIMITS: OpeningLimits = { limit: 60_000, limitNow: 5_000 }

/**
 * The waits of a store's commits for processes that open the files. A process that is stopped during its opening keeps its marker, and a
 * commit beside an opening is not safe for readers: the commits fail after a limit, with what to do. Further ones fail at once, until
 * that opening has ended.
 */
export class OpeningWait {
  readonly #directory: string
  readonly #limits: OpeningLimits
  /** The file that would follow the marker of the last wait: no other marker has the same. */
  #last: string | undefined
  /** The time of all waits for that marker, in milliseconds. */
  #waited = 0
  readonly #cell = new Int32Array(new SharedArrayBuffer(4))

  constructor(directory: string, limits: OpeningLimits = LIMITS) {
    this.#directory = directory
    this.#limits = limits
  }

  /** Waits until no other process opens the files. Fails with StorageUnavailable after the limit. */
  async ended(): Promise<void> {
    while (this.#isOpening(this.#limits.limit)) {
      const begun = performance.now()
      await sleep(POLL_MS)
      this.#count(begun)
    }
  }

  /** Like {@link ended}, for a synchronous commit. Blocks the event loop. */
  endedNow(): void {
    while (this.#isOpening(this.#limits.limitNow)) {
      const begun = performance.now()
      Atomics.wait(this.#cell, 0, 0, POLL_MS)
      this.#count(begun)
    }
  }

  #isOpening(limit: number): boolean {
    const marker = otherOpening(this.#directory)
    if (marker === undefined) return false
    if (marker.next !== this.#last) this.#waited = 0
    this.#last = marker.next
    if (this.#waited < limit) return true
    throw new StorageUnavailable(
      `Nothing was written to the graph in ${this.#directory}: ${openingText(marker)}. Then run the request again.`
    )
  }

  #count(begun: number): void {
    this.#waited += Math.min(performance.now() - begun, MAX_POLL_MS)
  }
}
