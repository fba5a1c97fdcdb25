import { StorageFailure, StorageUnavailable } from "../../../structure/errors/StoreErrors.ts"
import { compareColumns } from "../../janusgraph/cells/Cells.ts"
import { blockSize, claimColumn, claimKey, type IdKind, readClaim } from "../../janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../janusgraph/ids/IdSource.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import { notClaimed } from "../Failures.ts"
import type { Clock } from "./Clock.ts"

/**
 * Options of the claims of id blocks. All of them except `instance`, `partition` and `tag` must be equal in all instances that
 * share the keyspace.
 */
export interface IdAuthorityOptions {
  readonly instance: string
  readonly partitionBits: number
  /** `ids.block-size`: blocks of different sizes would overlap. */
  readonly blockSize: number
  /** The partition of new vertices and relations of this process. */
  readonly partition: number
  /** Low bits of a count that hold a tag (`ids.authority.conflict-avoidance-tag-bits`). */
  readonly tagBits: number
  /** The tag of this process: a fixed number, or a random one for each block. */
  readonly tag: number | "random"
  /**
   * Longest time from the read of the newest claim to the end of the write of the next one, and the time before claims are read,
   * ms (`ids.authority.wait-time`).
   */
  readonly wait: number
  /** Milliseconds after which claim() fails (`ids.renew-timeout`). */
  readonly timeout: number
}

/** Factor of the wait before claims are read. JanusGraph waits a tenth longer than a claim may take. */
const WAIT_FACTOR = 1.1
/** Number of claims that are read to find the end of the newest block. Several, because failed claims may not be removed yet. */
const NEWEST_CLAIMS = 5
/** Attempts to remove a claim. */
const REMOVAL_ATTEMPTS = 5
/** Time between two attempts to remove a claim. */
const REMOVAL_DELAY_MS = 200
/** A failed claim is retried with exponential backoff, up to this multiple of the wait. */
const MAX_BACKOFF_FACTOR = 32
/** Upper limit of counts with their tag and partition. A vertex id has three more bits for its kind, and must be below 2^53. */
const MAX_COUNT = 2 ** 50

const EMPTY = new Uint8Array(0)

/**
 * JanusGraph's protocol for id blocks among processes that share a keyspace. An instance writes a claim for the range after the
 * newest block. It waits until concurrent claims for this range must be visible. Then it reads all claims of the range. The oldest
 * claim gets the block, and the others are removed.
 *
 * A claim does not count when more than the wait passes between the read of the newest block and the end of the write. Two instances
 * that claim the same range have both read before the claim of the other was visible, so each finds the claim of the other after its
 * wait. Between instances of this server the protocol is therefore correct whatever their clocks say. JanusGraph measures only the
 * write: a claim of it whose read was slow may be older, by its clock, than a claim that has already got the block. Clocks of its
 * instances must therefore differ by less than a tenth of the wait.
 */
export class IdAuthority implements IdSource {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #options: IdAuthorityOptions
  readonly #random: () => number

  constructor(columns: ColumnStore, clock: Clock, options: IdAuthorityOptions, random: () => number = Math.random) {
    this.#columns = columns
    this.#clock = clock
    this.#options = options
    this.#random = random
  }

  /** Ids of a block of this kind. */
  size(kind: IdKind): number {
    return blockSize(kind, this.#options.blockSize)
  }

  /** Claims a block. Fails with StorageFailure when no claim succeeds in time. */
  async claim(kind: IdKind): Promise<IdBlock> {
    const { timeout, wait } = this.#options
    const begun = this.#clock.elapsed()
    let backoff = wait
    let problem = "other instances claimed each block first"
    for (;;) {
      try {
        const block = await this.#attempt(kind)
        if (block !== undefined) return block
      } catch (error) {
        if (!(error instanceof StorageFailure) || error instanceof IdsExhausted) throw error
        problem = error.message
        backoff = Math.min(backoff * 2, wait * MAX_BACKOFF_FACTOR)
        await this.#clock.sleep(backoff)
      }
      if (this.#clock.elapsed() - begun > timeout) {
        throw new StorageUnavailable(
          `No block of ids (${kind}) could be claimed in ${this.#columns.location} within ${timeout} ms: ${problem}`
        )
      }
    }
  }

  /** Returns undefined when another instance has an older claim. */
  async #attempt(kind: IdKind): Promise<IdBlock | undefined> {
    const { instance, partitionBits, tagBits, wait } = this.#options
    const partition = this.#partitionOf(kind)
    const tag = this.#options.tag === "random" ? Math.floor(this.#random() * 2 ** tagBits) : this.#options.tag
    const key = claimKey(kind, partition, partitionBits, tag)
    const begun = this.#clock.elapsed()
    const start = await this.#newestEnd(key)
    const count = this.size(kind)
    const end = start + count
    if (end * 2 ** (tagBits + partitionBits) > MAX_COUNT)
      throw new IdsExhausted(kind, partition, this.#columns.location)

    const time = this.#clock.now()
    const column = claimColumn({ end: BigInt(end), time, instance })
    let isOurs = false
    try {
      const additions = [{ column, value: EMPTY }]
      const mutation = { table: "janusgraph_ids", key, additions, deletions: [] } as const
      await this.#columns.mutate([mutation], time, "system").catch((cause: unknown) => {
        throw notClaimed(cause)
      })
      const took = this.#clock.elapsed() - begun
      // A slower claim does not count: another instance may have read the claims before this one was visible.
      if (took > wait) throw tooSlow(took, wait)
      await this.#clock.sleep(wait * WAIT_FACTOR)
      const first = await this.#firstClaim(key, end)
      isOurs = compareColumns(first, column) === 0
    } finally {
      if (!isOurs) await this.#remove(key, column, time)
    }
    return isOurs ? { first: start * 2 ** tagBits + tag, step: 2 ** tagBits, count, partition } : undefined
  }

  /**
   * JanusGraph claims the ids of schema vertices, which have no partition, in partition 0, and those of partitioned
   * vertices in partition 1.
   */
  #partitionOf(kind: IdKind): number {
    if (kind === "schema") return 0
    return kind === "partitionedVertex" ? 1 : this.#options.partition
  }

  async #newestEnd(key: Uint8Array): Promise<number> {
    const claims = await this.#columns.slice({ table: "janusgraph_ids", key, limit: NEWEST_CLAIMS }, "system")
    return claims.reduce((newest, { column }) => Math.max(newest, Number(readClaim(column).end)), 1)
  }

  /** The column of the oldest claim of the block with this end. */
  async #firstClaim(key: Uint8Array, end: number): Promise<Uint8Array> {
    const start = Buffer.alloc(8)
    start.writeBigInt64BE(BigInt(-end))
    const next = Buffer.alloc(8)
    next.writeBigInt64BE(BigInt(1 - end))
    const query = { table: "janusgraph_ids", key, start, end: next, limit: 1 } as const
    const [first] = await this.#columns.slice(query, "system")
    if (first !== undefined) return first.column
    throw new StorageUnavailable(
      `A claim of ids was written to ${this.#columns.location} but not found when it was read: reads and writes must share a ` +
        "replica (QUORUM), and every instance needs a unique name (graph.unique-instance-id)."
    )
  }

  /** Removes a claim. A failure is ignored, because a claim that stays costs only a block of ids. */
  async #remove(key: Uint8Array, column: Uint8Array, time: bigint): Promise<void> {
    for (let attempt = 0; attempt < REMOVAL_ATTEMPTS; attempt++) {
      try {
        const now = this.#clock.now()
        // Later than the claim, even when the clock was set back.
        const timestamp = now > time + 2n ? now : time + 2n
        const mutation = { table: "janusgraph_ids", key, additions: [], deletions: [column] } as const
        await this.#columns.mutate([mutation], timestamp, "system")
        return
      } catch {
        await this.#clock.sleep(REMOVAL_DELAY_MS)
      }
    }
  }
}

const tooSlow = (took: number, wait: number): StorageFailure =>
  new StorageUnavailable(
    `the read of the newest claim of ids and the write of the next one took ${Math.round(took)} ms, and the limit is ${wait} ms ` +
      "(ids.authority.wait-time, which must be the same for all instances)"
  )

/** All ids of a partition are claimed, so a retry cannot succeed. */
class IdsExhausted extends StorageFailure {
  constructor(kind: IdKind, partition: number, location: string) {
    super(`All ids (${kind}) of the partition ${partition} in ${location} are claimed; this server counts up to 2^53.`)
  }
}
