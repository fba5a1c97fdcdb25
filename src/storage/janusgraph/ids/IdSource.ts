import type { IdKind } from "../format/IdBlocks.ts"

/** Counts that were claimed for this process alone: `first`, `first + step`, and so on, so many. */
export interface IdBlock {
  readonly first: number
  readonly step: number
  readonly count: number
  /** The partition that ids with these counts lie in. */
  readonly partition: number
}

/** Claims blocks of counts, each for one process alone, whatever others share the store. */
export interface IdSource {
  /** Counts in a block. */
  size(kind: IdKind): number
  /** Fails with StorageFailure. */
  claim(kind: IdKind): Promise<IdBlock>
  /** At once; absent where the store answers later. Throws StorageFailure. */
  claimNow?(kind: IdKind): IdBlock
}
