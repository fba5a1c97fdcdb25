import { isTraversal } from "../../language/Arguments.ts"
import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, select, withSacks } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import type { Scratch } from "../../plan/Scratch.ts"
import type { Traversal } from "../../plan/Step.ts"
import { UnsplitSack } from "../../plan/UnsplitSack.ts"
import { asPredicate } from "../filter/HasStep.ts"

/** A condition of until() or emit(): a number of rounds, a child traversal, or always true. */
export type LoopTest =
  | { readonly kind: "times"; readonly rounds: number }
  | { readonly kind: "traversal"; readonly traversal: Traversal }
  | { readonly kind: "always" }

/** until(P) and emit(P) test the object; P becomes the traversal is(P). */
export const traversalOf = (argument: unknown): unknown =>
  isTraversal(argument) ? argument : new Bytecode([], [new Instruction("is", [asPredicate(argument)])])

/** Describes a test for explain(). */
export const words = (test: LoopTest): string =>
  test.kind === "times" ? `loops(${test.rounds})` : test.kind === "always" ? "true" : String(test.traversal)

/** The rows of a batch that meet a test: true = all, false = none, otherwise 1 for each row that meets it. */
type Met = boolean | Uint8Array

/** Evaluates a test for the rows of a batch. A null test is false for every row. */
export const matching = (
  test: LoopTest | null,
  batch: Batch,
  activation: Activation,
  done: (met: Met) => void
): void => {
  if (test === null || batch.length === 0) done(false)
  else if (test.kind === "always") done(true)
  else if (test.kind === "times") done(batch.loops!.count >= test.rounds)
  else activation.invoke(planOf(test.traversal), batch, "exists", ({ found }) => done(found))
}

const isMet = (met: Met, row: number): boolean => (typeof met === "boolean" ? met : met[row] === 1)

/** The rows that meet a test, or those that do not. */
export const rowsOf = (batch: Batch, met: Met, wanted: boolean, scratch: Scratch): Batch => {
  if (met === wanted) return batch
  const rows = scratch.rows(batch.length)
  let count = 0
  if (typeof met !== "boolean") for (let i = 0; i < batch.length; i++) if ((met[i] === 1) === wanted) rows[count++] = i
  return count === batch.length ? batch : select(batch, rows, count)
}

/** The rows that leave the loop and the other rows that are emitted, in the order of the batch. */
export const leaving = (batch: Batch, through: Met, emitted: Met, scratch: Scratch): Batch => {
  if (emitted === false) return rowsOf(batch, through, true, scratch)
  if (through === false) return rowsOf(batch, emitted, true, scratch)
  const rows = scratch.rows(batch.length)
  let count = 0
  let other = 0
  for (let i = 0; i < batch.length; i++) if (isMet(through, i) || isMet(emitted, other++)) rows[count++] = i
  return count === batch.length ? batch : select(batch, rows, count)
}

/** Marks the sacks of the rows that leave the loop, so that the next step does not split them. */
export const unsplit = (batch: Batch, through: Met): Batch => {
  const { sack } = batch
  if (through === false || sack === null) return batch
  const marked = (_: unknown, i: number): unknown => (isMet(through, i) ? new UnsplitSack(sack[i]) : sack[i])
  return withSacks(batch, Array.from({ length: batch.length }, marked))
}
