import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { type EnumValue, Order } from "../../structure/Enums.ts"
import type { Reads } from "../../structure/GraphStore.ts"
import { shuffle } from "../../structure/JavaRandom.ts"
import { order } from "../../structure/Ordering.ts"
import { Path } from "../../structure/Path.ts"
import type { Activation, BarrierGroup } from "../Activation.ts"
import { isEnum } from "../Arguments.ts"
import { Batch, carry, concat, select, VALUE } from "../Batch.ts"
import { By, type ByColumn, evaluateAll } from "../By.ts"
import type { Compiler, StepBuilder } from "../Compiler.ts"
import { mergeEqualRows } from "../EqualRows.ts"
import { TraversalInvalid } from "../Errors.ts"
import { ModulatedStep } from "../ModulatedStep.ts"
import { randomOf } from "../Randomness.ts"
import { objectReads } from "../Scoping.ts"

interface Ordered {
  readonly batches: Array<Batch>
  /** One array for each criterion, over the rows of all batches. */
  readonly keys: Array<Array<unknown>>
}

/** What both forms of order() share: modulators with a direction each. */
abstract class OrderStep extends ModulatedStep {
  readonly operator = "order"
  readonly #directions: Array<EnumValue> = []

  /** The arguments of by() may be a key, a token, a traversal, and an Order. */
  protected override modulator(args: readonly unknown[], compiler: Compiler): By {
    const direction = args.find((arg) => isEnum(arg, "Order")) as EnumValue | undefined
    this.#directions.push(direction ?? Order.asc)
    return By.of(args.filter((arg) => !isEnum(arg, "Order"))[0], this, compiler)
  }

  protected get directions(): ReadonlyArray<EnumValue> {
    return this.#directions.length === 0 ? [Order.asc] : this.#directions
  }
}

/** order(): all traversers sorted; stable, so that equal ones keep their order. */
class OrderGlobalStep extends OrderStep {
  readonly name = "OrderGlobalStep"
  override readonly keepsObject = true
  override run(batch: Batch, activation: Activation): undefined {
    const bys = this.modulators.length === 0 ? [By.identity] : this.modulators
    evaluateAll(bys, batch, activation, (columns) => {
      const cell = orderedCell(activation.group(this, batch.loops), bys.length)
      const rows = foundInAll(columns, batch.length)
      cell.batches.push(rows.length === batch.length ? batch : select(batch, rows, rows.length))
      columns.forEach((column, k) => {
        for (const row of rows) cell.keys[k]!.push(column.values[row])
      })
      activation.run.hold(rows.length * (32 + 16 * bys.length))
    })
  }

  override flush(group: BarrierGroup, activation: Activation): undefined {
    const cell = group.cells[0] as Ordered
    const directions = this.directions
    const isShuffle = directions.some((direction) => direction === Order.shuffle)
    const rowsOfAll = concat(cell.batches, activation.transaction)
    const all = isShuffle ? mergeEqualRows(rowsOfAll, activation) : rowsOfAll
    const rows = Int32Array.from({ length: all.length }, (_, i) => i)
    if (isShuffle) shuffle(rows, randomOf(activation.run, this))
    else rows.sort(comparator(cell.keys, directions, all.origin))
    activation.emitRows(this, select(all, rows, rows.length), null, rows.length)
  }

  override describe(): string {
    return `[${this.directions.map(({ name }) => name).join(", ")}]`
  }
}

const orderedCell = (group: BarrierGroup, count: number): Ordered => {
  group.cells[0] ??= { batches: [], keys: Array.from({ length: count }, () => []) } satisfies Ordered
  return group.cells[0] as Ordered
}

const foundInAll = (columns: ReadonlyArray<ByColumn>, length: number): Array<number> => {
  const rows: Array<number> = []
  for (let row = 0; row < length; row++) {
    if (columns.every((column) => column.found === null || column.found[row] === 1)) rows.push(row)
  }
  return rows
}

/** Compares rows by their keys; rows of different origins stay apart, in the order of the origins. */
const comparator = (
  keys: ReadonlyArray<ReadonlyArray<unknown>>,
  directions: ReadonlyArray<EnumValue>,
  origins: Int32Array | null
): ((a: number, b: number) => number) => {
  const signs = directions.map((direction) => (direction === Order.desc ? -1 : 1))
  return (a, b) => {
    if (origins !== null && origins[a] !== origins[b]) return origins[a]! - origins[b]!
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
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return order(a, b)
}

/** order(local): the items of a collection or the entries of a map sorted. */
class OrderLocalStep extends OrderStep {
  readonly name = "OrderLocalStep"
  /** The modulators look at what is inside the collections. */
  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return objectReads(batch, activation)
  }

  override run(batch: Batch, activation: Activation): undefined {
    const sources = Array.from({ length: batch.length }, (_, row) => itemsOf(batch.value(row, activation.transaction)))
    const rows: Array<number> = []
    const items: Array<unknown> = []
    sources.forEach((source, row) => {
      for (const item of source ?? []) {
        rows.push(row)
        items.push(item)
      }
    })
    const emit = (keys: ReadonlyArray<ByColumn>): void => this.#emit(batch, sources, rows, items, keys, activation)
    if (items.length === 0) {
      emit([])
      return
    }
    const bys = this.modulators.length === 0 ? [By.identity] : this.modulators
    const all = carry(batch, rows, new Batch(VALUE, items, items.length))
    all.origin = null
    evaluateAll(bys, all, activation, emit)
  }

  #emit(
    batch: Batch,
    sources: ReadonlyArray<ReadonlyArray<unknown> | undefined>,
    rows: ReadonlyArray<number>,
    items: ReadonlyArray<unknown>,
    columns: ReadonlyArray<ByColumn>,
    activation: Activation
  ): void {
    const kept = foundInAll(columns, items.length)
    const directions = this.directions
    const byRow = sources.map((): Array<number> => [])
    for (const i of kept) byRow[rows[i]!]!.push(i)
    const keys = columns.map((column) => column.values)
    const compareItems = comparator(keys, directions, null)
    const values = sources.map((source, row) => {
      const original = batch.value(row, activation.transaction)
      if (source === undefined) return original
      const indexes = Int32Array.from(byRow[row]!)
      if (directions.includes(Order.shuffle)) shuffle(indexes, randomOf(activation.run, this))
      else indexes.sort(compareItems)
      return rebuild(
        original,
        Array.from(indexes, (i) => items[i])
      )
    })
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }
}

const itemsOf = (value: unknown): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(value)) return value
  if (value instanceof GremlinSet || value instanceof BulkSet) return [...value]
  if (value instanceof GremlinMap) return [...value].map(([key, item]) => new MapEntry(key, item))
  if (value instanceof Path) return value.objects
  return undefined
}

/** Sorted sets become lists: a set has no order to show. */
const rebuild = (original: unknown, items: ReadonlyArray<unknown>): unknown =>
  original instanceof GremlinMap
    ? new GremlinMap((items as ReadonlyArray<MapEntry>).map((entry) => [entry.key, entry.value]))
    : items

export const orderSteps: Readonly<Record<string, StepBuilder>> = {
  order: (args) => {
    if (args.length === 0 || (isEnum(args[0], "Scope") && args[0].name === "global")) return new OrderGlobalStep()
    if (isEnum(args[0], "Scope")) return new OrderLocalStep()
    throw new TraversalInvalid("order() takes Scope.local or Scope.global; say what to compare with by()")
  }
}
