import type { Evaluation } from "../Scope.ts"
import { Suspension } from "../Suspension.ts"
import type { Code, Frame } from "./Frame.ts"

/** The values of arguments. A {@link Suspension} gives their array if one of them could not be evaluated at once. */
export const attempted = (codes: readonly Code[], frame: Frame): readonly unknown[] | Suspension => {
  const values: Array<unknown> = []
  for (let at = 0; at < codes.length; at++) {
    const value = codes[at]!.attempt(frame)
    if (value instanceof Suspension) return new Suspension(rest(codes, frame, values, value.rest))
    values.push(value)
  }
  return values
}

function* rest(codes: readonly Code[], frame: Frame, values: Array<unknown>, begun: Evaluation): Evaluation {
  values.push(yield* begun)
  for (let at = values.length; at < codes.length; at++) {
    const code = codes[at]!
    values.push(code.isPlain ? code.get(frame) : yield* code.run(frame))
  }
  return values
}
