import { TaggedError } from "./TaggedError.ts"

/** Errors of the storage layer. The table in services/Errors.ts maps each tag to a status for clients. */

/**
 * Data of an element was read before it was fetched from a store that answers later. A traversal fetches before it reads. A script,
 * whose reads are not known before, fetches the element when it meets this error. No client gets it.
 */
export class NotFetched extends Error {}

/** Another transaction committed a conflicting change first. The whole transaction should be run again. */
export class TransactionConflict extends TaggedError {
  readonly _tag = "TransactionConflict"
  /** What both changed, as a part of a sentence. */
  readonly what: string
  constructor(what: string) {
    super(
      `The transaction conflicts with a transaction that committed first (${what}); nothing was written. Run it again.`
    )
    this.what = what
  }
}

/** An element with this id exists already. */
export class ElementExists extends TaggedError {
  readonly _tag = "ElementExists"
}

/** The graph does not take this id, label or value. */
export class UnsupportedValue extends TaggedError {
  readonly _tag = "UnsupportedValue"
}

/** One of many elements that were added together was refused. */
export class ElementRefused extends TaggedError {
  readonly _tag = "ElementRefused"
  /** The number that the element was added with. */
  readonly origin: number
  constructor(origin: number, cause: Error) {
    super(cause.message, { cause })
    this.origin = origin
  }
}

/** The element does not exist, or was removed. */
export class ElementNotFound extends TaggedError {
  readonly _tag = "ElementNotFound"
}

/** A write in a read-only transaction. */
export class ReadOnlyTransaction extends TaggedError {
  readonly _tag = "ReadOnlyTransaction"
}

/** The graph has no explicit transactions: it does not support commit() and rollback(). */
export class TransactionsNotSupported extends TaggedError {
  readonly _tag = "TransactionsNotSupported"
}

/**
 * The store could not read or write; the message says what the operator can do. A commit that fails with it, or with one of its subclasses,
 * has changed nothing. A commit that may have been applied fails with {@link CommitOutcomeUnknown}.
 */
export class StorageFailure extends TaggedError {
  readonly _tag = "StorageFailure"
}

/** The reason of a graph that refuses every request because it was closed. */
export const closedReason = (graph: string): string =>
  `The graph ${graph} is closed: its server is shutting down, or the program around the server has closed it. Send the ` +
  "request to another server, or again when this one has started."

/** The store has no room for a write. Reads continue, and the next write is tried again. */
export class StorageFull extends StorageFailure {}

/** A remote store, or another process, did not answer, or not in time. The next request tries again. */
export class StorageUnavailable extends StorageFailure {}

/** Other instances were told of a changed schema, and have not acknowledged it in time. The message names them. */
export class NotAcknowledged extends StorageUnavailable {}

/**
 * The outcome of a commit is unknown: it may have been applied completely, in part, or not at all. Read the graph before you run it
 * again.
 */
export class CommitOutcomeUnknown extends TaggedError {
  readonly _tag = "CommitOutcomeUnknown"
  /** `what`: the failure, in words. */
  constructor(what: string, options?: ErrorOptions) {
    super(
      `It is not known whether the commit was applied: ${what} The changes may have been applied, in part or as a whole. Read ` +
        "the changed elements before you send the request again.",
      options
    )
  }
}

/** A commit was applied, but a later part of its work failed. */
export class FailedAfterCommit extends TaggedError {
  readonly _tag = "FailedAfterCommit"
  /** `what`: the failure, in words. */
  constructor(what: string, options?: ErrorOptions) {
    super(`The changes are committed, but an operation after the commit failed: ${what}`, options)
  }
}

/** The graph in memory is as large as its settings, or the heap, allow; reads and deletes still work. */
export class MemoryLimitExceeded extends TaggedError {
  readonly _tag = "MemoryLimitExceeded"
  /** `maxBytes`: the limit in the settings of the graph; undefined if the heap is full. */
  constructor(graph: string, maxBytes: number | undefined) {
    super(
      maxBytes === undefined
        ? `The graph ${graph} cannot grow: graphs in memory fill the server's heap; nothing was written. ` +
            "Remove data, end transactions that have been open for long, or give the server a larger heap (--max-old-space-size)."
        : `The graph ${graph} has reached its limit of ${maxBytes} bytes (storage.memory.max-bytes); nothing was written. ` +
            "Remove data, end transactions that have been open for long, or raise the limit."
    )
  }
}
