import type { Value } from "../conformance/Value.ts"
import { canonical } from "./Canonical.ts"
import { errorClass, isDefect, isOutOfMemory, type Outcome } from "./Outcome.ts"
import type { Ordered } from "./syntax/Ordered.ts"

/** What a request means for the comparison of its outcomes. */
export interface Expected {
  /** Whether the request may have added elements with generated ids. */
  readonly writes: boolean
  /** What the request orders: only results, or members of its list, that are equal in this order may be exchanged. Default: nothing. */
  readonly ordered?: Ordered
}

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

/** Compares the outcome of a request on the reference with the outcome on this server: values with types, errors by class. */
export const compare = (reference: Outcome, candidate: Outcome, { writes, ordered = "nothing" }: Expected): Verdict => {
  if (candidate.kind === "lost" || isDefect(candidate)) return "different"
  if (reference.kind === "lost" || reference.kind === "timeout" || isOutOfMemory(reference)) return "unknown"
  if (reference.kind === "error" || candidate.kind !== "values") {
    const same =
      reference.kind === "error" && candidate.kind === "error" && errorClass(reference) === errorClass(candidate)
    return same ? "same" : "different"
  }
  const exact = { order: "kept", givenIds: writes } as const
  const [left, right] = [canonical(reference.values, exact), canonical(candidate.values, exact)]
  if (equal(left, right)) return "same"
  const lenient = { order: "any", givenIds: writes } as const
  const sorted = [reference.values, candidate.values].map((values) => [...canonical(values, lenient)].sort())
  if (!equal(sorted[0]!, sorted[1]!)) return "different"
  if (ordered === "nothing") return "order"
  const ranked = { order: "ranked", givenIds: writes } as const
  const [there, here] = [reference.values, candidate.values].map((values) =>
    canonical(ordered === "list" ? values.flatMap(membersOf) : values, ranked)
  )
  return equal(there!, here!) ? "order" : "different"
}

const membersOf = (value: Value): ReadonlyArray<Value> => (value.kind === "list" ? value.items : [value])
