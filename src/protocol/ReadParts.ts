import type { ResumableDescent } from "../scheduling/ResumableDescent.ts"
import { insideOf } from "../scheduling/ResumableDescent.ts"
import { ProtocolError } from "./ProtocolError.ts"

/** Parts of a value that become a Map or a Set, which no time slice interrupts: some 5 ms. */
const MOST_PARTS = 20_000

/** Fails with ProtocolError when a value has more parts than {@link MOST_PARTS}. `what` names them. */
export const checkParts = (count: number, what: string): void => {
  if (count > MOST_PARTS)
    throw new ProtocolError(`A value has ${count} ${what}, and there may be ${MOST_PARTS} at most.`)
}

/** The text of a name that should be a string. Fails with ProtocolError for a list, whose text can have any length. */
export const nameText = (value: unknown): string => {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) throw new ProtocolError("A name in the message is a list.")
  return String(value)
}

/** Parts that are added without interruption. */
const UNINTERRUPTED_PARTS = 64

/** A value that is being made of its parts. */
interface Making<A, R> {
  readonly left: Iterator<A>
  readonly result: R
  added: number
}

/**
 * Makes a value of parts that were read before, in slices when the message is read in slices. The first parameter object has
 * the positions in the message at which the value starts and its parts end, and the approximate number of the parts.
 *
 * @param begin makes the value without its parts
 * @param add adds one part
 */
export const makeOf = <A, R>(
  slices: ResumableDescent | null,
  { count, end, start }: { readonly start: number; readonly end: number; readonly count: number },
  parts: Iterable<A>,
  begin: () => R,
  add: (result: R, part: A) => void
): R => {
  if (slices === null || count < UNINTERRUPTED_PARTS) {
    const result = begin()
    for (const part of parts) add(result, part)
    return result
  }
  const loop = slices.enter(insideOf(start, false), null, end, null)
  const making = (loop.state ?? { left: parts[Symbol.iterator](), result: begin(), added: 0 }) as Making<A, R>
  for (let part = making.left.next(); part.done !== true; part = making.left.next()) {
    add(making.result, part.value)
    // Each part counts as progress, so its position is higher, but stays below the next position of the message.
    slices.step(end + 1 - 1 / (++making.added + 1), making)
  }
  slices.leave(making.added)
  return making.result
}
