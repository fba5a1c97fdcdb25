import type { Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { Activation, BarrierGroup } from "../plan/Activation.ts"
import { Batch, concat, type PathNode, VALUE } from "../plan/Batch.ts"
import type { Step } from "../plan/Step.ts"

/** Tasks that have begun, by batch or group, and by step, because one batch may wait before several steps. */
const begun = new WeakMap<object, Map<Step, Task>>()

const advance = (step: Step, about: object, begin: () => Task): boolean => {
  let bySteps = begun.get(about)
  let pieces = bySteps?.get(step)
  if (pieces === undefined) {
    pieces = begin()
    if (pieces.next().done === true) return true
    if (bySteps === undefined) begun.set(about, (bySteps = new Map()))
    bySteps.set(step, pieces)
  } else if (pieces.next().done === true) {
    bySteps!.delete(step)
    return true
  }
  return false
}

/** Runs the body of run() as a task, which each call resumes. True when the task has ended. */
export const runTask = (step: Step, batch: Batch, activation: Activation, begin: () => Task): boolean => {
  if (advance(step, batch, begin)) return true
  // No rows may be removed from a begun batch.
  activation.cursor(step).offset = 1
  return false
}

/** Waits for the answer of `ask`, which calls `done` immediately or after the children that it invokes have run. */
export function* answered<A>(ask: (done: (answer: A) => void) => void): Task<A> {
  let answer: { readonly is: A } | undefined
  ask((given) => {
    answer = { is: given }
  })
  // The children run before this task is resumed.
  if (answer === undefined) yield
  return (answer as unknown as { readonly is: A }).is
}

/** Runs the body of flush() as a task, which each call resumes. True when the task has ended. */
export const flushTask = (step: Step, group: BarrierGroup, begin: () => Task): boolean => advance(step, group, begin)

/** Joins small batches to batches of at least {@link CHUNK_ITEMS} rows, so that a barrier does not emit many small ones. */
export function* inLargerBatches(batches: ReadonlyArray<Batch>, activation: Activation): Generator<Batch> {
  let from = 0
  let rows = 0
  for (let at = 0; at < batches.length; at++) {
    rows += batches[at]!.length
    if (rows < CHUNK_ITEMS && at + 1 < batches.length && batches[at + 1]!.loops === batches[at]!.loops) continue
    yield concat(batches.slice(from, at + 1), activation.transaction)
    from = at + 1
    rows = 0
  }
}

/** Passes the rows that a barrier has collected on to the next step, with yields. */
export function* passTask(step: Step, batches: ReadonlyArray<Batch>, activation: Activation): Task {
  let since = 0
  for (const batch of inLargerBatches(batches, activation)) {
    if (since > 0 && activation.slice.isOverNow()) yield
    activation.pass(step, batch)
    since++
  }
}

/** Joins batches, as concat() does, with yields. */
export function* concatTask(
  batches: ReadonlyArray<Batch>,
  transaction: GraphTransaction,
  slice: TimeSlice
): Task<Batch> {
  const length = batches.reduce((sum, batch) => sum + batch.length, 0)
  if (length <= CHUNK_ITEMS || batches.length === 1) return concat(batches, transaction)
  const kind = batches.every((batch) => batch.kind === batches[0]!.kind) ? batches[0]!.kind : VALUE
  const values: Array<unknown> = []
  const refs = kind === VALUE ? null : transaction.newRefs(length)
  const bulk = batches.some((batch) => batch.bulk !== null) ? new Float64Array(length).fill(1) : null
  const origin = batches.some((batch) => batch.origin !== null) ? new Int32Array(length) : null
  const path: Array<PathNode | null> | null = batches.some((batch) => batch.path !== null) ? [] : null
  const sack: Array<unknown> | null = batches.some((batch) => batch.sack !== null) ? [] : null
  let at = 0
  let since = 0
  for (const batch of batches) {
    if (batch.bulk !== null) bulk!.set(batch.bulk.subarray(0, batch.length), at)
    if (batch.origin !== null) origin!.set(batch.origin.subarray(0, batch.length), at)
    for (let row = 0; row < batch.length; row++) {
      if (refs === null) values.push(batch.value(row, transaction))
      else refs[at + row] = batch.data[row] as number
      path?.push(batch.path?.[row] ?? null)
      sack?.push(batch.sack === null ? null : batch.sack[row])
      if (slice.isOverAfter(++since)) yield
    }
    at += batch.length
  }
  return Object.assign(new Batch(kind, refs ?? values, length), { loops: batches[0]!.loops, bulk, origin, path, sack })
}
