import type { Activation } from "../../plan/Activation.ts"
import { Batch, select, VALUE } from "../../plan/Batch.ts"
import type { By, ByColumn } from "./By.ts"

/** Evaluates the modulator of column `k` for the given rows; null = all rows. */
type Ask = (k: number, rows: ReadonlyArray<number> | null, done: (column: ByColumn) => void) => void

/**
 * Fills the columns in order. After a modulator returns no value for a row, the next modulators skip the row, because
 * they could fail for its objects. The skipped row has no value in their columns.
 */
const fill = (count: number, length: number, ask: Ask, done: (columns: ReadonlyArray<ByColumn>) => void): void => {
  const results: Array<ByColumn> = []
  /** The rows that have a value in every column so far; null = all rows. */
  let rows: ReadonlyArray<number> | null = null
  const next = (): void => {
    const asked = rows
    if (results.length === count) done(results)
    else if (asked?.length === 0) {
      results.push(spread({ values: [], found: null }, [], length))
      next()
    } else {
      ask(results.length, asked, (result) => {
        results.push(asked === null ? result : spread(result, asked, length))
        const { found } = result
        if (found?.includes(0)) {
          rows = (asked ?? Array.from({ length }, (_, row) => row)).filter((_, i) => found[i] === 1)
        }
        next()
      })
    }
  }
  next()
}

/** Applies the modulators to columns of objects in turn: column `k` uses modulator `k` modulo the number of modulators. */
export const evaluateColumns = (
  bys: readonly By[],
  columns: ReadonlyArray<ReadonlyArray<unknown>>,
  activation: Activation,
  done: (columns: ReadonlyArray<ByColumn>) => void
): void =>
  fill(
    columns.length,
    columns[0]?.length ?? 0,
    (k, rows, give) => {
      const column = columns[k]!
      const objects = rows === null ? column : rows.map((row) => column[row])
      bys[k % bys.length]!.evaluateObjects(new Batch(VALUE, objects, objects.length), activation, give)
    },
    done
  )

/** Applies every modulator to the rows of one batch. A row without a value in one column has none in the later columns. */
export const evaluateAll = (
  bys: readonly By[],
  batch: Batch,
  activation: Activation,
  done: (columns: ReadonlyArray<ByColumn>) => void
): void =>
  fill(
    bys.length,
    batch.length,
    (k, rows, give) => bys[k]!.evaluate(rows === null ? batch : select(batch, rows, rows.length), activation, give),
    done
  )

/** Does the same with independent columns: a row without a value in one column may have values in others. */
export const evaluateEach = (
  bys: readonly By[],
  batch: Batch,
  activation: Activation,
  done: (columns: ReadonlyArray<ByColumn>) => void
): void => {
  const columns: Array<ByColumn> = []
  const next = (): void => {
    const by = bys[columns.length]
    if (by === undefined) done(columns)
    else {
      by.evaluate(batch, activation, (column) => {
        columns.push(column)
        next()
      })
    }
  }
  next()
}

/** Expands a column of selected rows to a column of all rows. */
const spread = ({ values, found }: ByColumn, rows: ReadonlyArray<number>, length: number): ByColumn => {
  const all = new Array<unknown>(length)
  const there = new Uint8Array(length)
  rows.forEach((row, i) => {
    all[row] = values[i]
    there[row] = found === null ? 1 : found[i]!
  })
  return { values: all, found: there }
}
