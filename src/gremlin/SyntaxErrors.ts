import { closest } from "../structure/characters/Spelling.ts"
import { TaggedError } from "../structure/errors/TaggedError.ts"
import { ArithmeticFailure } from "../structure/errors/ValueErrors.ts"

/** A script is not in the Gremlin language. The message begins with the line and the column, which are counted from 1. */
export class GremlinSyntaxError extends TaggedError {
  readonly _tag = "GremlinSyntaxError"
  /** Offset in the script, in UTF-16 code units. */
  readonly position: number
  readonly line: number
  readonly column: number
  constructor(problem: string, script: string, position: number) {
    const { line, column } = locate(script, position)
    super(`Line ${line}, column ${column}: ${shortened(problem)}`)
    this.position = position
    this.line = line
    this.column = column
  }
}

/** The simple names of the exceptions that Groovy throws for operations that fail. A script can catch them by these names. */
export type ExceptionType =
  | "ArrayIndexOutOfBoundsException"
  | "ClassCastException"
  | "ConcurrentModificationException"
  | "DateTimeException"
  | "DateTimeParseException"
  | "ParseException"
  | "UnsupportedTemporalTypeException"
  | "GroovyCastException"
  | "GroovyRuntimeException"
  | "IllegalArgumentException"
  | "IllegalFormatException"
  | "IllegalFormatConversionException"
  | "MissingFormatArgumentException"
  | "UnknownFormatConversionException"
  | "IllegalStateException"
  | "IndexOutOfBoundsException"
  | "InvalidElementException"
  | "JsonException"
  | "MissingMethodException"
  | "MissingPropertyException"
  | "NoSuchElementException"
  | "NullPointerException"
  | "RuntimeException"
  | "StackOverflowError"
  | "StringIndexOutOfBoundsException"
  | "UnsupportedOperationException"

/** What a script catches for a failure. */
interface Caught {
  /** The class of the exception. Default: RuntimeException. */
  readonly exception?: ExceptionType
  /** The message of the exception. Default: the message of the failure, which has a position. */
  readonly text?: string
}

/** A statement of a script failed when it ran, for example because of an unknown variable or method or a wrong index. */
export class ScriptFailure extends TaggedError {
  readonly _tag = "ScriptFailure"
  /** Offset in the script, in UTF-16 code units. */
  readonly position: number
  readonly caught: Required<Caught>
  /** The full name of the exception's class in Java, for clients; undefined unless the script throws it, or a calculation does. */
  readonly exceptionClass: string | undefined = undefined
  constructor(problem: string, script: string, position: number, caught: Caught = {}) {
    const { line, column } = locate(script, position)
    super(`Line ${line}, column ${column}: ${shortened(problem)}`)
    this.position = position
    this.caught = { exception: caught.exception ?? "RuntimeException", text: caught.text ?? this.message }
  }
}

/** A calculation of a script failed. A script catches the exception for the error itself, whose message has no position. */
export class CalculationFailure extends ScriptFailure {
  readonly error: TaggedError
  override readonly exceptionClass: string | undefined
  constructor(error: TaggedError, script: string, position: number) {
    super(error.message, script, position)
    this.error = error
    this.exceptionClass = error instanceof ArithmeticFailure ? "java.lang.ArithmeticException" : undefined
  }
}

/** A script called what scripts do not have. It cannot catch this error. */
export class ScriptUnavailable extends ScriptFailure {}

const MAX_PROBLEM_CHARS = 1000

/** Shortens a message, because it may quote long names of the script. */
const shortened = (problem: string): string =>
  problem.length > MAX_PROBLEM_CHARS ? `${problem.slice(0, MAX_PROBLEM_CHARS)}...` : problem

/** The 1-based line and column of an offset. */
const locate = (script: string, position: number): { line: number; column: number } => {
  let line = 1
  let start = 0
  for (let at = script.indexOf("\n"); at >= 0 && at < position; at = script.indexOf("\n", at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: position - start + 1 }
}

/** The message for what scripts do not have. `what` is its first sentence, such as `scripts do not have the class Runtime`. */
export const noCode = (what: string): string =>
  `${what}. Scripts have Gremlin and a part of Groovy only (docs/reference/scripts.md). Use Gremlin steps instead`

/** Returns `. Did you mean x()?` with the candidate that is most similar to a called name; empty if none is similar. */
export const callSuggestion = (name: string, candidates: Iterable<string>): string => {
  const near = closest(name, candidates)
  return near === undefined ? "" : `. Did you mean ${near}()?`
}
