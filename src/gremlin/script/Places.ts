import type { Evaluation } from "../Scope.ts"
import { ScriptFailure } from "../SyntaxErrors.ts"
import { OperandError } from "./Budget.ts"

/** Adds the place in the script to the failures of its run. Positions are offsets in the script. */
export class Places {
  readonly #text: string

  /** @param text the script */
  constructor(text: string) {
    this.#text = text
  }

  /** The failure of a problem at a position. */
  failure(problem: string, position: number): ScriptFailure {
    return new ScriptFailure(problem, this.#text, position)
  }

  /** Runs an operation. An OperandError becomes a ScriptFailure at the position. */
  at<A>(position: number, operation: () => A): A {
    try {
      return operation()
    } catch (error) {
      throw this.#placed(error, position)
    }
  }

  /** As {@link at}, for a part of an evaluation. */
  *placed(position: number, part: Evaluation): Evaluation {
    try {
      return yield* part
    } catch (error) {
      throw this.#placed(error, position)
    }
  }

  #placed(error: unknown, position: number): unknown {
    return error instanceof OperandError ? this.failure(error.message, position) : error
  }
}
