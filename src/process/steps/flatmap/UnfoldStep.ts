import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { Path } from "../../../structure/elements/Path.ts"
import type { Cursor } from "../../../structure/graph/GraphReads.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { flattening } from "../../plan/StepTraits.ts"

/** Maximum number of rows that one call emits. */
const UNFOLD_MAX_ROWS = 4096

/** A collection that is partly emitted: the members that remain at the cursor. */
interface Begun {
  members: Iterator<unknown> | null
}

const nextRow = (cursor: Cursor): void => {
  cursor.row++
  cursor.offset = 0
}

const traits = flattening({ results: "many", keepsObject: false, children: "none" })

/**
 * unfold(): the items of a collection, the entries of a map, the objects of a path. Any other object is passed
 * unchanged.
 */
class UnfoldStep extends Step {
  readonly operator = "unfold"
  readonly name = "UnfoldStep"
  readonly traits = traits

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    if (batch.kind !== VALUE) {
      activation.emitData(this, batch, null, batch.kind, batch.data, batch.length)
      return true
    }
    const cursor = activation.cursor(this)
    const rows: Array<number> = []
    const values: Array<unknown> = []
    while (cursor.row < batch.length && values.length < UNFOLD_MAX_ROWS) {
      const value = batch.data[cursor.row]
      if (Array.isArray(value)) this.#list(value, cursor, rows, values)
      else if (isCollection(value)) this.#members(value, cursor, rows, values, activation)
      else {
        rows.push(cursor.row++)
        values.push(value)
      }
    }
    const through = cursor.row >= batch.length
    activation.emitData(this, batch, rows, VALUE, values, values.length)
    return through
  }

  override leave(): void {}

  #list(list: ReadonlyArray<unknown>, cursor: Cursor, rows: Array<number>, values: Array<unknown>): void {
    const until = Math.min(list.length, cursor.offset + UNFOLD_MAX_ROWS - values.length)
    for (let i = cursor.offset; i < until; i++) {
      rows.push(cursor.row)
      values.push(list[i])
    }
    cursor.offset = until
    if (until === list.length) nextRow(cursor)
  }

  /** Handles collections whose iterator must be kept between calls. */
  #members(
    value: Collection,
    cursor: Cursor,
    rows: Array<number>,
    values: Array<unknown>,
    activation: Activation
  ): void {
    const begun = activation.state<Begun>(this, () => ({ members: null }))
    if (cursor.offset === 0) begun.members = membersOf(value)
    while (values.length < UNFOLD_MAX_ROWS) {
      const { done, value: member } = begun.members!.next()
      if (done === true) {
        nextRow(cursor)
        return
      }
      rows.push(cursor.row)
      values.push(member)
      cursor.offset++
    }
  }
}

type Collection = GremlinSet | BulkSet | GremlinMap | Tree | Path

const isCollection = (value: unknown): value is Collection =>
  value instanceof GremlinSet ||
  value instanceof BulkSet ||
  value instanceof GremlinMap ||
  value instanceof Tree ||
  value instanceof Path

/** Iterates over the members one by one: the expanded bulk set may not fit in memory. */
function* membersOf(value: Collection): Iterator<unknown> {
  if (value instanceof BulkSet) yield* value.repeated()
  else if (value instanceof GremlinSet) yield* value
  else if (value instanceof Path) yield* value.objects
  else for (const [key, item] of value instanceof Tree ? value.children : value) yield new MapEntry(key, item)
}

/** The operator unfold(). */
export const unfoldSteps: Operators = { unfold: stepOperator(noParameters, () => new UnfoldStep()) }
