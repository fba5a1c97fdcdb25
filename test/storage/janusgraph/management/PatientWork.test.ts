import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { untilDone } from "../../../../src/storage/janusgraph/management/PatientWork.ts"
import {
  CommitOutcomeUnknown,
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
}

/** Work that fails with `error` a number of times. */
const run = (error: Error, times: number, given: { isClosed?: boolean; answersLater?: boolean } = {}): Run => {
  let attempts = 0
  const core = {
    cells: { answersLater: given.answersLater ?? true },
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
  return { answer, attempts: () => attempts }
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

it("A store that answers at once is not asked again after a commit that it could not end", async () => {
  const unknown = new CommitOutcomeUnknown("the graph failed.")
  await expect(run(unknown, 1, { answersLater: false }).answer).rejects.toBe(unknown)
})
