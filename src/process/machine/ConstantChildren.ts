import type { ChildResult } from "../plan/Activation.ts"
import type { Plan } from "../plan/Plan.ts"
import type { Run } from "../plan/Run.ts"

/** What a run knows of a child that gives the same for every row ({@link Plan.isConstant}). */
interface ConstantChild {
  /** The transaction's number of changes when the child ran. */
  changes: number
  /** Its answer for one row; null before it ran. */
  result: ChildResult | null
}

/** The answer of a constant child that the run keeps; empty at first. */
export const constantOf = (run: Run, child: Plan): ConstantChild =>
  run.sharedBy<ConstantChild>(child, () => ({ changes: -1, result: null }))

/** The answer for one row as the answer for so many rows. */
export const forEachRow = ({ found, values }: ChildResult, length: number): ChildResult => ({
  found: new Uint8Array(length).fill(found[0]!),
  values: values.length === 0 ? values : new Array<unknown>(length).fill(values[0])
})
