import { sortTask } from "../../../scheduling/Sorting.ts"
import { runWhole, type Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, mayBeSlow, type TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BulkSet, entriesOf, GremlinMap, GremlinSet, type MapEntry } from "../../../structure/Collections.ts"
import { type EnumValue, Order } from "../../../structure/Enums.ts"
import type { Reads } from "../../../structure/GraphReads.ts"
import { type JavaRandom, shuffle } from "../../../structure/JavaRandom.ts"
import { order } from "../../../structure/Ordering.ts"
import { isEnum } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { mergeEqualRows } from "../../machine/EqualRows.ts"
import { randomOf } from "../../machine/Randomness.ts"
import { flushTask, runTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { Batch, concat, select, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import type { PlanBuilder } from "../../plan/Step.ts"
import { holding, mapping } from "../../plan/StepTraits.ts"
import type { GraphStep } from "../flatmap/GraphStep.ts"
import { By, type ByColumn, withoutPast } from "../shared/By.ts"
import { evaluateAll } from "../shared/Columns.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { objectReads } from "../shared/Scoping.ts"

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

/** Common base of both forms of order(): modulators with a direction. */
abstract class OrderStep extends ModulatedStep {
  readonly operator = "order"
  readonly #directions: Array<EnumValue> = []

  /** The arguments of by() may be a key, a token, a traversal, and an Order. */
  protected override modulator(args: readonly unknown[], compiler: PlanBuilder): By {
    const direction = args.find((arg) => isEnum(arg, "Order")) as EnumValue | undefined
    this.#directions.push(direction ?? Order.asc)
    return By.of(args.filter((arg) => !isEnum(arg, "Order"))[0], this, compiler)
  }

  protected get directions(): ReadonlyArray<EnumValue> {
    return this.#directions.length === 0 ? [Order.asc] : this.#directions
  }

  override get varies(): boolean {
    return this.#directions.includes(Order.shuffle)
  }
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

/** order(): sorts all traversers. The sort is stable. */
export class OrderGlobalStep extends OrderStep {
  readonly name = "OrderGlobalStep"
  readonly traits = traits
  /** A preceding source step that may emit its elements in this order already. */
  source: GraphStep | null = null

  /** The sort key if order() sorts by exactly one property, ascending or descending; otherwise undefined. */
  get key(): { readonly key: string; readonly descending: boolean } | undefined {
    const [by, ...more] = this.modulators
    const [direction] = this.directions
    if (more.length > 0 || by?.function.kind !== "key" || by.orNull || direction === Order.shuffle) return undefined
    return { key: by.function.key, descending: direction === Order.desc }
  }

  override run(batch: Batch, activation: Activation): undefined {
    if (this.source?.isOrdered(activation)) {
      activation.pass(this, batch)
      return
    }
    const bys = this.modulators.length === 0 ? [By.identity] : this.modulators
    evaluateAll(bys, batch, activation, (columns) => {
      const cell = orderedCell(activation.group(this, batch.loops), bys.length)
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

  override flush(group: BarrierGroup, activation: Activation): boolean {
    const cell = group.cells[0] as Ordered
    if (cell.length === 0) return true
    const isShuffle = this.directions.some((direction) => direction === Order.shuffle)
    if (cell.length > CHUNK_ITEMS || cell.costly) {
      return flushTask(this, group, activation, () =>
        isShuffle ? this.#shuffled(cell, activation) : this.#sorted(cell, activation)
      )
    }
    if (isShuffle) runWhole(this.#shuffled(cell, activation))
    else {
      const all = concat(cell.batches, activation.transaction)
      const rows = Int32Array.from({ length: all.length }, (_, i) => i)
      rows.sort(comparator(cell.keys, this.directions, (row) => all.originOf(row)))
      activation.emitRows(this, select(all, rows, rows.length), null, rows.length)
    }
    return true
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
    const compare = comparator(keys, this.directions, hasOrigins ? originOf : null)
    const sorted = yield* sortTask(length, compare, { costly: cell.costly, slice: activation.slice })
    for (let from = 0; from < length; from += CHUNK_ITEMS) {
      const out = pick(batches, begins, sorted.subarray(from, from + CHUNK_ITEMS), activation)
      activation.emitRows(this, out, null, out.length)
      yield
    }
  }

  override describe(): string {
    return `[${this.directions.map(({ name }) => name).join(", ")}]`
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

const foundInAll = (columns: ReadonlyArray<ByColumn>, length: number): Array<number> => {
  const rows: Array<number> = []
  for (let row = 0; row < length; row++) {
    if (columns.every((column) => column.found === null || column.found[row] === 1)) rows.push(row)
  }
  return rows
}

/** Compares rows by their keys. Rows of different origins are not mixed: the result is ordered by origin first. */
const comparator = (
  keys: ReadonlyArray<ReadonlyArray<unknown>>,
  directions: ReadonlyArray<EnumValue>,
  originOf: ((row: number) => number) | null
): ((a: number, b: number) => number) => {
  const signs = directions.map((direction) => (direction === Order.desc ? -1 : 1))
  return (a, b) => {
    if (originOf !== null) {
      const apart = originOf(a) - originOf(b)
      if (apart !== 0) return apart
    }
    for (let k = 0; k < keys.length; k++) {
      const result = compareKeys(keys[k]![a], keys[k]![b])
      if (result !== 0) return result * signs[k]!
    }
    return a - b
  }
}

const compareKeys = (a: unknown, b: unknown): number => {
  if (typeof a === "number" && typeof b === "number" && !Number.isNaN(a) && !Number.isNaN(b))
    return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === "string" && typeof b === "string") {
    return a < b ? -1 : a > b ? 1 : 0
  }
  return order(a, b)
}

const isCostly = (columns: ReadonlyArray<ByColumn>): boolean => columns.some(({ values }) => values.some(mayBeSlow))

function* shuffled(numbers: { [index: number]: number; readonly length: number }, random: JavaRandom): Task {
  for (let end = numbers.length; end > 1; end -= CHUNK_ITEMS) {
    shuffle(numbers, random, end, Math.max(1, end - CHUNK_ITEMS))
    yield
  }
}

const local = mapping({ limits: "pass", labels: "none", children: "asked" })

/** order(local): sorts the items of a collection or the entries of a map. */
class OrderLocalStep extends OrderStep {
  readonly name = "OrderLocalStep"
  readonly traits = local
  /** The modulators read the members of the collections. */
  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return objectReads(batch, activation)
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#ordered(batch, activation))
  }

  *#ordered(batch: Batch, activation: Activation): Task {
    const sources: Array<Iterable<unknown> | undefined> = []
    const rows: Array<number> = []
    const items: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      const source = itemsOf(batch.value(row, activation.transaction))
      sources.push(source)
      for (const item of source ?? []) {
        rows.push(row)
        items.push(item)
        if (activation.slice.isOverAfter(items.length)) yield
      }
    }
    const columns = yield* this.#keys(items, activation)
    const byRow = sources.map((): Array<number> => [])
    for (let i = 0; i < items.length; i++) {
      if (columns.every(({ found }) => found === null || found[i] === 1)) byRow[rows[i]!]!.push(i)
      if (activation.slice.isOverAfter(i + 1)) yield
    }
    const compareItems = comparator(
      columns.map((column) => column.values),
      this.directions,
      null
    )
    const values: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      const original = batch.value(row, activation.transaction)
      if (sources[row] === undefined) values.push(original)
      else {
        const sorted = yield* this.#sorted(byRow[row]!, compareItems, isCostly(columns), activation)
        values.push(yield* rebuild(activation.slice, original, sorted, items))
      }
    }
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }

  /**
   * Evaluates the modulators for all items, in chunks. A child traversal sees each item alone, without its traverser's
   * past.
   */
  *#keys(items: ReadonlyArray<unknown>, activation: Activation): Task<ReadonlyArray<ByColumn>> {
    if (this.modulators.length === 0 || items.length === 0) return [{ values: items, found: null }]
    const all = this.modulators.map(() => ({ values: [] as Array<unknown>, found: new Uint8Array(items.length) }))
    for (let from = 0; from < items.length; from += CHUNK_ITEMS) {
      const part = items.slice(from, from + CHUNK_ITEMS)
      const piece = withoutPast(new Batch(VALUE, part, part.length), activation)
      let columns: ReadonlyArray<ByColumn> | undefined
      evaluateAll(this.modulators, piece, activation, (evaluated) => {
        columns = evaluated
      })
      // The children run at this yield.
      if (columns === undefined || items.length > CHUNK_ITEMS) yield
      columns!.forEach(({ found, values }, k) => {
        for (let i = 0; i < part.length; i++) {
          all[k]!.values.push(values[i])
          all[k]!.found[from + i] = found === null ? 1 : found[i]!
        }
      })
    }
    return all
  }

  /** Sorts the indexes of `items`; the result is in the given array or in another one. */
  *#sorted(
    indexes: Array<number>,
    compare: (a: number, b: number) => number,
    costly: boolean,
    activation: Activation
  ): Task<ReadonlyArray<number>> {
    if (this.directions.includes(Order.shuffle)) {
      yield* shuffled(indexes, randomOf(activation.run, this))
      return indexes
    }
    if (indexes.length <= CHUNK_ITEMS && !costly) return indexes.sort(compare)
    const { slice } = activation
    const order = yield* sortTask(indexes.length, (a, b) => compare(indexes[a]!, indexes[b]!), { costly, slice })
    const sorted: Array<number> = []
    for (const place of order) {
      sorted.push(indexes[place]!)
      if (activation.slice.isOverAfter(sorted.length)) yield
    }
    return sorted
  }
}

const itemsOf = (value: unknown): Iterable<unknown> | undefined => {
  if (Array.isArray(value) || value instanceof GremlinSet) return value
  if (value instanceof BulkSet) return value.members()
  if (value instanceof GremlinMap) return entriesOf(value)
  return undefined
}

/** Builds the sorted collection. A set becomes a list, because a set has no order. */
function* rebuild(
  slice: TimeSlice,
  original: unknown,
  order: ReadonlyArray<number>,
  items: ReadonlyArray<unknown>
): Task<unknown> {
  const list: Array<unknown> = []
  const map = original instanceof GremlinMap ? new GremlinMap() : null
  for (let at = 0; at < order.length; at++) {
    const item = items[order[at]!]
    if (map === null) list.push(item)
    else map.set((item as MapEntry).key, (item as MapEntry).value)
    if (slice.isOverAfter(at + 1, item)) yield
  }
  return map ?? list
}

export const orderSteps: Operators = {
  order: stepOperator(noParameters, (args) => {
    if (args.length === 0 || (isEnum(args[0], "Scope") && args[0].name === "global")) return new OrderGlobalStep()
    if (isEnum(args[0], "Scope")) return new OrderLocalStep()
    throw new TraversalInvalid("order() takes Scope.local or Scope.global; use by() to name the sort keys")
  })
}
