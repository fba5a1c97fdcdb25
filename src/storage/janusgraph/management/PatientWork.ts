import {
  CommitOutcomeUnknown,
  FailedAfterCommit,
  NotAcknowledged,
  StorageUnavailable,
  TransactionConflict
} from "../../../structure/errors/StoreErrors.ts"
import type { Outlook } from "../cells/Outlook.ts"
import type { GraphCore } from "../GraphCore.ts"

/** Conflicts of one commit with others: with the pauses, all of them last longer than a lock by default. */
const MAX_CONFLICTS = 1000
/** Conflicts after which the log says why a job waits: most pass at once. */
const REPORTED_CONFLICTS = 10
/** Failures of one commit or read because the store did not answer in time. With the pauses, all of them last more than seven minutes. */
const MAX_FAILURES = 20
/** Failures of one commit or read that may never pass, such as an error of a node. */
const MAX_DOUBTFUL_FAILURES = 3
/** The pause after a conflict and after the first failure. It doubles with each failure, so that an overloaded cluster recovers. */
const PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** A job notices within this time that the graph was closed. */
const CLOSE_MS = 250

type PatientCore = Pick<GraphCore, "assertOpen" | "cells" | "onRepetition">

/**
 * Runs a commit or a read of a long job again while others hold locks of what it writes, or the store is slow: otherwise a job of hours
 * would begin again. A process that has died holds its locks until they expire, by default after five minutes. What an operator must mend,
 * such as a missing permission, fails at once. The work must have the same effect if it is applied twice: a commit without an answer may
 * have been applied, and one that failed after its commit has. `attempt`: how often it has failed before.
 */
export const untilDone = async <A>(
  core: PatientCore,
  work: (attempt: number) => Promise<A>,
  maxFailures = MAX_FAILURES
): Promise<A> => {
  let [conflicts, failures, doubtful] = [0, 0, 0]
  for (;;) {
    try {
      return await work(conflicts + failures)
    } catch (error) {
      // What a closed store answers says nothing about the job.
      core.assertOpen()
      const isConflict = error instanceof TransactionConflict
      if (isConflict) conflicts++
      else failures++
      const outlook = isConflict ? "passes" : outlookFor(error, core)
      if (outlook === "mayStay") doubtful++
      const isOver = conflicts > MAX_CONFLICTS || failures > maxFailures || doubtful > MAX_DOUBTFUL_FAILURES
      if (outlook === "stays" || isOver) throw error
      if (isConflict ? conflicts === REPORTED_CONFLICTS : failures === 1) core.onRepetition?.(error)
      await pause(core, isConflict ? PAUSE_MS : Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** (failures - 1)))
    }
  }
}

/** Waits. Throws StorageFailure when the graph is closed. */
const pause = async (core: PatientCore, milliseconds: number): Promise<void> => {
  for (let left = milliseconds; left > 0; left -= CLOSE_MS) {
    await new Promise((resume) => setTimeout(resume, Math.min(left, CLOSE_MS)).unref())
    core.assertOpen()
  }
}

/**
 * A store that answers at once knows the outcome of its commits unless it has failed for good. What fails after a commit, such as its news
 * to other instances, is done again with the commit. Instances that do not acknowledge the news had a minute: an operator must look at
 * them.
 */
const outlookFor = (error: unknown, core: PatientCore): Outlook => {
  const { cells } = core
  if (error instanceof FailedAfterCommit) return outlookFor(error.cause, core)
  if (error instanceof NotAcknowledged) return "stays"
  return error instanceof StorageUnavailable || (error instanceof CommitOutcomeUnknown && cells.answersLater)
    ? (cells.outlookOf?.(error) ?? "passes")
    : "stays"
}
