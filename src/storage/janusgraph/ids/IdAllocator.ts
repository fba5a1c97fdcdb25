import { Pending } from "../../../scheduling/Pending.ts"
import { StorageFailure } from "../../../structure/errors/StoreErrors.ts"
import type { IdKind } from "../format/IdBlocks.ts"
import { type Id, relationId, type SchemaKind, STATIC_VERTEX, schemaId, vertexId } from "../format/Ids.ts"
import { partitionedVertexId } from "../format/PartitionedVertices.ts"
import type { IdBlock, IdSource } from "./IdSource.ts"

type Kind = IdKind
/** The kinds of ids that every graph needs. */
const commonKinds: ReadonlyArray<Kind> = ["vertex", "relation", "schema"]

/** A block is claimed in the background when less than this fraction of a block is left (`ids.renew-percentage`). */
const RENEW_FRACTION = 0.3

/** Where claims are asynchronous, writers wait for a claim when less than this fraction of a block is left. */
const LOW_FRACTION: Readonly<Record<Kind, number>> = {
  vertex: 0.1,
  partitionedVertex: 0.1,
  unmodifiableVertex: 0.1,
  relation: 0.1,
  schema: 0.5
}

/** The maximum number of blocks that are claimed ahead when ids are used faster than they are claimed. */
const MAX_BLOCKS_AHEAD = 16

/** The claimed blocks of one kind. */
class Supply {
  readonly blocks: Array<IdBlock> = []
  /** Counts of the first block that were used. */
  used = 0
  /** Counts of all blocks that were not used. */
  left = 0
  /** A block is claimed when fewer counts are left. */
  wanted: number
  claiming: Promise<void> | undefined
  failure: unknown

  constructor(wanted: number) {
    this.wanted = wanted
  }
}

/**
 * Allocates ids from claimed blocks, so that several processes can allocate at the same time. The rest of a block is
 * lost when the process ends.
 */
export class IdAllocator {
  readonly #source: IdSource
  readonly #partitionBits: number
  readonly #supplies: Readonly<Record<Kind, Supply>>
  /** True when ids should be available before they are needed, because a claim is asynchronous or may wait. */
  readonly #isAhead: boolean

  constructor(source: IdSource, partitionBits: number) {
    this.#source = source
    this.#isAhead = source.claimNow === undefined || source.claimsAhead === true
    this.#partitionBits = partitionBits
    const supply = (kind: Kind, share: number): Supply => new Supply(Math.max(1, source.size(kind) * share))
    // A schema editor reserves half a block at once.
    const schema = supply("schema", this.#isAhead ? 1 : RENEW_FRACTION)
    this.#supplies = {
      vertex: supply("vertex", RENEW_FRACTION),
      partitionedVertex: supply("partitionedVertex", RENEW_FRACTION),
      unmodifiableVertex: supply("unmodifiableVertex", RENEW_FRACTION),
      relation: supply("relation", RENEW_FRACTION),
      schema
    }
  }

  /**
   * A new vertex id. Throws StorageFailure when none is left and claims are asynchronous; so do the next two methods.
   */
  vertex(): number {
    const count = this.#next("vertex")
    return vertexId(count, this.#supplies.vertex.blocks[0]!.partition, this.#partitionBits)
  }

  /** A new id of a vertex with a static label: JanusGraph sees by the id that the vertex is static. */
  staticVertex(): number {
    const count = this.#next("unmodifiableVertex")
    return vertexId(count, this.#supplies.unmodifiableVertex.blocks[0]!.partition, this.#partitionBits) + STATIC_VERTEX
  }

  /** A new id of a partitioned vertex, that of its canonical representative. */
  partitionedVertex(): Id {
    return partitionedVertexId(this.#next("partitionedVertex"), this.#partitionBits)
  }

  /** A new relation id. */
  relation(): number {
    const count = this.#next("relation")
    return relationId(count, this.#supplies.relation.blocks[0]!.partition, this.#partitionBits)
  }

  /** A new id of a schema vertex. */
  schema(kind: SchemaKind): number {
    return schemaId(kind, this.#next("schema"))
  }

  /** Waits until ids of every common kind are available. Fails with StorageFailure. */
  async prepare(): Promise<void> {
    await Promise.all(commonKinds.map((kind) => this.ensure(kind, 1)))
  }

  /** Waits until `count` ids are available. Fails with StorageFailure. */
  async ensure(kind: Kind, count: number): Promise<void> {
    for (let missing = this.missing(kind, count); missing !== undefined; missing = this.missing(kind, count))
      await missing
  }

  /**
   * Claims one block unless `count` ids are available; undefined when they are, or when claims are synchronous
   * and do not wait for other processes.
   */
  missing(kind: Kind, count: number): Promise<void> | undefined {
    const supply = this.#supplies[kind]
    if (!this.#isAhead || supply.left >= count) return undefined
    return this.#claim(kind, supply)
  }

  /**
   * Undefined while enough ids are available for the batch of a step, or when claims are synchronous and do not
   * wait for other processes. Otherwise it
   * completes when they are available again, or fails with StorageFailure. The graph has partitioned or static vertex labels
   * if `schema` says so.
   */
  scarce(schema: { readonly hasPartitioned: boolean; readonly hasStatic: boolean }): Pending | undefined {
    if (!this.#isAhead) return undefined
    const kinds = [...commonKinds]
    if (schema.hasPartitioned) kinds.push("partitionedVertex")
    if (schema.hasStatic) kinds.push("unmodifiableVertex")
    let isScarce = false
    for (const kind of kinds) {
      if (this.#supplies[kind].left < this.#low(kind)) isScarce = true
    }
    return isScarce ? Pending.fromPromise(this.#replenish(kinds)) : undefined
  }

  #low(kind: Kind): number {
    return Math.max(1, Math.floor(this.#source.size(kind) * LOW_FRACTION[kind]))
  }

  async #replenish(kinds: ReadonlyArray<Kind>): Promise<void> {
    await Promise.all(
      kinds.map((kind) => {
        const supply = this.#supplies[kind]
        // Ids are used faster than they are claimed: claim more of them ahead.
        const most = this.#source.size(kind) * MAX_BLOCKS_AHEAD
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
        // The next allocation tries again. When no id is left, the allocation fails with this error.
      })
    }
    return block.first + block.step * supply.used++
  }

  /** Claims the next block synchronously. */
  #now(kind: Kind, supply: Supply): IdBlock {
    if (this.#source.claimNow === undefined) {
      const reason = supply.failure instanceof Error ? ` The last claim failed: ${supply.failure.message}` : ""
      const advice = kind === "schema" ? "" : ", or raise ids.block-size"
      throw new StorageFailure(
        `No new ids are available until a claim completes. Run the request again in a moment${advice}.${reason}`
      )
    }
    return this.#add(supply, this.#source.claimNow(kind))
  }

  #add(supply: Supply, block: IdBlock): IdBlock {
    supply.blocks.push(block)
    supply.left += block.count
    return block
  }

  /** Claims a block. Calls during a claim wait for that claim. */
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
