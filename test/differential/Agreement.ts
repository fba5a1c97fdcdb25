import { canonical } from "./Canonical.ts"
import { errorClass, isOutOfMemory, type Outcome } from "./Outcome.ts"

/** How two outcomes compare. */
export type Verdict =
  | "same"
  /** The same values, and only their order differs. */
  | "order"
  | "different"
  /** Not comparable: the reference timed out, ran out of memory, or did not answer. */
  | "unknown"

const equal = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index])

/**
 * Compares the outcome of a request on the reference with the outcome on this server: values with types, errors by class.
 *
 * @param writes whether the request may have added elements with generated ids
 */
export const compare = (reference: Outcome, candidate: Outcome, writes: boolean): Verdict => {
  if (candidate.kind === "lost") return "different"
  if (reference.kind === "lost" || reference.kind === "timeout" || isOutOfMemory(reference)) return "unknown"
  if (reference.kind === "error" || candidate.kind !== "values") {
    const same =
      reference.kind === "error" && candidate.kind === "error" && errorClass(reference) === errorClass(candidate)
    return same ? "same" : "different"
  }
  const exact = { anyOrder: false, givenIds: writes }
  const [left, right] = [canonical(reference.values, exact), canonical(candidate.values, exact)]
  if (equal(left, right)) return "same"
  const lenient = { anyOrder: true, givenIds: writes }
  const sorted = [reference.values, candidate.values].map((values) => [...canonical(values, lenient)].sort())
  return equal(sorted[0]!, sorted[1]!) ? "order" : "different"
}
