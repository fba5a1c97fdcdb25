import { pause } from "../shell/Format.ts"
import type { Value } from "../wire/Values.ts"
import { type Column, cellText } from "./Columns.ts"

/** How the rows of a table are chosen and sorted. */
interface Choice {
  /** Rows that contain this text; empty: all rows. */
  readonly filter: string
  /** The column by which they are sorted; null: the order of the results. */
  readonly by: Column | null
  readonly isDescending: boolean
}

/** Rows that one task reads. Other tasks of the page run before the next one. */
const ROWS_PER_TASK = 4_000

type Key = number | bigint | string

const keyOf = (value: Value | undefined): Key => {
  if (typeof value === "number" || typeof value === "bigint") return value
  return cellText(value).toLowerCase()
}

/** Numbers before texts. */
const compare = (a: Key, b: Key): number => {
  if ((typeof a === "string") === (typeof b === "string")) return a < b ? -1 : a > b ? 1 : 0
  return typeof b === "string" ? -1 : 1
}

/**
 * The positions of the rows of a table, in order. Reads the rows part by part, so that the page stays responsive.
 * Undefined when `isOutdated` says that the result is no longer needed.
 */
export const orderOf = async (
  values: ReadonlyArray<Value>,
  columns: ReadonlyArray<Column>,
  { by, filter, isDescending }: Choice,
  isOutdated: () => boolean
): Promise<Uint32Array | undefined> => {
  const wanted = filter.toLowerCase()
  const rows: Array<number> = []
  const keys = new Map<number, Key>()
  for (let at = 0; at < values.length; at++) {
    if (at % ROWS_PER_TASK === ROWS_PER_TASK - 1) {
      await pause()
      if (isOutdated()) return undefined
    }
    const value = values[at] ?? null
    if (wanted !== "" && !columns.some((column) => cellText(column.of(value)).toLowerCase().includes(wanted))) continue
    rows.push(at)
    if (by !== null) keys.set(at, keyOf(by.of(value)))
  }
  if (by === null) return Uint32Array.from(rows)
  return await sorted(rows, (at) => keys.get(at) ?? "", isDescending ? -1 : 1)
}

/** A merge sort of sorted parts: each part, and each stretch of a merge, is one short task. */
const sorted = async (rows: ReadonlyArray<number>, keyAt: (row: number) => Key, sign: number): Promise<Uint32Array> => {
  const order = (a: number, b: number): number => sign * compare(keyAt(a), keyAt(b)) || a - b
  let parts: Array<ReadonlyArray<number>> = []
  for (let at = 0; at < rows.length; at += ROWS_PER_TASK) {
    parts.push(rows.slice(at, at + ROWS_PER_TASK).sort(order))
    await pause()
  }
  while (parts.length > 1) {
    const merged: Array<ReadonlyArray<number>> = []
    for (let at = 0; at < parts.length; at += 2)
      merged.push(await mergedOf(parts[at] ?? [], parts[at + 1] ?? [], order))
    parts = merged
  }
  return Uint32Array.from(parts[0] ?? [])
}

const mergedOf = async (
  left: ReadonlyArray<number>,
  right: ReadonlyArray<number>,
  order: (a: number, b: number) => number
): Promise<ReadonlyArray<number>> => {
  const merged: Array<number> = []
  let a = 0
  let b = 0
  while (a < left.length || b < right.length) {
    if (merged.length % ROWS_PER_TASK === ROWS_PER_TASK - 1) await pause()
    const first = left[a]
    const second = right[b]
    if (second === undefined || (first !== undefined && order(first, second) <= 0)) {
      merged.push(first ?? 0)
      a++
    } else {
      merged.push(second)
      b++
    }
  }
  return merged
}
