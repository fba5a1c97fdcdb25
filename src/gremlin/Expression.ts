/**
 * A part of the tree of a parsed script. It is either plain data (values of structure/, predicates, anonymous traversals as
 * Bytecode, with a Variable in the place of a variable's value), or an {@link Expression}, which the interpreter
 * calculates.
 */
export type Operand = unknown

/** A part of a script that is calculated when the script runs. `position` is its offset in the script. */
export abstract class Expression {
  abstract readonly kind: string
  readonly position: number
  constructor(position: number) {
    this.position = position
  }
}
