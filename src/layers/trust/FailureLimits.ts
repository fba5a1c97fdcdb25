import { isIPv6 } from "node:net"
import { BoundedMap } from "./BoundedMap.ts"

/** Addresses and names in one generation of the counters. */
const MAX_COUNTED_KEYS = 20_000
/** A user may fail this many times as often as an address: guesses from one address must not lock out the user. */
const USER_FACTOR = 5

/** A token bucket. Each failure takes a token. */
interface Bucket {
  tokens: number
  /** Attempts whose outcome is not yet known: their tokens may be returned. */
  pending: number
  /** When the bucket was last filled, `performance.now()` ms. */
  at: number
}

/** Limits failed attempts: each address and each user has a token bucket that fills within a minute. */
export class FailureLimits {
  readonly #perMinute: number
  readonly #buckets = new BoundedMap<string, Bucket>(MAX_COUNTED_KEYS)
  readonly #now: () => number

  /** `perMinute`: failures of one address; 0 = no limit. `now`: the clock, ms. */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /**
   * Takes a token before the outcome of an attempt is known. Returns 0 when a token was taken: then call {@link end} with the
   * outcome. Otherwise returns the time until the next token, ms, or `pending` when an attempt under way may return one.
   */
  take(address: string, user: string): number | "pending" {
    if (this.#perMinute === 0) return 0
    const buckets = this.#both(address, user)
    const wait = Math.max(...buckets.map(({ bucket, size }) => missing(bucket, size)))
    if (wait > 0) {
      const hopeless = buckets.some(({ bucket, size }) => missing(bucket, size) > 0 && bucket.pending === 0)
      return hopeless ? wait : "pending"
    }
    for (const { bucket } of buckets) {
      bucket.tokens--
      bucket.pending++
    }
    return 0
  }

  /** The outcome of an attempt. A successful attempt returns its token. */
  end(address: string, user: string, failed: boolean): void {
    if (this.#perMinute === 0) return
    for (const { bucket } of this.#both(address, user)) {
      bucket.pending = Math.max(0, bucket.pending - 1)
      if (!failed) bucket.tokens++
    }
  }

  #both(address: string, user: string): ReadonlyArray<{ readonly bucket: Bucket; readonly size: number }> {
    const sizes = [this.#perMinute, this.#perMinute * USER_FACTOR] as const
    return [`a${network(address)}`, `u${user}`].map((key, i) => {
      const size = sizes[i]!
      return { bucket: this.#bucket(key, size), size }
    })
  }

  #bucket(key: string, size: number): Bucket {
    const now = this.#now()
    const known = this.#buckets.get(key)
    if (known === undefined) {
      const bucket = { tokens: size, pending: 0, at: now }
      this.#buckets.set(key, bucket)
      return bucket
    }
    known.tokens = Math.min(size, known.tokens + ((now - known.at) * size) / MINUTE_MS)
    known.at = now
    return known
  }
}

const MINUTE_MS = 60_000

const missing = ({ tokens }: Bucket, size: number): number =>
  tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * MINUTE_MS) / size)

/** The addresses that one customer of a network has: an IPv4 address, or the first half of an IPv6 address. */
export const network = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  if (!isIPv6(address)) return address
  const [head = "", tail] = address.toLowerCase().replace(/%.*$/, "").split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...after].slice(0, 4).join(":")
}
