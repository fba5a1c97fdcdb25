import { isIPv6 } from "node:net"
import type { FailureBucket } from "../../services/LoginFailures.ts"

/** Buckets that are kept at a time: those of addresses, and those of names. */
const MAX_BUCKETS = 40_000
const MINUTE_MS = 60_000

/** A token bucket of this process. */
class Bucket implements FailureBucket {
  readonly #now: () => number
  /** Undefined until the first token is taken: the bucket is full. */
  #tokens: number | undefined
  #size = 0
  #pending = 0
  /** When the bucket was last filled, ms. */
  #at: number

  constructor(now: () => number) {
    this.#now = now
    this.#at = now()
  }

  take(size: number): number {
    const tokens = this.#filled(size)
    this.#at = this.#now()
    this.#size = size
    this.#tokens = tokens >= 1 ? tokens - 1 : tokens
    return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * MINUTE_MS) / size)
  }

  /** The tokens that the bucket has now. */
  #filled(size: number): number {
    return Math.min(size, (this.#tokens ?? size) + ((this.#now() - this.#at) * size) / MINUTE_MS)
  }

  /** The tokens that the bucket lacks now: the failures that it counts. */
  get missing(): number {
    return this.#size - this.#filled(this.#size)
  }

  /** True if a new bucket would be equal to this one. */
  get isFull(): boolean {
    return this.#pending === 0 && this.missing <= 0
  }

  giveBack(size: number): void {
    this.#tokens = Math.min(size, (this.#tokens ?? size) + 1)
  }

  pending(): number {
    return this.#pending
  }

  begin(): void {
    this.#pending++
  }

  end(): void {
    this.#pending = Math.max(0, this.#pending - 1)
  }
}

/** Failures in a minute; 0 = no limit. */
interface FailureBounds {
  readonly perAddress: number
  /** Usually more than `perAddress`, so that guesses from one address do not lock out the user. */
  readonly perUser: number
}

/** Limits failed attempts: each address and each user has a token bucket that fills within a minute. */
export class FailureLimits {
  readonly #bounds: FailureBounds
  readonly #bucket: (key: string) => FailureBucket

  /**
   * @param now the clock, ms
   * @param shared the buckets that the workers of a server share
   */
  constructor(
    bounds: FailureBounds,
    now: () => number = () => performance.now(),
    shared: ((key: string) => FailureBucket) | undefined = undefined
  ) {
    this.#bounds = bounds
    this.#bucket = shared ?? ownBuckets(now)
  }

  /**
   * Takes a token before the outcome of an attempt is known. Returns 0 when a token was taken: then call {@link end} with the
   * outcome. Otherwise returns the time until the next token, ms, or `pending` when an attempt under way may return one.
   */
  take(address: string, user: string): number | "pending" {
    const buckets = this.#buckets(address, user)
    const waits = buckets.map(({ bucket, size }) => bucket.take(size))
    const wait = Math.max(0, ...waits)
    if (wait === 0) {
      for (const { bucket } of buckets) bucket.begin()
      return 0
    }
    const hopeless = buckets.some(({ bucket }, i) => waits[i]! > 0 && bucket.pending() === 0)
    for (const [i, { bucket, size }] of buckets.entries()) if (waits[i] === 0) bucket.giveBack(size)
    return hopeless ? wait : "pending"
  }

  /** The outcome of an attempt. A successful attempt returns its token. */
  end(address: string, user: string, failed: boolean): void {
    for (const { bucket, size } of this.#buckets(address, user)) {
      bucket.end()
      if (!failed) bucket.giveBack(size)
    }
  }

  /** The buckets of an attempt that have a limit. */
  #buckets(address: string, user: string): ReadonlyArray<{ readonly bucket: FailureBucket; readonly size: number }> {
    const { perAddress, perUser } = this.#bounds
    const both = [
      { key: `a${network(address)}`, size: perAddress },
      { key: `u${user}`, size: perUser }
    ]
    return both.flatMap(({ key, size }) => (size === 0 ? [] : [{ bucket: this.#bucket(key), size }]))
  }
}

/**
 * The buckets of a server of one process. When there are too many, those that are full are forgotten, and if the others are more than
 * half, those that count the fewest failures: names and addresses that a client invents do not fill the bucket of a user whom somebody
 * attacks.
 */
const ownBuckets = (now: () => number): ((key: string) => FailureBucket) => {
  let buckets = new Map<string, Bucket>()
  return (key) => {
    const known = buckets.get(key)
    if (known !== undefined) return known
    if (buckets.size >= MAX_BUCKETS) buckets = new Map(partly(buckets))
    const bucket = new Bucket(now)
    buckets.set(key, bucket)
    return bucket
  }
}

/** At most half of the buckets, without those that are full: those that count the most failures, and of equal ones the newer. */
const partly = (buckets: ReadonlyMap<string, Bucket>): ReadonlyArray<readonly [string, Bucket]> => {
  const used = [...buckets].filter(([, bucket]) => !bucket.isFull)
  const most = MAX_BUCKETS / 2
  if (used.length <= most) return used
  const missing = Float64Array.from(used, ([, bucket]) => bucket.missing)
  const least = missing.slice().sort()[used.length - most]!
  let equals = most - missing.filter((each) => each > least).length
  for (let at = used.length - 1; at >= 0; at--) if (missing[at] === least && --equals < 0) missing[at] = -1
  return used.filter((_, at) => missing[at]! >= least)
}

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
