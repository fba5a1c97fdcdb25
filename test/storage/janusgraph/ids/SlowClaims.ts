import { setImmediate } from "node:timers/promises"
import { blockSize, type IdKind } from "../../../../src/storage/janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../../../src/storage/janusgraph/ids/IdSource.ts"
import type { StorageFailure } from "../../../../src/structure/errors/StoreErrors.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** A source whose claims take some turns of the event loop. */
export class SlowClaims implements IdSource {
  readonly #size: number
  readonly #ends = new Map<IdKind, number>()
  claims = 0
  failure: StorageFailure | undefined

  constructor(size: number) {
    this.#size = size
  }

  size(kind: IdKind): number {
    return blockSize(kind, this.#size)
  }

  async claim(kind: IdKind): Promise<IdBlock> {
    this.claims++
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    if (this.failure !== undefined) throw this.failure
    const start = this.#ends.get(kind) ?? 1
    const count = this.size(kind)
    this.#ends.set(kind, start + count)
    // The claimant's tag takes four bits of a count, as JanusGraph's default does.
    return { first: start * 16 + 3, step: 16, count, partition: 7 }
  }
}

/** A store that answers later, and whose claims are slow. */
export class SlowlyClaimingStore extends MemoryCellStore {
  readonly idSource: SlowClaims

  constructor(size: number) {
    super({ answersLater: true })
    this.idSource = new SlowClaims(size)
  }
}
