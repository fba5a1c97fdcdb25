import { sortTask, sortWaiting } from "../../../scheduling/Sorting.ts"
import { runWhole, type Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, mayBeSlow } from "../../../scheduling/TimeSlice.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { Order } from "../../../structure/scalars/Enums.ts"
import { mergeEqualRows } from "../../machine/EqualRows.ts"
import { randomOf } from "../../machine/Randomness.ts"
import { concatTask, flushTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { type Batch, concat, select } from "../../plan/Batch.ts"
import { holding, type StepTraits } from "../../plan/StepTraits.ts"
import type { GraphStep } from "../flatmap/GraphStep.ts"
import { By, type ByColumn, readsOf } from "../shared/By.ts"
import { evaluateAll, evaluateEach } from "../shared/Columns.ts"
import { closureComparator, comparator, OrderStep, shuffled, UNSORTED } from "./OrderStep.ts"

/** The rows that a barrier has collected, with their keys. */
interface Ordered {
  readonly batches: Array<Batch>
  /** The index, among all rows, of each batch's first row. */
  readonly begins: Array<number>
  length: number
  /** True if comparing two keys may take long. */
  costly: boolean
  /** One array of keys for each criterion, over the rows of all batches. */
  readonly keys: Array<Array<unknown>>
}

const traits = holding({
  work: "collects",
  scout: "runs",
  gathers: "all",
  limits: "stay",
  rank: 10,
  merging: "before",
  children: "asked"
})

/** A closure may have effects: a scout does not call it. */
const callingTraits: StepTraits = { ...traits, work: "acts", scout: "stops" }

/** order(): sorts all traversers. The sort is stable. */
export class OrderGlobalStep extends OrderStep {
  readonly name = "OrderGlobalStep"
  /** A preceding source step that may emit its elements in this order already. */
  source: GraphStep | null = null
  /**
   * The elements that this step sorts if only has() is between V() or E() and this step; otherwise null. A graph may then keep those
   * without a key.
   */
  folded: "vertex" | "edge" | null = null
  /** True if a later step sorts the same elements again. A graph that keeps elements without a key needs only that step. */
  isSuperseded = false

  get traits(): StepTraits {
    return this.callsClosure ? callingTraits : traits
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    const reads = super.reads(batch, activation)
    return this.callsClosure ? [...reads, ...readsOf(batch, null)] : reads
  }

  /** The sort key if order() sorts by exactly one property, ascending or descending; otherwise undefined. */
  get key(): { readonly key: string; readonly descending: boolean } | undefined {
    const [key, ...more] = this.#keys ?? []
    if (key === undefined || more.length > 0) return undefined
    return { key, descending: this.directions[0] === Order.desc }
  }

  override run(batch: Batch, activation: Activation): undefined {
    const keepsAll = this.#keepsAll(activation)
    if (this.source?.isOrdered(activation) || (keepsAll && this.isSuperseded)) {
      activation.pass(this, batch)
      return
    }
    const bys = this.modulators.length === 0 ? [By.identity] : this.modulators
    const evaluate = keepsAll ? evaluateEach : evaluateAll
    evaluate(bys, batch, activation, (found) => {
      const cell = orderedCell(activation.group(this, batch.loops), bys.length)
      const columns = keepsAll ? found.map(withUnsorted) : found
      const rows = foundInAll(columns, batch.length)
      if (rows.length === 0) return
      cell.begins.push(cell.length)
      cell.length += rows.length
      cell.batches.push(rows.length === batch.length ? batch : select(batch, rows, rows.length))
      columns.forEach((column, k) => {
        for (const row of rows) cell.keys[k]!.push(column.values[row])
        cell.costly ||= column.values.some(mayBeSlow)
      })
      activation.run.hold(rows.length * (32 + 16 * bys.length))
    })
  }

  /** The sort keys if order() sorts by properties, ascending or descending; otherwise undefined. */
  get #keys(): ReadonlyArray<string> | undefined {
    if (this.callsClosure || this.directions.includes(Order.shuffle) || this.modulators.length === 0) return undefined
    const keys: Array<string> = []
    for (const { function: by, orNull } of this.modulators) {
      if (by.kind !== "key" || orNull) return undefined
      keys.push(by.key)
    }
    return keys
  }

  /** True if rows without a key stay, at the end. */
  #keepsAll({ transaction }: Activation): boolean {
    if (this.folded === null) return false
    const keys = this.isSuperseded ? [] : this.#keys
    return keys !== undefined && transaction.keepsUnsorted?.(this.folded, keys) === true
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    const cell = group.cells[0] as Ordered
    if (cell.length === 0) return true
    const isShuffle = this.isShuffled
    if (this.callsClosure && !isShuffle) return flushTask(this, group, () => this.#compared(cell, activation))
    if (cell.length > CHUNK_ITEMS || cell.costly) {
      return flushTask(this, group, () =>
        isShuffle ? this.#shuffled(cell, activation) : this.#sorted(cell, activation)
      )
    }
    if (isShuffle) runWhole(this.#shuffled(cell, activation))
    else {
      const all = concat(cell.batches, activation.transaction)
      const rows = Int32Array.from({ length: all.length }, (_, i) => i)
      rows.sort(comparator(this.compared(cell.keys), this.compared(this.directions), (row) => all.originOf(row)))
      activation.emitRows(this, select(all, rows, rows.length), null, rows.length)
    }
    return true
  }

  /** Sorts with closures, which may wait for a store. */
  *#compared({ batches, keys, length }: Ordered, activation: Activation): Task {
    const all = yield* concatTask(batches, activation.transaction, activation.slice)
    const originOf = all.origin === null ? null : (row: number) => all.originOf(row)
    const comparators = this.comparators(activation)
    const compare = closureComparator(
      this.compared(keys),
      this.compared(this.directions),
      comparators,
      originOf,
      activation
    )
    const sorted = yield* sortWaiting(
      Array.from({ length }, (_, row) => row),
      compare
    )
    for (let from = 0; from < length; from += CHUNK_ITEMS) {
      const part = sorted.slice(from, from + CHUNK_ITEMS)
      activation.emitRows(this, select(all, part, part.length), null, part.length)
      yield
    }
  }

  *#shuffled(cell: Ordered, activation: Activation): Task {
    const all = yield* mergeEqualRows(concat(cell.batches, activation.transaction), activation)
    const rows = Int32Array.from({ length: all.length }, (_, i) => i)
    yield
    yield* shuffled(rows, randomOf(activation.run, this))
    for (let from = 0; from < rows.length; from += CHUNK_ITEMS) {
      const part = rows.subarray(from, from + CHUNK_ITEMS)
      activation.emitRows(this, select(all, part, part.length), null, part.length)
      yield
    }
  }

  *#sorted(cell: Ordered, activation: Activation): Task {
    const { batches, begins, keys, length } = cell
    const hasOrigins = batches.some(({ origin }) => origin !== null)
    const originOf = (row: number): number => {
      const at = batchOf(begins, row)
      return batches[at]!.originOf(row - begins[at]!)
    }
    const compare = comparator(this.compared(keys), this.compared(this.directions), hasOrigins ? originOf : null)
    const sorted = yield* sortTask(length, compare, { costly: cell.costly, slice: activation.slice })
    for (let from = 0; from < length; from += CHUNK_ITEMS) {
      const out = pick(batches, begins, sorted.subarray(from, from + CHUNK_ITEMS), activation)
      activation.emitRows(this, out, null, out.length)
      yield
    }
  }
}

const orderedCell = (group: BarrierGroup, count: number): Ordered => {
  group.cells[0] ??= {
    batches: [],
    begins: [],
    length: 0,
    costly: false,
    keys: Array.from({ length: count }, () => [])
  } satisfies Ordered
  return group.cells[0] as Ordered
}

/** The index of the batch that contains a row of the total numbering. */
const batchOf = (begins: ReadonlyArray<number>, row: number): number => {
  let low = 0
  let high = begins.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (begins[middle]! <= row) low = middle
    else high = middle - 1
  }
  return low
}

/** Makes a batch of selected rows in the given order. */
const pick = (
  batches: ReadonlyArray<Batch>,
  begins: ReadonlyArray<number>,
  rows: Int32Array,
  { transaction }: Activation
): Batch => {
  // The rows are grouped by batch first and then put into the requested order.
  const of = Int32Array.from(rows, (row) => batchOf(begins, row))
  const places = Int32Array.from({ length: rows.length }, (_, i) => i).sort((a, b) => of[a]! - of[b]! || a - b)
  const parts: Array<Batch> = []
  const order = new Int32Array(rows.length)
  for (let from = 0; from < places.length; ) {
    const at = of[places[from]!]!
    const inBatch: Array<number> = []
    for (; from < places.length && of[places[from]!] === at; from++) {
      const place = places[from]!
      order[place] = from
      inBatch.push(rows[place]! - begins[at]!)
    }
    parts.push(select(batches[at]!, inBatch, inBatch.length))
  }
  const together = concat(parts, transaction)
  return select(together, order, order.length)
}

/** The column with a key for every row. */
const withUnsorted = ({ found, values }: ByColumn): ByColumn =>
  found === null
    ? { found, values }
    : { found: null, values: Array.from(found, (is, row) => (is === 1 ? values[row] : UNSORTED)) }

const foundInAll = (columns: ReadonlyArray<ByColumn>, length: number): Array<number> => {
  const rows: Array<number> = []
  for (let row = 0; row < length; row++) {
    if (columns.every((column) => column.found === null || column.found[row] === 1)) rows.push(row)
  }
  return rows
}
