import type { ResumableDescent } from "../scheduling/ResumableDescent.ts"
import { insideOf } from "../scheduling/ResumableDescent.ts"
import { ProtocolError } from "./ProtocolError.ts"

/** Maximum number of parts of a value that become a Map or a Set. No time slice interrupts this, which takes about 5 ms. */
const MAX_PARTS = 20_000

/** Fails with ProtocolError when a value has more parts than {@link MAX_PARTS}. `what` names them. */
export const checkParts = (count: number, what: string): void => {
  if (count > MAX_PARTS) throw new ProtocolError(`A value has ${count} ${what}; the limit is ${MAX_PARTS}.`)
}

/** The text of a value that should be a name. Fails with ProtocolError for a list, whose text can have any length. */
export const nameText = (value: unknown): string => {
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    throw new ProtocolError("The message has a list where a name is expected, such as a label or a key.")
  return String(value)
}

/** A value with fewer parts is made without interruption. */
const UNINTERRUPTED_PARTS = 64

/** A value to which parts are being added. */
interface Making<A, R> {
  readonly left: Iterator<A>
  readonly result: R
  added: number
}

/**
 * Makes a value from parts that were read before. Works in slices if the message is read in slices.
 *
 * @param position `start` and `end`: positions in the message at which the value starts and its parts end; `count`: the approximate
 *   number of the parts
 * @param begin makes the value without its parts
 * @param add adds one part
 */
export const valueOfParts = <A, R>(
  slices: ResumableDescent | null,
  position: { readonly start: number; readonly end: number; readonly count: number },
  parts: Iterable<A>,
  begin: () => R,
  add: (result: R, part: A) => void
): R => {
  const { count, end, start } = position
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
