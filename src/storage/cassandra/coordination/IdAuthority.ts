import { StorageFailure, StorageUnavailable } from "../../../structure/StoreErrors.ts"
import { compareColumns } from "../../janusgraph/cells/Cells.ts"
import { blockSize, claimColumn, claimKey, type IdKind, readClaim } from "../../janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../janusgraph/ids/IdSource.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"

/** How blocks of ids are claimed in a keyspace; all of it but `instance`, `partition` and `tag` is the same for all who share it. */
export interface IdAuthorityOptions {
  readonly instance: string
  readonly partitionBits: number
  /** `ids.block-size`: other sizes at the same time would make blocks overlap. */
  readonly blockSize: number
  /** Where vertices and relations of this process lie. */
  readonly partition: number
  /** Low bits of a count that tell the claimants apart (`ids.authority.conflict-avoidance-tag-bits`). */
  readonly tagBits: number
  /** What this process has in them: the same number always, or another one for each block. */
  readonly tag: number | "random"
  /** Milliseconds that a claim may take to be written, and waits to be read (`ids.authority.wait-time`). */
  readonly wait: number
  /** Milliseconds after which a claim is given up (`ids.renew-timeout`). */
  readonly timeout: number
}

/** JanusGraph waits a tenth longer than a claim may take to be written. */
const GRACE = 1.1
/** Claims that are read to find the newest end: claims that are being taken back may be among them. */
const NEWEST = 5
/** Times that the removal of a claim is tried, and milliseconds between. */
const REMOVALS = 5
const REMOVAL_PAUSE = 200
/** A failed claim is tried again after the wait doubled, up to so many times the wait. */
const LONGEST_BACKOFF = 32
/** Ids must be exact as numbers: a vertex has three bits for its kind below its partition. */
const LARGEST = 2 ** 50

const EMPTY = new Uint8Array(0)

/**
 * JanusGraph's protocol for blocks of ids among processes that share a keyspace: write a claim of what follows the newest
 * block, wait as long as another's claim of the same may take to become visible, read all claims of it back; the oldest
 * one has the block, the others are taken back. It holds as long as clocks differ by less than the wait minus the time
 * that writes take; writes that take longer than the wait do not count.
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

  size(kind: IdKind): number {
    return blockSize(kind, this.#options.blockSize)
  }

  /** Fails with StorageFailure when no block could be had in time. */
  async claim(kind: IdKind): Promise<IdBlock> {
    const { timeout, wait } = this.#options
    const begun = this.#clock.elapsed()
    let backoff = wait
    let problem = "others claimed each block first"
    for (;;) {
      try {
        const block = await this.#attempt(kind)
        if (block !== undefined) return block
      } catch (error) {
        if (!(error instanceof StorageFailure) || error instanceof IdsExhausted) throw error
        problem = error.message
        backoff = Math.min(backoff * 2, wait * LONGEST_BACKOFF)
        await this.#clock.sleep(backoff)
      }
      if (this.#clock.elapsed() - begun > timeout) {
        throw new StorageUnavailable(
          `No block of ids (${kind}) could be claimed in ${this.#columns.place} within ${timeout} ms: ${problem}`
        )
      }
    }
  }

  /** Undefined when another was first. */
  async #attempt(kind: IdKind): Promise<IdBlock | undefined> {
    const { instance, partitionBits, tagBits, wait } = this.#options
    const partition = this.#partitionOf(kind)
    const tag = this.#options.tag === "random" ? Math.floor(this.#random() * 2 ** tagBits) : this.#options.tag
    const key = claimKey(kind, partition, partitionBits, tag)
    const start = await this.#newestEnd(key)
    const count = this.size(kind)
    const end = start + count
    if (end * 2 ** (tagBits + partitionBits) > LARGEST) throw new IdsExhausted(kind, partition, this.#columns.place)

    const begun = this.#clock.elapsed()
    const time = this.#clock.now()
    const column = claimColumn({ end: BigInt(end), time, instance })
    let isOurs = false
    try {
      const additions = [{ column, value: EMPTY }]
      await this.#columns.mutate([{ table: "janusgraph_ids", key, additions, deletions: [] }], time, "system")
      const took = this.#clock.elapsed() - begun
      // Another who was waiting meanwhile may have read before this claim was there.
      if (took > wait) throw tooSlow(took, wait)
      await this.#clock.sleep(wait * GRACE)
      const first = await this.#firstClaim(key, end)
      isOurs = compareColumns(first, column) === 0
    } finally {
      if (!isOurs) await this.#remove(key, column, time)
    }
    return isOurs ? { first: start * 2 ** tagBits + tag, step: 2 ** tagBits, count, partition } : undefined
  }

  /** Schema vertices have no partition, and JanusGraph claims their ids, and those of partitioned vertices, in these. */
  #partitionOf(kind: IdKind): number {
    if (kind === "schema") return 0
    return kind === "partitionedVertex" ? 1 : this.#options.partition
  }

  async #newestEnd(key: Uint8Array): Promise<number> {
    const claims = await this.#columns.slice({ table: "janusgraph_ids", key, limit: NEWEST }, "system")
    return claims.reduce((newest, { column }) => Math.max(newest, Number(readClaim(column).end)), 1)
  }

  /** The claim with the lowest time of those of blocks with this end. */
  async #firstClaim(key: Uint8Array, end: number): Promise<Uint8Array> {
    const start = Buffer.alloc(8)
    start.writeBigInt64BE(BigInt(-end))
    const next = Buffer.alloc(8)
    next.writeBigInt64BE(BigInt(1 - end))
    const query = { table: "janusgraph_ids", key, start, end: next, limit: 1 } as const
    const [first] = await this.#columns.slice(query, "system")
    if (first !== undefined) return first.column
    throw new StorageUnavailable(
      `A claim of ids was written to ${this.#columns.place} and not there when it was read: writes and reads must meet in ` +
        "one replica (QUORUM), and instances need names of their own (graph.unique-instance-id)."
    )
  }

  /** A claim that stays costs a block of ids and nothing else: failing to remove it is no failure of its own. */
  async #remove(key: Uint8Array, column: Uint8Array, time: bigint): Promise<void> {
    for (let attempt = 0; attempt < REMOVALS; attempt++) {
      try {
        const now = this.#clock.now()
        // Later than what it removes, also where the clock was set back.
        const timestamp = now > time + 2n ? now : time + 2n
        const mutation = { table: "janusgraph_ids", key, additions: [], deletions: [column] } as const
        await this.#columns.mutate([mutation], timestamp, "system")
        return
      } catch {
        await this.#clock.sleep(REMOVAL_PAUSE)
      }
    }
  }
}

const tooSlow = (took: number, wait: number): StorageFailure =>
  new StorageUnavailable(
    `a claim of ids took ${Math.round(took)} ms to be written, and more than ${wait} ms are not safe ` +
      "(ids.authority.wait-time, which is the same for all instances)"
  )

/** Trying again does not help. */
class IdsExhausted extends StorageFailure {
  constructor(kind: IdKind, partition: number, place: string) {
    super(`All ids (${kind}) of the partition ${partition} in ${place} are claimed; this server counts up to 2^53.`)
  }
}
