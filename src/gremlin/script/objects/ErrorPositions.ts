import { ArithmeticFailure, MalformedText, TypeMismatch } from "../../../structure/errors/ValueErrors.ts"
import type { ScriptRun } from "../../HostCall.ts"
import { CalculationFailure, type ExceptionType, ScriptFailure, ScriptUnavailable } from "../../SyntaxErrors.ts"
import { OperandError, Refusal, Unavailable } from "../values/OperandErrors.ts"

/** Adds positions to the errors of a running script. A position is an offset in the text of the script. */
export class ErrorPositions {
  /** The text of the script. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Creates an error with this message and position. A script catches it as `exception`. */
  failure(problem: string, position: number, exception?: ExceptionType): ScriptFailure {
    return new ScriptFailure(problem, this.text, position, exception === undefined ? {} : { exception })
  }

  /** Runs an operation that calls no host. Converts an OperandError, or an error of a value, to a ScriptFailure with the position. */
  at<A>(position: number, operation: () => A): A {
    try {
      return operation()
    } catch (error) {
      throw this.calculationError(error, position)
    }
  }

  /** Like {@link at}, for a part of the script that can yield. */
  *positioned(position: number, part: ScriptRun): ScriptRun {
    try {
      return yield* part
    } catch (error) {
      throw this.positionedError(error, position)
    }
  }

  /** An error of a calculation with the position, such as a division by zero. */
  calculationError(error: unknown, position: number): unknown {
    const isOfValue =
      error instanceof ArithmeticFailure || error instanceof MalformedText || error instanceof TypeMismatch
    return isOfValue ? new CalculationFailure(error, this.text, position) : this.positionedError(error, position)
  }

  /** An error of an operation with the position. */
  positionedError(error: unknown, position: number): unknown {
    if (!(error instanceof OperandError)) return error
    const own = error.failureAt(this.text, position)
    if (own !== undefined) return own
    const { exception, message } = error
    if (error instanceof Unavailable) return new ScriptUnavailable(message, this.text, position)
    if (error instanceof Refusal) return new ScriptFailure(message, this.text, position, { exception, text: message })
    if (error.text === undefined) return this.failure(message, position, exception)
    return new ScriptFailure(message, this.text, position, { exception, text: error.text })
  }
}
