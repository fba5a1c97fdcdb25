/** Errors of the storage layer. One table (services/Errors.ts) turns each tag into a status for clients. */

/** Base of the errors that storage and the machine raise; `_tag` names the kind. */
export abstract class TaggedError extends Error {
  abstract readonly _tag: string
  constructor(message?: string, options?: ErrorOptions) {
    super(message === undefined || message.length <= LONGEST_MESSAGE ? message : beginning(message), options)
  }
}

/** Characters of a message: it quotes what clients sent, and goes to them, into headers, frames and the log, as a whole. */
const LONGEST_MESSAGE = 8_192

/** The beginning of a text that is as long as a client made it. */
export const beginning = (text: string, length = LONGEST_MESSAGE): string =>
  text.length <= length ? text : `${text.slice(0, length)}...`

/** Another transaction committed a change to the same thing first. The whole transaction should be run again. */
export class TransactionConflict extends TaggedError {
  readonly _tag = "TransactionConflict"
  /** What was changed by both, in words. */
  readonly what: string
  constructor(what: string) {
    super(`The transaction conflicts with one committed meanwhile (${what}); nothing was written. Run it again.`)
    this.what = what
  }
}

/** An element with this id is already there. */
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

/** The element is not in the graph (any more). */
export class ElementNotFound extends TaggedError {
  readonly _tag = "ElementNotFound"
}

/** A write in a transaction that only reads. */
export class ReadOnlyTransaction extends TaggedError {
  readonly _tag = "ReadOnlyTransaction"
}

/** The graph has no explicit transactions: commit() and rollback() mean nothing to it. */
export class TransactionsNotSupported extends TaggedError {
  readonly _tag = "TransactionsNotSupported"
}

/** The store could not read or write; the message says what the person running the server can do. */
export class StorageFailure extends TaggedError {
  readonly _tag = "StorageFailure"
}

/** Why a graph refuses every request after it was closed as it should be. */
export const closedReason = (graph: string): string =>
  `The graph ${graph} is closed: its server is shutting down, or the program around the server has closed it. Send the ` +
  "request to another server, or again when this one has started."

/** The store has no room for what was to be written. Nothing of it was, reads go on, and the next write is tried again. */
export class StorageFull extends StorageFailure {}

/**
 * The store is somewhere else and did not answer, or not in time. What was to be written may have been, in part; reads and
 * writes are tried again with the next request.
 */
export class StorageUnavailable extends StorageFailure {}

/**
 * A commit was begun, and it is not known what became of it: it may have been applied as a whole, in part, or not at all.
 * It must not be run again without a look at what is there.
 */
export class CommitOutcomeUnknown extends TaggedError {
  readonly _tag = "CommitOutcomeUnknown"
  /** `what`: the failure, in words. */
  constructor(what: string, options?: ErrorOptions) {
    super(
      `It is not known whether the commit was applied: ${what} The changes may have been applied, in part or as a whole. Read ` +
        "what is there before you send the request again.",
      options
    )
  }
}

/** A commit was applied, and something failed that belongs to it and comes after it. */
export class FailedAfterCommit extends TaggedError {
  readonly _tag = "FailedAfterCommit"
  /** `what`: the failure, in words. */
  constructor(what: string, options?: ErrorOptions) {
    super(`The changes are committed, and what comes after the commit failed: ${what}`, options)
  }
}

/** The graph in memory is as large as its settings, or the heap, allow; reads and deletes still work. */
export class MemoryLimitExceeded extends TaggedError {
  readonly _tag = "MemoryLimitExceeded"
  /** `maxBytes` of the graph's settings; undefined when it is the heap that is full. */
  constructor(graph: string, maxBytes: number | undefined) {
    super(
      maxBytes === undefined
        ? `The graph ${graph} cannot grow: the server's heap is full of what graphs in memory keep; nothing was written. ` +
            "Remove data, end transactions that have been open for long, or give the server a larger heap (--max-old-space-size)."
        : `The graph ${graph} has reached its limit of ${maxBytes} bytes (storage.memory.max-bytes); nothing was written. ` +
            "Remove data, end transactions that have been open for long, or raise the limit."
    )
  }
}
