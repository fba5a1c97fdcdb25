import type { Activation } from "../../plan/Activation.ts"
import { Batch, select, VALUE } from "../../plan/Batch.ts"
import type { By, ByColumn } from "./By.ts"

/**
 * Applies modulators, in turn, to columns of objects. A row for which a modulator gave nothing is not asked further: the
 * modulators behind may fail for its objects. In their columns it is a row without a value.
 */
export const evaluateColumns = (
  bys: readonly By[],
  columns: ReadonlyArray<ReadonlyArray<unknown>>,
  activation: Activation,
  done: (columns: ReadonlyArray<ByColumn>) => void
): void => {
  const results: Array<ByColumn> = []
  /** Rows that every column so far has a value for; null = all. */
  let rows: ReadonlyArray<number> | null = null
  const next = (): void => {
    const k = results.length
    const column = columns[k]
    if (column === undefined) {
      done(results)
      return
    }
    const asked = rows
    if (asked?.length === 0) {
      results.push(spread({ values: [], found: null }, [], column.length))
      next()
      return
    }
    const objects = asked === null ? column : asked.map((row) => column[row])
    bys[k % bys.length]!.evaluateObjects(new Batch(VALUE, objects, objects.length), activation, (result) => {
      results.push(asked === null ? result : spread(result, asked, column.length))
      const { found } = result
      if (found !== null) rows = (asked ?? [...column.keys()]).filter((_, i) => found[i] === 1)
      next()
    })
  }
  next()
}

/** The same to the rows of one batch: a column of each modulator. */
export const evaluateAll = (
  bys: readonly By[],
  batch: Batch,
  activation: Activation,
  done: (columns: ReadonlyArray<ByColumn>) => void
): void => {
  const results: Array<ByColumn> = []
  let rows: ReadonlyArray<number> | null = null
  const next = (): void => {
    const by = bys[results.length]
    if (by === undefined) {
      done(results)
      return
    }
    const asked = rows
    if (asked?.length === 0) {
      results.push(spread({ values: [], found: null }, [], batch.length))
      next()
      return
    }
    by.evaluate(asked === null ? batch : select(batch, asked, asked.length), activation, (result) => {
      results.push(asked === null ? result : spread(result, asked, batch.length))
      const { found } = result
      if (found?.includes(0)) {
        rows = (asked ?? Array.from({ length: batch.length }, (_, row) => row)).filter((_, i) => found[i] === 1)
      }
      next()
    })
  }
  next()
}

/** The values of some rows as a column of all. */
const spread = ({ values, found }: ByColumn, rows: ReadonlyArray<number>, length: number): ByColumn => {
  const all = new Array<unknown>(length)
  const there = new Uint8Array(length)
  rows.forEach((row, i) => {
    all[row] = values[i]
    there[row] = found === null ? 1 : found[i]!
  })
  return { values: all, found: there }
}
