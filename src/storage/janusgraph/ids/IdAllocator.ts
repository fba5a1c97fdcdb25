import { Pending } from "../../../scheduling/Pending.ts"
import { StorageFailure } from "../../../structure/StoreErrors.ts"
import type { IdKind } from "../format/IdBlocks.ts"
import { relationId, type SchemaKind, schemaId, vertexId } from "../format/Ids.ts"
import type { IdBlock, IdSource } from "./IdSource.ts"

/** Kinds of ids that are given out. */
type Kind = Extract<IdKind, "vertex" | "relation" | "schema">
const kinds: ReadonlyArray<Kind> = ["vertex", "relation", "schema"]

/** Blocks are claimed in the background when less than this share of one is left (`ids.renew-percentage`). */
const RENEW = 0.3

/** Where claims take time, who makes elements waits for them when less than this share of a block is left. */
const LOW: Readonly<Record<Kind, number>> = { vertex: 0.1, relation: 0.1, schema: 0.5 }

/** Blocks that are claimed ahead, at most, when ids are used up faster than they come. */
const AHEAD = 16

/** What is left of the blocks of one kind. */
class Supply {
  readonly blocks: Array<IdBlock> = []
  /** Counts of the first block that were given out. */
  used = 0
  left = 0
  /** Counts below which more are claimed. */
  wanted: number
  claiming: Promise<void> | undefined
  failure: unknown

  constructor(wanted: number) {
    this.wanted = wanted
  }
}

/**
 * Gives out ids from blocks that are claimed, so that several processes can: what is left of a block when the process
 * ends is not used.
 */
export class IdAllocator {
  readonly #source: IdSource
  readonly #partitionBits: number
  readonly #supplies: Readonly<Record<Kind, Supply>>

  constructor(source: IdSource, partitionBits: number) {
    this.#source = source
    this.#partitionBits = partitionBits
    const supply = (kind: Kind, share: number): Supply => new Supply(Math.max(1, source.size(kind) * share))
    // An editor of the schema takes half a block at once.
    const schema = supply("schema", source.claimNow === undefined ? 1 : RENEW)
    this.#supplies = { vertex: supply("vertex", RENEW), relation: supply("relation", RENEW), schema }
  }

  vertex(): number {
    const count = this.#next("vertex")
    return vertexId(count, this.#supplies.vertex.blocks[0]!.partition, this.#partitionBits)
  }

  relation(): number {
    const count = this.#next("relation")
    return relationId(count, this.#supplies.relation.blocks[0]!.partition, this.#partitionBits)
  }

  schema(kind: SchemaKind): number {
    return schemaId(kind, this.#next("schema"))
  }

  /** Where claims take time: ids must be here before they are needed. */
  async prepare(): Promise<void> {
    await Promise.all(kinds.map((kind) => this.ensure(kind, 1)))
  }

  /** Where claims take time: done when so many ids can be given out at once. Fails with StorageFailure. */
  async ensure(kind: Kind, count: number): Promise<void> {
    for (let missing = this.missing(kind, count); missing !== undefined; missing = this.missing(kind, count))
      await missing
  }

  /** The same one claim at a time: undefined when so many ids can be given out now. */
  missing(kind: Kind, count: number): Promise<void> | undefined {
    const supply = this.#supplies[kind]
    if (this.#source.claimNow !== undefined || supply.left >= count) return undefined
    return this.#claim(kind, supply)
  }

  /**
   * Where claims take time: undefined while there are enough ids for what a step makes at a time, else done when there are
   * again. Fails with StorageFailure.
   */
  get scarce(): Pending | undefined {
    if (this.#source.claimNow !== undefined) return undefined
    let isScarce = false
    for (const kind of kinds) {
      if (this.#supplies[kind].left < this.#low(kind)) isScarce = true
    }
    return isScarce ? Pending.fromPromise(this.#replenish()) : undefined
  }

  #low(kind: Kind): number {
    return Math.max(1, Math.floor(this.#source.size(kind) * LOW[kind]))
  }

  async #replenish(): Promise<void> {
    await Promise.all(
      kinds.map((kind) => {
        const supply = this.#supplies[kind]
        // They are used up faster than they come.
        const most = this.#source.size(kind) * AHEAD
        if (supply.left < this.#low(kind)) supply.wanted = Math.min(supply.wanted * 2, most)
        return this.ensure(kind, this.#low(kind))
      })
    )
  }

  #next(kind: Kind): number {
    const supply = this.#supplies[kind]
    let block = supply.blocks[0]
    if (block !== undefined && supply.used >= block.count) {
      supply.blocks.shift()
      supply.used = 0
      block = supply.blocks[0]
    }
    block ??= this.#now(kind, supply)
    supply.left--
    if (supply.left < supply.wanted && supply.claiming === undefined) {
      this.#claim(kind, supply).catch(() => {
        // Asked for again when more are given out; when there are none, the error is somebody's answer.
      })
    }
    return block.first + block.step * supply.used++
  }

  /** The block after the last one. */
  #now(kind: Kind, supply: Supply): IdBlock {
    if (this.#source.claimNow === undefined) {
      const reason = supply.failure instanceof Error ? ` The last claim failed: ${supply.failure.message}` : ""
      throw new StorageFailure(
        `New ids are being claimed and not here yet; run the request again in a moment, or raise ids.block-size.${reason}`
      )
    }
    return this.#add(supply, this.#source.claimNow(kind))
  }

  #add(supply: Supply, block: IdBlock): IdBlock {
    supply.blocks.push(block)
    supply.left += block.count
    return block
  }

  /** Claims a block; those who ask meanwhile wait for the same one. */
  #claim(kind: Kind, supply: Supply): Promise<void> {
    supply.claiming ??= this.#source.claim(kind).then(
      (block) => {
        supply.claiming = undefined
        supply.failure = undefined
        this.#add(supply, block)
      },
      (error) => {
        supply.claiming = undefined
        supply.failure = error
        throw error
      }
    )
    return supply.claiming
  }
}
