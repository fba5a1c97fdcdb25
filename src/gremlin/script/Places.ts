import type { Evaluation } from "../Scope.ts"
import { ScriptFailure, ScriptUnavailable } from "../SyntaxErrors.ts"
import { OperandError, Unavailable } from "./Budget.ts"

/** Adds positions to the errors of a running script. A position is an offset in the text of the script. */
export class Places {
  /** The text of the script. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Creates an error with this message and position. */
  failure(problem: string, position: number): ScriptFailure {
    return new ScriptFailure(problem, this.text, position)
  }

  /** Runs an operation. Converts an OperandError that it throws to a ScriptFailure with the position. */
  at<A>(position: number, operation: () => A): A {
    try {
      return operation()
    } catch (error) {
      throw this.placedError(error, position)
    }
  }

  /** Like {@link at}, for a part of the script that can yield. */
  *placed(position: number, part: Evaluation): Evaluation {
    try {
      return yield* part
    } catch (error) {
      throw this.placedError(error, position)
    }
  }

  /** An error of an operation with the position. */
  placedError(error: unknown, position: number): unknown {
    if (error instanceof Unavailable) return new ScriptUnavailable(error.message, this.text, position)
    return error instanceof OperandError ? this.failure(error.message, position) : error
  }
}
