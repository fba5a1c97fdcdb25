import type { IdKind } from "../format/IdBlocks.ts"

/** A block of `count` counts that this process has claimed: `first`, `first + step`, `first + 2 * step` and so on. */
export interface IdBlock {
  readonly first: number
  readonly step: number
  readonly count: number
  /** The partition of the ids with these counts. */
  readonly partition: number
}

/** Claims blocks of counts. No two processes that share a store claim the same counts. */
export interface IdSource {
  /** The number of counts in a block. */
  size(kind: IdKind): number
  /** Claims a block. Fails with StorageFailure. */
  claim(kind: IdKind): Promise<IdBlock>
  /**
   * True when a synchronous claim may wait for another process, and block the event loop: then blocks are claimed ahead, and {@link
   * claimNow} is only for what was not expected. Absent means false.
   */
  readonly claimsAhead?: boolean
  /** Claims a block synchronously; absent where the store answers later. Throws StorageFailure. */
  claimNow?(kind: IdKind): IdBlock
}
