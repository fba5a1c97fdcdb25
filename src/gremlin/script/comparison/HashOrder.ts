import { GremlinSet } from "../../../structure/collections/Collections.ts"
import type { Budget } from "../budget/Budget.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import { hashCodeOf } from "./HashCodes.ts"

// The order in which a HashSet of Java visits its members: by bucket, and in a bucket in the order of their insertion.

const FIRST_BUCKETS = 16

/** A bucket with more members doubles a table of fewer than {@link TREE_BUCKETS} buckets. */
const LONG_BUCKET = 8
const TREE_BUCKETS = 64

interface Hashed {
  readonly hash: number
  readonly value: unknown
}

/** The members of a HashSet to which they are added one by one, in its order. */
class HashedMembers {
  readonly #budget: Budget
  readonly #known = new GremlinSet()
  #buckets: Array<Array<Hashed>> = emptyBuckets(FIRST_BUCKETS)

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Adds a value, unless it is a member. Fails with Unavailable for a value whose hash code differs between servers. */
  add(value: unknown): void {
    if (!this.#known.add(value)) return
    const hash = hashCodeOf(value, this.#budget)
    const bucket = this.#bucketOf(hash)
    bucket.push({ hash, value })
    if (bucket.length > LONG_BUCKET && this.#buckets.length < TREE_BUCKETS) this.#enlarge()
    if (this.#known.size > this.#buckets.length * 0.75) this.#enlarge()
  }

  values(): Array<unknown> {
    return this.#buckets.flatMap((bucket) => bucket.map(({ value }) => value))
  }

  #bucketOf(hash: number): Array<Hashed> {
    return this.#buckets[(hash ^ (hash >>> 16)) & (this.#buckets.length - 1)]!
  }

  #enlarge(): void {
    const members = this.#buckets.flat()
    this.#buckets = emptyBuckets(this.#buckets.length * 2)
    for (const member of members) this.#bucketOf(member.hash).push(member)
  }
}

const emptyBuckets = (count: number): Array<Array<Hashed>> => Array.from({ length: count }, () => [])

/** The value, or the other one if it needs the hash code of a value whose hash code differs between servers. */
const ifHashed = <A>(value: () => A, other: A): A => {
  try {
    return value()
  } catch (error) {
    if (error instanceof Unavailable) return other
    throw error
  }
}

/** The different values in the order of a HashSet. Without hash codes they keep their order. */
export const inHashOrder = (values: readonly unknown[], budget: Budget): readonly unknown[] =>
  ifHashed(() => {
    const members = new HashedMembers(budget)
    for (const value of values) members.add(value)
    return members.values()
  }, values)

/**
 * The parts of a list in the order of Groovy's subsequences(), which makes a new HashSet for each member.
 * Without hash codes they have the order of `parts`.
 */
export const subsequencesInOrder = (
  list: readonly unknown[],
  parts: readonly unknown[][],
  budget: Budget
): readonly unknown[] =>
  ifHashed<readonly unknown[]>(() => {
    let all: readonly unknown[] = []
    for (const member of list) {
      const next = new HashedMembers(budget)
      for (const part of all) next.add([...(part as readonly unknown[]), member])
      for (const part of all) next.add(part)
      next.add([member])
      all = next.values()
    }
    return all
  }, parts)
