import type { ExceptionType } from "../../SyntaxErrors.ts"

/** An operator or method does not accept an operand, or would cost too much. The interpreter adds the position in the script. */
export class OperandError extends Error {
  /** The class of the exception that a script catches. */
  readonly exception: ExceptionType
  /** The message that a script catches, which is Java's; undefined for the message of this error with its position. */
  readonly text: string | undefined
  constructor(problem: string, exception: ExceptionType = "RuntimeException", text?: string) {
    super(problem)
    this.exception = exception
    this.text = text
  }

  /** The failure at a position of the script with this text; undefined for one that consists of the fields of this error. */
  failureAt(_script: string, _position: number): Error | undefined {
    return undefined
  }
}

/**
 * Scripts do not have a method or class that Groovy may have. A script cannot catch this error: it would continue as if Groovy had
 * refused the call.
 */
export class Unavailable extends OperandError {}

/** The server refuses a call of a method of one of its objects. Scripts catch it as an IllegalStateException with this message. */
export class Refusal extends OperandError {
  constructor(problem: string) {
    super(problem, "IllegalStateException")
  }
}
