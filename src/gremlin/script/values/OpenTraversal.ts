import { Bytecode, type Instruction } from "../../../process/language/Bytecode.ts"

/**
 * An anonymous traversal as a value of a script. As in TinkerPop, a step that is called on it continues the traversal itself, so that
 * all variables that hold it see the step. A traversal of a source takes it as it is at that time.
 */
export class OpenTraversal extends Bytecode {
  #steps: readonly Instruction[]

  constructor({ sourceInstructions, stepInstructions }: Bytecode) {
    super(sourceInstructions, stepInstructions)
    this.#steps = stepInstructions
    Object.defineProperty(this, "stepInstructions", { get: () => this.#steps, enumerable: true })
  }
  get [Symbol.toStringTag](): string {
    return "GraphTraversal"
  }

  /** Continues the traversal. `steps` are its instructions with the further ones. */
  continue(steps: readonly Instruction[]): this {
    this.#steps = steps
    return this
  }

  /** The traversal as it is now. */
  get taken(): Bytecode {
    return new Bytecode(this.sourceInstructions, this.#steps)
  }
}
