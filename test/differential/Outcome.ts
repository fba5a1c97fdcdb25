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
 * What an error is about, as far as clients can tell by its status: an answer that cannot be written (599) and fail() (595)
 * are told from everything else. Scripts fail with 597 where bytecode fails with 500, and what is refused before it runs
 * (498, 499) one server notices as it reads and the other as it runs.
 */
export const errorClass = (code: number): string => {
  if (code === 595) return "fail()"
  if (code === 599) return "not written"
  return "error"
}
