import { sortTask, sortWaiting } from "../../../scheduling/Sorting.ts"
import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, mayBeSlow, type TimeSlice } from "../../../scheduling/TimeSlice.ts"
import {
  BulkSet,
  entriesOf,
  GremlinMap,
  GremlinSet,
  type MapEntry
} from "../../../structure/collections/Collections.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { Order } from "../../../structure/scalars/Enums.ts"
import { randomOf } from "../../machine/Randomness.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, VALUE } from "../../plan/Batch.ts"
import { mapping, type StepTraits } from "../../plan/StepTraits.ts"
import { type ByColumn, withoutPast } from "../shared/By.ts"
import { evaluateAll } from "../shared/Columns.ts"
import { objectReads } from "../shared/Scoping.ts"
import { closureComparator, comparator, OrderStep, shuffled } from "./OrderStep.ts"

const traits = mapping({ limits: "pass", labels: "none", children: "asked" })

/** A closure may have effects: a scout does not call it. */
const callingTraits: StepTraits = { ...traits, work: "acts", scout: "stops" }

/** order(local): sorts the items of a collection or the entries of a map. */
export class OrderLocalStep extends OrderStep {
  readonly name = "OrderLocalStep"
  get traits(): StepTraits {
    return this.callsClosure ? callingTraits : traits
  }

  /** The modulators read the members of the collections. */
  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return this.modulators.length === 0 && !this.callsClosure ? [] : objectReads(batch, activation)
  }

  /** As in TinkerPop, this form ignores a random criterion that is not the last one. */
  protected override compared<A>(criteria: ReadonlyArray<A>): ReadonlyArray<A> {
    return criteria.filter((_, at) => this.directions[at] !== Order.shuffle)
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
    const keys = this.compared(columns).map((column) => column.values)
    const directions = this.compared(this.directions)
    const compareItems = comparator(keys, directions, null)
    const compareWithClosures =
      this.callsClosure && !this.isShuffled
        ? closureComparator(keys, directions, this.comparators(activation), null, activation)
        : null
    const values: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      const original = batch.value(row, activation.transaction)
      if (sources[row] === undefined) values.push(original)
      else {
        const sorted =
          compareWithClosures === null
            ? yield* this.#sorted(byRow[row]!, compareItems, isCostly(columns), activation)
            : yield* sortWaiting(byRow[row]!, compareWithClosures)
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
      const piece = withoutPast(new Batch(VALUE, part, part.length), activation, this.modulators)
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
    if (this.isShuffled) {
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

const isCostly = (columns: ReadonlyArray<ByColumn>): boolean => columns.some(({ values }) => values.some(mayBeSlow))
