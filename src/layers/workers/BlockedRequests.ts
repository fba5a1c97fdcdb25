import type { RefusedRequest } from "../../services/Peers.ts"
import type { RequestIdentity } from "../../services/RequestRecords.ts"

/** Deaths within this time count, and a request is refused for this time. */
const WINDOW_MS = 600_000
/** From this number of deaths on, a request is refused. */
const DEATHS = 2
/** Requests that are known at a time. The oldest one is forgotten first. */
const MAX_ENTRIES = 100
/** Characters of a request in texts. */
const SHOWN_CHARS = 100

/** A request that workers died of. */
interface Entry {
  readonly identity: RequestIdentity
  /** Times of the deaths. */
  readonly deaths: ReadonlyArray<number>
}

/** What makes two requests the same. */
export const keyOf = ({ bindings, kind, length, text, user }: RequestIdentity): string =>
  JSON.stringify([user, kind, length, text, bindings])

/**
 * The requests that workers died of. Two deaths within ten minutes refuse a request for ten minutes after the last one. `now` is the time
 * of a clock that never goes back, ms: a change of the machine's clock makes no request refused for longer or shorter.
 */
export class BlockedRequests {
  readonly #entries = new Map<string, Entry>()

  /** A worker died while a request had its event loop. Returns whether the request is refused now. */
  died(identity: RequestIdentity, now: number): boolean {
    const key = keyOf(identity)
    const before = this.#entries.get(key)?.deaths ?? []
    const deaths = [...before.filter((time) => now - time < WINDOW_MS), now].slice(-DEATHS)
    this.#entries.delete(key)
    this.#entries.set(key, { identity, deaths })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
    return deaths.length >= DEATHS
  }

  /** The requests that are refused. */
  blocked(now: number): ReadonlyArray<RefusedRequest> {
    return this.#blocked(now).map(([key, entry]) => {
      const forMs = untilOf(entry) - now
      return { key, until: Date.now() + forMs, forMs }
    })
  }

  /** A line about each request that is refused. */
  lines(now: number): ReadonlyArray<string> {
    return this.#blocked(now).map(([, entry]) => {
      const { bindings, kind, text, user } = entry.identity
      const of = user === "" ? "" : ` of ${user}`
      const what = `${kind}${of} ${JSON.stringify(text.slice(0, SHOWN_CHARS))}`
      const with_ = bindings === "" ? "" : " with its bindings"
      const until = new Date(Date.now() + untilOf(entry) - now)
      return `refused until ${until.toISOString()}, because ${DEATHS} workers died of it: ${what}${with_}`
    })
  }

  /** Forgets all requests. Returns how many were refused. */
  clear(now: number): number {
    const count = this.#blocked(now).length
    this.#entries.clear()
    return count
  }

  #blocked(now: number): ReadonlyArray<readonly [string, Entry]> {
    return [...this.#entries].filter(([, entry]) => entry.deaths.length >= DEATHS && untilOf(entry) > now)
  }
}

const untilOf = ({ deaths }: Entry): number => (deaths.at(-1) ?? 0) + WINDOW_MS
