import { Bytecode, Instruction } from "./Bytecode.ts"
import type { ClosureSource } from "./Closure.ts"

/** The operator of the one step of a child traversal that calls a closure. Drivers have no step with this name. */
export const CLOSURE_OPERATOR = "closure"

/** What the argument of a closure is: the traverser of the row, or its object. */
export type ClosureArgument = "traverser" | "object"

/** A child traversal that is one step, which calls a closure. */
export const closureChild = (closure: ClosureSource, argument: ClosureArgument): Bytecode =>
  new Bytecode([], [new Instruction(CLOSURE_OPERATOR, [closure, argument])])

/** True if an argument is a child traversal that {@link closureChild} made. */
export const isClosureChild = (argument: unknown): argument is Bytecode =>
  argument instanceof Bytecode &&
  argument.stepInstructions.length === 1 &&
  argument.stepInstructions[0]!.operator === CLOSURE_OPERATOR
