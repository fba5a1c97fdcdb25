import { beginningOf } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { exceptionParents } from "../../parser/ExceptionNames.ts"
import { javaClassName } from "../../parser/Imports.ts"
import { CalculationFailure, ScriptFailure, ScriptUnavailable } from "../../SyntaxErrors.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import type { ErrorPositions } from "./ErrorPositions.ts"

/** Longest message of an exception. */
const MAX_MESSAGE_CHARS = 1000

/** An exception as a value of a script. */
export class ScriptException {
  /** The simple name of its class, such as `IllegalStateException`. */
  readonly type: string
  readonly message: string | null
  #cause: unknown
  readonly #others: readonly string[]
  /**
   * @param cause undefined for an exception whose cause may still be set
   * @param others further classes of which it is an instance: those that JanusGraph throws in its place
   */
  constructor(type: string, message: string | null, cause?: unknown, others: readonly string[] = []) {
    this.type = type
    this.#others = others
    this.message = message
    this.#cause = cause
  }
  /** The exception that caused this one; null without one. */
  get cause(): unknown {
    return this.#cause ?? null
  }
  /** True when it is an instance of the class. */
  isA(ancestor: string): boolean {
    return isA(this.type, ancestor) || this.#others.some((type) => isA(type, ancestor))
  }
  /** Sets the cause of an exception that was made without one. Fails with OperandError as Java does. */
  initCause(cause: unknown): void {
    if (cause !== null && !(cause instanceof ScriptException)) {
      throw new OperandError(`initCause() takes an exception, not ${typeName(cause)}`, "MissingMethodException")
    }
    if (this.#cause !== undefined) {
      const text = `Can't overwrite cause with ${cause === null ? "a null" : beginningOf(String(cause), MAX_MESSAGE_CHARS)}`
      throw new OperandError(text, "IllegalStateException", text)
    }
    if (cause === this) {
      throw new OperandError("Self-causation not permitted", "IllegalArgumentException", "Self-causation not permitted")
    }
    for (let at: unknown = cause; at instanceof ScriptException; at = at.cause) {
      if (at === this) throw new Unavailable("an exception cannot be a cause of its own cause in scripts")
    }
    this.#cause = cause
  }
  /** The name of its class, as scripts see it. */
  get [Symbol.toStringTag](): string {
    return this.type
  }
  /** The simple name of its class, and its message: what a client sees. */
  get summary(): string {
    return this.#textWith(this.type)
  }
  /** The text that scripts see, with the full name of its class as in Java. */
  toString(): string {
    return this.#textWith(javaClassName(this.type))
  }
  #textWith(name: string): string {
    return this.message === null ? name : `${name}: ${this.message}`
  }
}

/** The error that `throw` raises. Its message is what the client sees when no script catches it. */
export class Thrown extends ScriptFailure {
  readonly exception: ScriptException
  override readonly exceptionClass: string
  constructor(exception: ScriptException, script: string, position: number) {
    super(exception.summary, script, position)
    this.exception = exception
    this.exceptionClass = javaClassName(exception.type)
  }

  /** The error of `throw value`. Fails with ScriptFailure for a value that is no exception. */
  static of(value: unknown, positions: ErrorPositions, position: number): Thrown {
    if (value instanceof ScriptException) return new Thrown(value, positions.text, position)
    throw positions.failure(
      `throw takes an exception, such as new IllegalStateException('...'), not ${typeName(value)}`,
      position
    )
  }

  /** A new exception as an error. */
  static create(type: string, message: string, positions: ErrorPositions, position: number): Thrown {
    return new Thrown(new ScriptException(type, message), positions.text, position)
  }
}

/** A method throws an exception that the script has made: a catch clause gets the same object. */
export class Raised extends OperandError {
  readonly made: ScriptException
  constructor(made: ScriptException) {
    super(made.summary)
    this.made = made
  }
  override failureAt(script: string, position: number): Error {
    return new Thrown(this.made, script, position)
  }
}

/** True when the exception class `type` is `ancestor` or extends it. */
export const isA = (type: string, ancestor: string): boolean => {
  for (let at: string | undefined = type; at !== undefined && at !== ""; at = parentOf(at)) {
    if (at === ancestor) return true
  }
  return false
}

const parentOf = (type: string): string | undefined =>
  Object.hasOwn(exceptionParents, type) ? exceptionParents[type] : undefined

/** Errors that end a script even inside of try: the request has ended, or it has reached a limit of the server. */
const uncatchable: ReadonlySet<string> = new Set([
  ...["EvaluationTimeout", "EvaluationCancelled", "ConnectionClosed", "LimitExceeded", "Forbidden", "Unauthorized"]
])

/**
 * Errors that a script may catch only from its own commit. Elsewhere they leave a part of a write, which the end of the script
 * would commit; and the server repeats a request after a conflict.
 */
const ofCommits: ReadonlySet<string> = new Set(["TransactionConflict", "StorageFailure"])

/**
 * Classes of exceptions by the tag of the error of the server. The first one is the class; the others are those that JanusGraph throws, for
 * which scripts written for it look.
 */
const types: { readonly [tag: string]: string } = {
  ArithmeticFailure: "ArithmeticException",
  MalformedText: "NumberFormatException",
  TypeMismatch: "ClassCastException",
  ValueTooLarge: "IllegalArgumentException",
  TraversalInvalid: "IllegalArgumentException",
  TraversalError: "IllegalStateException",
  VerificationFailed: "VerificationException",
  FailStep: "RuntimeException",
  // CommitOutcomeUnknown and FailedAfterCommit are not here: a script that catches them would hide them from its client.
  TransactionConflict: "TransactionException JanusGraphException",
  StorageFailure: "TransactionException JanusGraphException",
  ElementExists: "IllegalArgumentException SchemaViolationException",
  ElementRefused: "IllegalArgumentException SchemaViolationException",
  UnsupportedValue: "IllegalArgumentException SchemaViolationException",
  ElementNotFound: "NoSuchElementException InvalidElementException",
  ReadOnlyTransaction: "UnsupportedOperationException",
  TransactionsNotSupported: "UnsupportedOperationException"
}

/**
 * Classes of the cause by the tag of the error, the most apt one first. In JanusGraph commit() throws a JanusGraphException, and scripts
 * look at its cause to decide whether they try again. Clauses may also name these classes, as if the commit threw the cause itself.
 */
const causes: { readonly [tag: string]: string } = {
  TransactionConflict: "TemporaryLockingException PermanentLockingException",
  StorageFailure: "PermanentBackendException TemporaryBackendException"
}

/**
 * The first of these clauses that catches the exception; undefined for none. A conflict passes a clause for permanent failures if a later
 * one is for temporary failures: a new attempt may succeed.
 */
export const clauseFor = <Clause extends { readonly types: readonly string[] }>(
  exception: ScriptException,
  clauses: readonly Clause[]
): Clause | undefined => {
  const catching = clauses.filter(
    ({ types }) => types.some((type) => exception.isA(type)) || (types.length === 0 && exception.isA("Exception"))
  )
  const [first] = catching
  const names = (clause: Clause | undefined, parent: string): boolean =>
    clause?.types.some((type) => isA(type, parent)) === true
  const isRetryable = exception.cause instanceof ScriptException && isA(exception.cause.type, TEMPORARY)
  if (!isRetryable || !names(first, "PermanentBackendException")) return first
  return catching.find((clause) => names(clause, TEMPORARY)) ?? first
}

const TEMPORARY = "TemporaryBackendException"

/**
 * The exception that a script catches for an error; undefined for an error that no script may catch.
 *
 * @param isOfCommit whether a commit of the script raised the error
 */
export const caught = (error: unknown, isOfCommit: boolean): ScriptException | undefined => {
  if (error instanceof Thrown) return error.exception
  if (error instanceof CalculationFailure) return caught(error.error, isOfCommit)
  if (error instanceof ScriptUnavailable || error instanceof Unavailable) return undefined
  if (error instanceof ScriptFailure) {
    const { exception, text } = error.caught
    return new ScriptException(exception, beginningOf(text, MAX_MESSAGE_CHARS))
  }
  if (error instanceof Raised) return error.made
  if (error instanceof OperandError) return new ScriptException(error.exception, error.text ?? error.message)
  if (!(error instanceof Error) || error instanceof RangeError) return undefined
  const tag = (error as { readonly _tag?: unknown })._tag
  if (typeof tag !== "string" || uncatchable.has(tag) || !Object.hasOwn(types, tag)) return undefined
  if (ofCommits.has(tag) && !isOfCommit) return undefined
  const [type, ...others] = types[tag]!.split(" ")
  const message = beginningOf(error.message, MAX_MESSAGE_CHARS)
  const [causeType, ...causeOthers] = Object.hasOwn(causes, tag) ? causes[tag]!.split(" ") : []
  if (causeType === undefined) return new ScriptException(type!, message, undefined, others)
  const cause = new ScriptException(causeType, message, null, causeOthers)
  return new ScriptException(type!, message, cause, [...others, causeType, ...causeOthers])
}
