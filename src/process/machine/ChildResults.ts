import type { Activation } from "../plan/Activation.ts"
import { type Batch, slice } from "../plan/Batch.ts"
import { planOf } from "../plan/Plan.ts"
import type { Step, Traversal } from "../plan/Step.ts"
import { mayBeEndless } from "../plan/Traits.ts"
import { runInOrder } from "./ChildRows.ts"

/** What a step does with the results of its child. */
export interface Results {
  /** All results of some rows, in the order of the rows. */
  readonly all: (rows: Batch, results: ReadonlyArray<Batch>) => void
  /** Some results of one row, or the next ones. */
  readonly some: (row: Batch, results: Batch) => void
  /** One row is through without a result. */
  readonly none: (row: Batch) => void
}

/** Rows that one piece starts with, has at most, and results above and below which the next piece is smaller or larger. */
const FIRST = 8
const MOST = 256
const MANY = 4096
const FEW = 1024

/** How many rows a child runs over together. */
interface Pace {
  width: number
}

const paceOf = (step: Step, children: ReadonlyArray<Traversal>, activation: Activation): Pace =>
  activation.state<Pace>(step, () => ({ width: areEndless(children, activation) ? 1 : FIRST }))

const areEndless = (children: ReadonlyArray<Traversal>, { plan }: Activation): boolean =>
  children.some((child) => mayBeEndless(child, plan))

/** Whether the next piece is only a part of the batch. */
export const goesInPieces = (
  step: Step,
  children: ReadonlyArray<Traversal>,
  batch: Batch,
  activation: Activation
): boolean => batch.length > paceOf(step, children, activation).width

/** The next rows of a batch. */
export interface Piece {
  readonly rows: Batch
  readonly isLast: boolean
  /** One row, whose results go on as they come. */
  readonly streams: boolean
  /** To be told how many results the piece gave, where they do not go on as they come. */
  readonly gave: (results: number) => void
}

/**
 * The next rows of a batch for a step whose children give many results for a row: a piece of it, larger or smaller by
 * how much the last ones gave, so that results neither pile up nor come from batches of one. Where a child may be endless
 * a piece is one row.
 */
const nextPiece = (step: Step, children: ReadonlyArray<Traversal>, batch: Batch, activation: Activation): Piece => {
  const pace = paceOf(step, children, activation)
  const isScout = activation.scout !== null
  const cursor = activation.cursor(step)
  const from = cursor.row
  const to = Math.min(batch.length, from + (isScout ? MOST : pace.width))
  cursor.row = to
  return {
    rows: from === 0 && to === batch.length ? batch : slice(batch, from, to),
    isLast: to >= batch.length,
    streams: to - from === 1 && !isScout,
    gave: (results) => {
      if (results > MANY) pace.width = Math.max(1, pace.width >> 2)
      else if (results < FEW && !areEndless(children, activation)) pace.width = Math.min(MOST, pace.width * 2)
    }
  }
}

/**
 * The body of run() of a step that gives the results of its children: `begin` gets one piece of the batch after the other.
 * The child of a piece that streams is run with {@link Activation.openStream}; run() is called again while it is open.
 */
export const runPieces = (
  step: Step,
  children: ReadonlyArray<Traversal>,
  batch: Batch,
  activation: Activation,
  begin: (piece: Piece) => void
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
  const piece = nextPiece(step, children, batch, activation)
  if (piece.streams && row > 0 && !activation.isWanted(step, piece.rows)) return piece.isLast
  begin(piece)
  return piece.isLast && !piece.streams
}

/** Runs a child over the rows of a piece and passes its results to `results`. */
export const runChild = (
  step: Step,
  child: Traversal,
  { gave, rows, streams }: Piece,
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
