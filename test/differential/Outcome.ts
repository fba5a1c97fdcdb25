import type { Value } from "../conformance/Value.ts"

/** The result of one request on one server. */
export type Outcome =
  | { readonly kind: "values"; readonly values: ReadonlyArray<Value> }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** The request exceeded its evaluation timeout. */
  | { readonly kind: "timeout" }
  /** The client read no valid answer: the connection broke, the process ended, no answer arrived, or it could not be decoded. */
  | { readonly kind: "lost"; readonly reason: string }

/** Status code of an evaluation that exceeded its timeout. */
const TIMED_OUT = 598

/** The outcome for an answer with the status code of an error. */
export const failure = (code: number, message: string): Outcome =>
  code === TIMED_OUT ? { kind: "timeout" } : { kind: "error", code, message }

/**
 * The class of an error. Two servers agree if their errors have the same class. The classes are: fail() (status 595), an answer
 * that cannot be serialized (599), and all other errors. The codes of the other errors are not compared, because they depend on
 * the request: a script fails with 597 where bytecode fails with 500. A request that is refused before it runs fails with 498
 * or 499. Gremlin Server also uses 599 when it cannot build a step from bytecode.
 */
export const errorClass = ({ code, message }: { readonly code: number; readonly message: string }): string => {
  if (code === 595) return "fail()"
  return code === 599 && /serializ/i.test(message) ? "not written" : "error"
}

/**
 * Returns whether a Java server ran out of memory. Such an error is not compared, because another request that ran at the same
 * time may have used the memory.
 */
export const isOutOfMemory = (outcome: Outcome): boolean =>
  outcome.kind === "error" && /Java heap space|GC overhead limit exceeded/.test(outcome.message)

/** Returns whether this server failed because of a defect of its own. Such an error agrees with no error of the reference. */
export const isDefect = (outcome: Outcome): boolean =>
  outcome.kind === "error" && outcome.message.includes("This is a defect")

/** Returns whether an outcome of this server may be an intended difference: it answered in time, readably, and without a defect. */
export const mayBeIntended = (outcome: Outcome): boolean =>
  (outcome.kind === "values" || outcome.kind === "error") && !isDefect(outcome)
