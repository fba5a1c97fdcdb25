import type { ChildResult } from "../plan/Activation.ts"
import type { Plan } from "../plan/Plan.ts"
import type { Run } from "../plan/Run.ts"

/** What a run knows about a child with the same results for every row ({@link Plan.isConstant}). */
interface ConstantChild {
  /** The transaction's number of changes when the child ran. */
  changes: number
  /** Its answer for one row; null before it ran. */
  result: ChildResult | null
}

/** The cached answer of a constant child in a run; empty at first. */
export const constantOf = (run: Run, child: Plan): ConstantChild =>
  run.sharedBy<ConstantChild>(child, () => ({ changes: -1, result: null }))

/** Repeats the answer for one row for `length` rows. */
export const forEachRow = ({ found, values }: ChildResult, length: number): ChildResult => ({
  found: new Uint8Array(length).fill(found[0]!),
  values: values.length === 0 ? values : new Array<unknown>(length).fill(values[0])
})
