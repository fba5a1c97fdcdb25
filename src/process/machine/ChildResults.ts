import type { Activation } from "../plan/Activation.ts"
import { type Batch, slice } from "../plan/Batch.ts"
import { mayBeEndless } from "../plan/Endlessness.ts"
import { planOf } from "../plan/Plan.ts"
import type { Step, Traversal } from "../plan/Step.ts"
import { runInOrder } from "./ChildRows.ts"

/** Callbacks of a step for the results of its child. */
export interface Results {
  /** All results of several rows, in the order of the rows. */
  readonly all: (rows: Batch, results: ReadonlyArray<Batch>) => void
  /** Further results of one row. */
  readonly some: (row: Batch, results: Batch) => void
  /** One row has ended without a result. */
  readonly none: (row: Batch) => void
}

/** Size of the first chunk. */
const FIRST_CHUNK_ROWS = 8
/** Limit of the size of a chunk. */
const MAX_CHUNK_ROWS = 256
/** After more results than this from a chunk, the next one is smaller. */
const SHRINK_ABOVE_RESULTS = 4096
/** After fewer results than this from a chunk, the next one is larger. */
const GROW_BELOW_RESULTS = 1024

/** The number of rows in the next chunk. */
interface Pace {
  width: number
}

const paceOf = (step: Step, children: ReadonlyArray<Traversal>, activation: Activation): Pace =>
  activation.state<Pace>(step, () => ({ width: areEndless(children, activation) ? 1 : FIRST_CHUNK_ROWS }))

const areEndless = (children: ReadonlyArray<Traversal>, { plan }: Activation): boolean =>
  children.some((child) => mayBeEndless(child, plan))

/** Whether the next chunk is only a part of the batch. */
export const goesInChunks = (
  step: Step,
  children: ReadonlyArray<Traversal>,
  batch: Batch,
  activation: Activation
): boolean => batch.length > paceOf(step, children, activation).width

/** The next rows of a batch. */
export interface RowChunk {
  readonly rows: Batch
  readonly isLast: boolean
  /** The chunk is one row, whose results are passed on as they come. */
  readonly streams: boolean
  /** To be called with the number of results of a chunk that does not stream. */
  readonly gave: (results: number) => void
}

/**
 * The next rows of a batch for a step whose children may have many results for a row. The number of results of the last chunk
 * determines the size of the next one, which bounds the waiting results and avoids batches of one row. If a child may be
 * endless, a chunk is one row.
 */
const nextChunk = (step: Step, children: ReadonlyArray<Traversal>, batch: Batch, activation: Activation): RowChunk => {
  const pace = paceOf(step, children, activation)
  const isScout = activation.scout !== null
  const cursor = activation.cursor(step)
  const from = cursor.row
  const to = Math.min(batch.length, from + (isScout ? MAX_CHUNK_ROWS : pace.width))
  cursor.row = to
  return {
    rows: from === 0 && to === batch.length ? batch : slice(batch, from, to),
    isLast: to >= batch.length,
    streams: to - from === 1 && !isScout,
    gave: (results) => {
      if (results > SHRINK_ABOVE_RESULTS) pace.width = Math.max(1, pace.width >> 2)
      else if (results < GROW_BELOW_RESULTS && !areEndless(children, activation)) {
        pace.width = Math.min(MAX_CHUNK_ROWS, pace.width * 2)
      }
    }
  }
}

/**
 * The body of run() of a step that emits the results of its children: calls `begin` with one chunk of the batch after the other.
 * {@link Activation.openStream} runs the child for a chunk that streams; run() is called again while the stream is open.
 */
export const runChunks = (
  step: Step,
  children: ReadonlyArray<Traversal>,
  batch: Batch,
  activation: Activation,
  begin: (chunk: RowChunk) => void
): boolean => {
  const { row } = activation.cursor(step)
  if (activation.hasStream(step)) {
    if (activation.isWanted(step, slice(batch, row - 1, row))) {
      activation.resumeStream(step)
      return false
    }
    activation.closeStream(step)
  }
  if (row >= batch.length) return true
  const chunk = nextChunk(step, children, batch, activation)
  // Results of earlier chunks may have reached a limit since.
  const rows = row > 0 ? activation.wanted(step, chunk.rows) : chunk.rows
  if (rows === undefined) return chunk.isLast
  begin(rows === chunk.rows ? chunk : { ...chunk, rows })
  return chunk.isLast && !chunk.streams
}

/** Runs a child over the rows of a chunk and passes its results to `results`. */
export const runChild = (
  step: Step,
  child: Traversal,
  { gave, rows, streams }: RowChunk,
  activation: Activation,
  results: Results
): void => {
  const plan = planOf(child)
  if (!streams) {
    runInOrder(plan, rows, activation, (all, count) => {
      gave(count)
      results.all(rows, all)
    })
    return
  }
  let any = false
  const some = (result: Batch): void => {
    any = true
    results.some(rows, result)
  }
  activation.openStream(step, plan, rows, some, () => {
    if (!any) results.none(rows)
  })
}
