import { resultInSlices, runWhole, type Task } from "../../../scheduling/Task.ts"
import type { CellBatch, CellStore } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import { blockSize, claimColumn, claimKey, type IdKind, readClaim } from "../format/IdBlocks.ts"
import { commitLater } from "../management/IndexBuild.ts"
import type { IdBlock, IdSource } from "./IdSource.ts"

/** The partition of all elements that this server makes: on one machine several partitions would only scatter rows. */
export const PARTITION = 0

/** The partition in which JanusGraph claims the ids of partitioned vertices. */
const PARTITIONED_VERTEX_PARTITION = 1

/**
 * Number of claims that stay beside a new one. Only the newest says which ids are free. A process finds its own claim by the others,
 * also when other processes have claimed since: it is then not lost.
 */
const KEPT_CLAIMS = 32

const EMPTY = new Uint8Array(0)

/** Counts of a block that a synchronous claim looks at, because no other work runs meanwhile. */
const COUNTS_PER_LOOK = 256

/** Says whether elements have ids of a block that nobody has claimed; undefined if none can have. Yields between its reads. */
type TakenCheck = (kind: IdKind, block: IdBlock) => Task<boolean> | undefined

/** Claims blocks of ids in atomic commits of a store. The claims have the format of JanusGraph's id authority. */
export class StoreClaims implements IdSource {
  readonly #store: CellStore
  readonly #instance: string
  readonly #partitionBits: number
  readonly #size: number
  readonly claimsAhead: boolean
  readonly claimNow?: (kind: IdKind) => IdBlock
  readonly #isTaken: TakenCheck
  /** The claimed counts at whose rows a synchronous claim has not looked. */
  readonly #rests = new Map<IdKind, IdBlock>()

  constructor(
    store: CellStore,
    instance: string,
    partitionBits: number,
    size: number,
    isTaken: TakenCheck = () => undefined
  ) {
    this.#store = store
    this.#isTaken = isTaken
    this.#instance = instance
    this.#partitionBits = partitionBits
    this.#size = size
    this.claimsAhead = store.isShared ?? false
    if (!store.answersLater) this.claimNow = (kind) => this.#claimNow(kind)
  }

  size(kind: IdKind): number {
    return blockSize(kind, this.#size)
  }

  async claim(kind: IdKind): Promise<IdBlock> {
    const claims = new FreeClaims(this.#takeRest(kind))
    for (;;) {
      if (claims.claimed === undefined) {
        await commitLater({ cells: this.#store }, (batch) => claims.take(this.#claim(batch, kind, claims.from)))
      }
      const block = claims.claimed!
      const check = this.#isTaken(kind, block)
      if (check === undefined || !(await resultInSlices(() => check))) return block
      claims.giveUp()
    }
  }

  #claimNow(kind: IdKind): IdBlock {
    const claims = new FreeClaims(this.#takeRest(kind))
    for (;;) {
      if (claims.claimed === undefined) {
        this.#store.commitNow((batch) => claims.take(this.#claim(batch, kind, claims.from)))
      }
      const block = claims.claimed!
      const some = { ...block, count: Math.min(block.count, COUNTS_PER_LOOK) }
      const check = this.#isTaken(kind, some)
      if (check === undefined) return block
      if (!runWhole(check)) {
        const { count, first } = block
        const rest = { ...block, first: first + some.count, count: count - some.count }
        if (rest.count > 0) this.#rests.set(kind, rest)
        return some
      }
      claims.giveUp()
    }
  }

  /** The rest of the block of the last synchronous claim, which only one claim gets. */
  #takeRest(kind: IdKind): IdBlock | undefined {
    const rest = this.#rests.get(kind)
    this.#rests.delete(kind)
    return rest
  }

  /** Claims a block of counts in a commit: the first that are not claimed, from `from` on. */
  #claim(batch: CellBatch, kind: IdKind, from: number): IdBlock {
    const count = this.size(kind)
    const partition = kind === "partitionedVertex" ? PARTITIONED_VERTEX_PARTITION : PARTITION
    const key = claimKey(kind, partition, this.#partitionBits)
    const cursor = new CellCursor().over(batch.slice({ table: "janusgraph_ids", key, limit: KEPT_CLAIMS + 1 }).cells)
    const before: Array<Uint8Array> = []
    while (cursor.next()) before.push(Uint8Array.from(cursor.column()))
    const [newest] = before
    const start = Math.max(from, newest === undefined ? 1 : Number(readClaim(newest).end))
    const time = BigInt(Date.now()) * 1000n
    const column = claimColumn({ end: BigInt(start + count), time, instance: this.#instance })
    const old = before.slice(KEPT_CLAIMS).map((each) => ({ column: each, value: null }))
    batch.change("janusgraph_ids", key, [...old, { column, value: EMPTY }])
    return { first: start, step: 1, count, partition }
  }
}

/** The claims of one block: those of taken ids are given up, and the next one skips twice as many counts. */
class FreeClaims {
  /** The counts that are claimed, until they are given up. */
  claimed: IdBlock | undefined
  /** The next claim begins at this count or later. */
  from = 1
  #skipped = 0

  /** `claimed`: counts that an earlier claim has left. */
  constructor(claimed: IdBlock | undefined) {
    this.claimed = claimed
  }

  /** Takes the block of a commit, which may run again with another one. */
  take(block: IdBlock): void {
    this.claimed = block
  }

  /** Gives the block up, because an element has one of its ids. */
  giveUp(): void {
    const { count, first } = this.claimed!
    this.claimed = undefined
    this.from = first + count + this.#skipped
    this.#skipped = 2 * this.#skipped + count
  }
}
