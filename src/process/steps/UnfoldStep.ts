import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { Path, Tree } from "../../structure/Path.ts"
import type { Activation } from "../Activation.ts"
import { type Batch, VALUE } from "../Batch.ts"
import type { StepBuilder } from "../Compiler.ts"
import { Step } from "../Step.ts"

/** Rows that one call may give out of long collections. */
const UNFOLDED = 4096

/** unfold(): the items of a collection, the entries of a map, the objects of a path; anything else is itself. */
class UnfoldStep extends Step {
  readonly operator = "unfold"
  readonly name = "UnfoldStep"

  override run(batch: Batch, activation: Activation): boolean {
    if (batch.kind !== VALUE) {
      activation.emitData(this, batch, null, batch.kind, batch.data, batch.length)
      return true
    }
    const cursor = activation.cursor(this)
    const rows: Array<number> = []
    const values: Array<unknown> = []
    while (cursor.row < batch.length && values.length < UNFOLDED) {
      const items = itemsOf(batch.data[cursor.row])
      const until = Math.min(items.length, cursor.offset + UNFOLDED - values.length)
      for (let i = cursor.offset; i < until; i++) {
        rows.push(cursor.row)
        values.push(items[i])
      }
      if (until < items.length) cursor.offset = until
      else {
        cursor.row++
        cursor.offset = 0
      }
    }
    const through = cursor.row >= batch.length
    activation.emitData(this, batch, rows, VALUE, values, values.length)
    return through
  }
}

const itemsOf = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  if (value instanceof GremlinSet || value instanceof BulkSet) return [...value]
  if (value instanceof GremlinMap) return [...value].map(([key, item]) => new MapEntry(key, item))
  if (value instanceof Tree) return [...value.children].map(([key, item]) => new MapEntry(key, item))
  if (value instanceof Path) return value.objects
  return [value]
}

export const unfoldSteps: Readonly<Record<string, StepBuilder>> = { unfold: () => new UnfoldStep() }
