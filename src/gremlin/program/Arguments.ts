import type { Evaluation } from "../Scope.ts"
import { Suspension } from "../Suspension.ts"
import { addTo, Spread } from "../script/Spread.ts"
import type { Code, Frame } from "./Frame.ts"

/** The values of arguments. A {@link Suspension} gives their array if one of them could not be evaluated at once. */
export const attempted = (codes: readonly Code[], frame: Frame): readonly unknown[] | Suspension => {
  const values: Array<unknown> = []
  for (let at = 0; at < codes.length; at++) {
    const value = codes[at]!.attempt(frame)
    if (value instanceof Suspension) return new Suspension(after(codes, frame, values, value.rest))
    if (value instanceof Spread) {
      addTo(values, value)
      return new Suspension(from(codes, frame, values, at + 1))
    }
    values.push(value)
  }
  return values
}

/** The values of arguments, for code that may suspend. */
export const evaluated = (codes: readonly Code[], frame: Frame): Evaluation => from(codes, frame, [], 0)

function* after(codes: readonly Code[], frame: Frame, values: Array<unknown>, begun: Evaluation): Evaluation {
  // Without a spread list before, each code has given one value.
  const at = values.length
  addTo(values, yield* begun)
  return yield* from(codes, frame, values, at + 1)
}

function* from(codes: readonly Code[], frame: Frame, values: Array<unknown>, first: number): Evaluation {
  for (let at = first; at < codes.length; at++) {
    const code = codes[at]!
    addTo(values, code.isPlain ? code.get(frame) : yield* code.run(frame))
  }
  return values
}
