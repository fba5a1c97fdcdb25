/**
 * What a client loses without its knowledge: `changes` that it has not committed, the `outcome` of a commit, or only the `state` that it
 * reads, in a transaction that it has begun and that has no changes.
 */
export type Loss = "changes" | "outcome" | "state"

/** How long a lost transaction is known, ms: as long as a session may be idle by default. */
export const LOSS_KNOWN_MS = 28_800_000

/** What the server knows of the transaction of a session after the session, its connection or its worker has ended. */
export interface TransactionRecord {
  /** The transaction is open, or its commit is under way. If this worker dies now, the client has lost this. */
  readonly hold: (loss: Loss) => void
  /** The client knows how its transaction ended. */
  readonly forget: () => void
  /** The session ends, and its client has lost this. */
  readonly lose: (loss: Loss) => void
  /** What a client of these names has lost. */
  readonly loss: () => Loss | undefined
  /** What a client of these names has lost. It is forgotten with this call. */
  readonly takeLoss: () => Loss | undefined
}

/** The record of a user's session of this name. */
export type TransactionRecords = (user: string, session: string) => TransactionRecord
