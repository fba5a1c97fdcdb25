import { isIPv6 } from "node:net"
import { BoundedMap } from "./BoundedMap.ts"

/** Addresses and names that are counted at once. */
const COUNTED = 20_000
/** A user may fail this many times as often as an address: wrong guesses must not lock out who knows the password. */
const USER_SHARE = 5

interface Bucket {
  tokens: number
  /** Attempts whose outcome is not known yet: tokens that may come back. */
  pending: number
  /** `performance.now()` ms of the last look. */
  at: number
}

/** Attempts that may fail: each address and each user has a bucket of them that fills up again by the minute. */
export class FailureLimits {
  readonly #perMinute: number
  readonly #buckets = new BoundedMap<string, Bucket>(COUNTED)
  readonly #now: () => number

  /** `perMinute`: failures of one address; 0 = no limit. */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /**
   * Takes an attempt before its outcome is known; tell {@link end} what it was. 0 when one was taken, time until there is
   * another one, ms, or `pending` when one may come back from those whose outcome is not known yet.
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

  /** The outcome of an attempt that was taken: only one that failed counts. */
  end(address: string, user: string, failed: boolean): void {
    if (this.#perMinute === 0) return
    for (const { bucket } of this.#both(address, user)) {
      bucket.pending = Math.max(0, bucket.pending - 1)
      if (!failed) bucket.tokens++
    }
  }

  #both(address: string, user: string): ReadonlyArray<{ readonly bucket: Bucket; readonly size: number }> {
    const sizes = [this.#perMinute, this.#perMinute * USER_SHARE] as const
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
    known.tokens = Math.min(size, known.tokens + ((now - known.at) * size) / MINUTE)
    known.at = now
    return known
  }
}

const MINUTE = 60_000

const missing = ({ tokens }: Bucket, size: number): number =>
  tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * MINUTE) / size)

/** What one customer of a network has: an IPv4 address, or the first half of an IPv6 address. */
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
