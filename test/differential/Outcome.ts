import type { Value } from "../conformance/Value.ts"

/** What a server made of one request. */
export type Outcome =
  | { readonly kind: "values"; readonly values: ReadonlyArray<Value> }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** It took longer than the evaluation timeout of the request. */
  | { readonly kind: "timeout" }
  /** No answer that could be read: the connection broke, the process ended, nothing came, or bytes that do not decode. */
  | { readonly kind: "lost"; readonly reason: string }

/** Status code of an evaluation that ran into its timeout. */
const TIMED_OUT = 598

/** The outcome that a status code of an error stands for. */
export const failure = (code: number, message: string): Outcome =>
  code === TIMED_OUT ? { kind: "timeout" } : { kind: "error", code, message }

/**
 * What an error is about, as far as clients can tell: fail() (595) and an answer that cannot be written (599) are told from
 * everything else. Scripts fail with 597 where bytecode fails with 500; what is refused before it runs has 498 or 499, or 599
 * when Gremlin Server finds it as it makes steps of bytecode.
 */
export const errorClass = ({ code, message }: { readonly code: number; readonly message: string }): string => {
  if (code === 595) return "fail()"
  return code === 599 && /serializ/i.test(message) ? "not written" : "error"
}

/**
 * True for an error of a Java machine without memory. It says nothing of the request: another that runs at the same time may have
 * taken the memory.
 */
export const isOutOfMemory = (outcome: Outcome): boolean =>
  outcome.kind === "error" && /Java heap space|GC overhead limit exceeded/.test(outcome.message)
