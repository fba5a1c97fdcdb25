import { CommitOutcomeUnknown, StorageUnavailable, TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { GraphCore } from "../GraphCore.ts"

/** Conflicts of one commit with others: with the pauses, all of them last longer than a lock by default. */
const MAX_CONFLICTS = 1000
/** Failures of one commit or read because the store did not answer in time. With the pauses, all of them last more than seven minutes. */
const MAX_FAILURES = 20
/** The pause after a conflict and after the first failure. It doubles with each failure, so that an overloaded cluster recovers. */
const PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/**
 * Runs a commit or a read of a long job again while others hold locks of what it writes, or the store is slow: otherwise a job of hours
 * would begin again. A process that has died holds its locks until they expire, by default after five minutes. The work must have the
 * same effect if it is applied twice: a commit without an answer may have been applied. `attempt`: how often it has failed before.
 */
export const untilDone = async <A>(
  core: Pick<GraphCore, "assertOpen" | "cells">,
  work: (attempt: number) => Promise<A>,
  maxFailures = MAX_FAILURES
): Promise<A> => {
  let conflicts = 0
  let failures = 0
  for (;;) {
    try {
      return await work(conflicts + failures)
    } catch (error) {
      const isAgain =
        error instanceof TransactionConflict
          ? ++conflicts <= MAX_CONFLICTS
          : isPassing(error, core) && ++failures <= maxFailures
      if (!isAgain) throw error
      const isConflict = error instanceof TransactionConflict
      const pause = isConflict ? PAUSE_MS : Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** (failures - 1))
      await new Promise((resume) => setTimeout(resume, pause).unref())
    }
    core.assertOpen()
  }
}

/** A store that answers at once knows the outcome of its commits unless it has failed for good. */
const isPassing = (error: unknown, { cells }: Pick<GraphCore, "cells">): boolean =>
  error instanceof StorageUnavailable || (error instanceof CommitOutcomeUnknown && cells.answersLater)
