import { StorageFailure } from "../../structure/StoreErrors.ts"
import type { CellBatch, CellStore } from "./CellStore.ts"
import { CellCursor } from "./Cells.ts"
import { blockSize, claimColumn, claimKey, type IdKind, readClaim } from "./codec/IdBlocks.ts"
import { relationId, type SchemaKind, schemaId, vertexId } from "./codec/Ids.ts"

/** A block is replaced in the background when so much of it is left (`ids.renew-percentage`). */
const RENEW = 0.3

/** All that this server makes lies in one partition: on one machine they would only scatter what belongs together. */
export const PARTITION = 0

const EMPTY = new Uint8Array(0)

interface Block {
  next: number
  end: number
  readonly size: number
}

/**
 * Gives out ids from blocks that are claimed in the store, so that several processes can: what is left of a block when
 * the process ends is not used. Claims are those of JanusGraph's id authority, made in an atomic commit.
 */
export class IdAllocator {
  readonly #store: CellStore
  readonly #instance: string
  readonly #partitionBits: number
  readonly #size: number
  readonly #blocks = new Map<IdKind, Block>()
  readonly #waiting = new Map<IdKind, Block>()
  readonly #claiming = new Set<IdKind>()

  constructor(store: CellStore, instance: string, partitionBits: number, size: number) {
    this.#store = store
    this.#instance = instance
    this.#partitionBits = partitionBits
    this.#size = size
  }

  vertex(): number {
    return vertexId(this.#next("vertex"), PARTITION, this.#partitionBits)
  }

  relation(): number {
    return relationId(this.#next("relation"), PARTITION, this.#partitionBits)
  }

  schema(kind: SchemaKind): number {
    return schemaId(kind, this.#next("schema"))
  }

  /** For stores that answer later: blocks must be here before they are needed. */
  async prepare(): Promise<void> {
    for (const kind of ["vertex", "relation", "schema"] as const) {
      if (!this.#blocks.has(kind)) await this.#claimLater(kind)
    }
  }

  /** Makes sure that so many ids can be given out at once, at most a block of them: needed of a store that answers later. */
  async ensure(kind: IdKind, count: number): Promise<void> {
    if (!this.#store.answersLater) return
    while (this.#left(kind) < Math.min(count, blockSize(kind, this.#size))) await this.#claimLater(kind)
  }

  #left(kind: IdKind): number {
    const block = this.#blocks.get(kind)
    const waiting = this.#waiting.get(kind)
    return (block === undefined ? 0 : block.end - block.next) + (waiting === undefined ? 0 : waiting.end - waiting.next)
  }

  #next(kind: IdKind): number {
    let block = this.#blocks.get(kind)
    if (block === undefined || block.next >= block.end) block = this.#replace(kind)
    const id = block.next++
    if (block.end - block.next < block.size * RENEW && !this.#waiting.has(kind) && !this.#claiming.has(kind)) {
      this.#claimLater(kind).catch(() => {
        // Asked for again when the block is at its end; then the error is somebody's answer.
      })
    }
    return id
  }

  /** The block after one that is used up. */
  #replace(kind: IdKind): Block {
    let block = this.#waiting.get(kind)
    this.#waiting.delete(kind)
    if (block === undefined) {
      if (this.#store.answersLater) {
        throw new StorageFailure("New ids are being claimed and not here yet; run the request again in a moment.")
      }
      this.#store.commitNow((batch) => {
        block = this.#claim(batch, kind)
      })
    }
    this.#blocks.set(kind, block!)
    return block!
  }

  #claimLater(kind: IdKind): Promise<void> {
    this.#claiming.add(kind)
    let block: Block | undefined
    return new Promise<void>((resolve, reject) => {
      this.#store
        .commit((batch) => {
          block = this.#claim(batch, kind)
        })
        .onDone((error) => {
          this.#claiming.delete(kind)
          if (error !== undefined) {
            reject(error)
            return
          }
          if (this.#blocks.has(kind)) this.#waiting.set(kind, block!)
          else this.#blocks.set(kind, block!)
          resolve()
        })
    })
  }

  /** Claims a block of counts in a commit. */
  #claim(batch: CellBatch, kind: IdKind): Block {
    const count = blockSize(kind, this.#size)
    const key = claimKey(kind, PARTITION, this.#partitionBits)
    const cursor = new CellCursor().over(batch.slice({ table: "janusgraph_ids", key, limit: 1 }).cells)
    const newest = cursor.next() ? Uint8Array.from(cursor.column()) : undefined
    const start = newest === undefined ? 1 : Math.max(1, Number(readClaim(newest).end))
    const end = start + count
    const time = BigInt(Date.now()) * 1000n
    const column = claimColumn({ end: BigInt(end), time, instance: this.#instance })
    // Only the newest claim says anything: the one before it makes room.
    const changes = newest === undefined ? [] : [{ column: newest, value: null }]
    batch.change("janusgraph_ids", key, [...changes, { column, value: EMPTY }])
    return { next: start, end, size: count }
  }
}
