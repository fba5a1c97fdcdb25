import type { Evaluation } from "../Scope.ts"
import { ScriptFailure } from "../SyntaxErrors.ts"
import { OperandError } from "./Budget.ts"

/** Adds positions to the errors of a running script. A position is an offset in the text of the script. */
export class Places {
  readonly #text: string

  /** @param text the text of the script */
  constructor(text: string) {
    this.#text = text
  }

  /** Creates an error with this message and position. */
  failure(problem: string, position: number): ScriptFailure {
    return new ScriptFailure(problem, this.#text, position)
  }

  /** Runs an operation. Converts an OperandError that it throws to a ScriptFailure with the position. */
  at<A>(position: number, operation: () => A): A {
    try {
      return operation()
    } catch (error) {
      throw this.#placed(error, position)
    }
  }

  /** Like {@link at}, for a part of the script that can yield. */
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
