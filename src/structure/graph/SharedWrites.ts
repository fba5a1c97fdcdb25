/** A part of the data of a store, as a hash of 32 bits. If parts have the same hash, a change of one counts as a change of all. */
export type PartHash = number

/**
 * What another worker that writes a part, or is about to, does when it sees that this worker is about to write. Both must not go on
 * before one of them knows the changes of the other.
 */
export type OtherWriter = "none" | "gives way" | "goes on"

/**
 * The writes of all workers of a server to stores that have no locks of their own, such as Cassandra. A worker announces a write, and
 * then looks whether others have changed what it has read, or are about to. Each access is atomic, so of two workers that announce at the
 * same time, at least one sees the other.
 */
export interface SharedWrites {
  /** A count that grows with each change of the part by another worker, and wraps around. Read it before the part. */
  changesByOthers(part: PartHash): number
  /** Whether another worker writes the part. Ask after {@link begin}. */
  otherWriter(part: PartHash): OtherWriter
  /** This worker is about to write the parts. */
  begin(parts: ReadonlyArray<PartHash>): void
  /**
   * A write of this worker may reach the store within `ms` after it was sent, not later. If this worker dies, its writes end so long
   * after its death. The largest value counts.
   */
  lasting(ms: number): void
  /** Ends what {@link begin} began. `isChanged`: the parts may be changed, so others must read them again. */
  end(parts: ReadonlyArray<PartHash>, isChanged: boolean): void
  /**
   * A count that grows with each {@link changedWhole} of another worker, and wraps around. Read it before the data. It is for changes
   * that are not announced as parts.
   *
   * @param whole a hash of 32 bits: the name of what changes as a whole, such as the schema of a keyspace
   */
  wholeChangesByOthers(whole: number): number
  /** This worker has changed something of a whole. */
  changedWhole(whole: number): void
  /** An even number: `time`, or a later one, so that it is later than all that any worker has got. Microseconds. */
  timeFrom(time: bigint): bigint
}
