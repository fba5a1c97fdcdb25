import { isTraversal } from "../../language/Arguments.ts"
import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, select } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import type { Scratch } from "../../plan/Scratch.ts"
import type { Traversal } from "../../plan/Step.ts"
import { asPredicate } from "../filter/HasStep.ts"

/** A condition of until() or emit(): a number of rounds, a child traversal, or always. */
export type LoopTest =
  | { readonly kind: "times"; readonly rounds: number }
  | { readonly kind: "traversal"; readonly traversal: Traversal }
  | { readonly kind: "always" }

/** until(P) and emit(P) test the object itself. */
export const traversalOf = (argument: unknown): unknown =>
  isTraversal(argument) ? argument : new Bytecode([], [new Instruction("is", [asPredicate(argument)])])

/** A test in words, for explain(). */
export const words = (test: LoopTest): string =>
  test.kind === "times" ? `loops(${test.rounds})` : test.kind === "always" ? "true" : String(test.traversal)

/** Which rows of a batch meet a test: all, none, or those with a 1. */
type Met = boolean | Uint8Array

/** Asks a test about the rows of a batch; null is met by none. */
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

/** The rows that meet a test, or that do not. */
export const rowsOf = (batch: Batch, met: Met, wanted: boolean, scratch: Scratch): Batch => {
  if (met === wanted) return batch
  const rows = scratch.rows(batch.length)
  let count = 0
  if (typeof met !== "boolean") for (let i = 0; i < batch.length; i++) if ((met[i] === 1) === wanted) rows[count++] = i
  return count === batch.length ? batch : select(batch, rows, count)
}

/** Rows that are through, and those of the others that are emitted, in the order of the batch. */
export const leaving = (batch: Batch, through: Met, emitted: Met, scratch: Scratch): Batch => {
  if (emitted === false) return rowsOf(batch, through, true, scratch)
  if (through === false) return rowsOf(batch, emitted, true, scratch)
  const rows = scratch.rows(batch.length)
  let count = 0
  let other = 0
  for (let i = 0; i < batch.length; i++) if (isMet(through, i) || isMet(emitted, other++)) rows[count++] = i
  return count === batch.length ? batch : select(batch, rows, count)
}
