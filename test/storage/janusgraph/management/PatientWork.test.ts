import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { Outlook } from "../../../../src/storage/janusgraph/cells/Outlook.ts"
import { untilDone } from "../../../../src/storage/janusgraph/management/PatientWork.ts"
import {
  CommitOutcomeUnknown,
  FailedAfterCommit,
  NotAcknowledged,
  StorageFailure,
  StorageUnavailable,
  TransactionConflict
} from "../../../../src/structure/errors/StoreErrors.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Run {
  readonly answer: Promise<string>
  readonly attempts: () => number
  /** The errors whose repetition was reported. */
  readonly reported: ReadonlyArray<unknown>
}

interface Given {
  isClosed?: boolean
  readonly answersLater?: boolean
  readonly outlook?: Outlook
}

/** Work that fails with `error` a number of times. */
const run = (error: Error, times: number, given: Given = {}): Run => {
  let attempts = 0
  const reported: Array<unknown> = []
  const core = {
    cells: { answersLater: given.answersLater ?? true, outlookOf: () => given.outlook ?? "passes" },
    onRepetition: (cause: unknown) => reported.push(cause),
    assertOpen: () => {
      if (given.isClosed === true) throw new StorageFailure("the graph is closed")
    }
  }
  const answer = untilDone(core as never, async (attempt) => {
    expect(attempt).toBe(attempts++)
    if (attempt < times) throw error
    return "done"
  })
  answer.catch(() => undefined)
  return { answer, attempts: () => attempts, reported }
}

it("A long job goes on after commits whose outcome is unknown and reads without an answer", async () => {
  for (const error of [new CommitOutcomeUnknown("no answer."), new StorageUnavailable("no answer")]) {
    const { answer, attempts } = run(error, 20)
    await vi.advanceTimersByTimeAsync(6 * 60_000)
    expect(attempts()).toBeGreaterThan(10)
    expect(attempts()).toBeLessThan(21)
    await vi.advanceTimersByTimeAsync(4 * 60_000)
    expect(await answer).toBe("done")
  }
})

it("A long job waits while others hold a lock of what it writes", async () => {
  const { answer } = run(new TransactionConflict("a lock"), 600)
  await vi.advanceTimersByTimeAsync(301_000)
  expect(await answer).toBe("done")
})

it("A long job ends when its store does not answer for minutes, fails or is closed", async () => {
  const silent = new StorageUnavailable("no answer")
  const outage = run(silent, 21)
  await vi.advanceTimersByTimeAsync(20 * 60_000)
  await expect(outage.answer).rejects.toBe(silent)
  const failure = new StorageFailure("the disk is full")
  await expect(run(failure, 1).answer).rejects.toBe(failure)
  const closed = run(silent, 1, { isClosed: true })
  await vi.advanceTimersByTimeAsync(500)
  await expect(closed.answer).rejects.toThrow("the graph is closed")
})

it("A long job goes on after what failed when its commit was stored, unless that cannot pass", async () => {
  const after = (cause: Error): Error => new FailedAfterCommit("other instances may not know.", { cause })
  const { answer, attempts } = run(after(new StorageUnavailable("no answer")), 3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await answer).toBe("done")
  expect(attempts()).toBe(4)
  for (const cause of [new NotAcknowledged("by a server that crashed"), new StorageFailure("an unknown type")]) {
    const failure = after(cause)
    await expect(run(failure, 1).answer).rejects.toBe(failure)
  }
})

it("A store that answers at once is not asked again after a commit that it could not end", async () => {
  const unknown = new CommitOutcomeUnknown("the graph failed.")
  await expect(run(unknown, 1, { answersLater: false }).answer).rejects.toBe(unknown)
})

it("A failure that an operator must mend ends a long job at once, and one that may stay after few attempts", async () => {
  const refused = new StorageUnavailable("the user may not write")
  const ended = run(refused, 1, { outlook: "stays" })
  await expect(ended.answer).rejects.toBe(refused)
  expect(ended.reported).toEqual([])
  const failed = new StorageUnavailable("replicas failed")
  const some = run(failed, 9, { outlook: "mayStay" })
  await vi.advanceTimersByTimeAsync(4000)
  await expect(some.answer).rejects.toBe(failed)
  expect(some.attempts()).toBe(4)
})

it("A long job that goes on reports the first failure of a step, and a lock only if it waits for long", async () => {
  const late = new StorageUnavailable("no answer")
  const { answer, reported } = run(late, 5)
  const conflicts = run(new TransactionConflict("a lock"), 5)
  await vi.advanceTimersByTimeAsync(60_000)
  await Promise.all([answer, conflicts.answer])
  expect(reported).toEqual([late])
  expect(conflicts.reported).toEqual([])
  const waits = run(new TransactionConflict("a lock"), 100)
  await vi.advanceTimersByTimeAsync(60_000)
  await waits.answer
  expect(waits.reported.length).toBe(1)
})

it("A long job ends soon after its graph is closed, however long it was to pause", async () => {
  const given: Given = {}
  const { answer, attempts } = run(new StorageUnavailable("no answer"), 20, given)
  await vi.advanceTimersByTimeAsync(60_000)
  const before = attempts()
  given.isClosed = true
  await vi.advanceTimersByTimeAsync(500)
  await expect(answer).rejects.toThrow("the graph is closed")
  expect(attempts()).toBe(before)
})
