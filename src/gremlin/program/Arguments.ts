import type { ScriptRun } from "../HostCall.ts"
import { Suspension } from "../Suspension.ts"
import { Spread } from "../script/arguments/Spread.ts"
import type { Code, Frame } from "./Frame.ts"
import { SpreadCode } from "./SpreadCode.ts"
import { attemptedValue } from "./ValueCode.ts"

/** The values of arguments. A {@link Suspension} gives their array if one of them could not be evaluated at once. */
export const attempted = (codes: readonly Code[], frame: Frame): readonly unknown[] | Suspension => {
  // A list that grows has room for 17 members at once.
  const values: Array<unknown> = new Array(codes.length)
  for (let at = 0; at < codes.length; at++) {
    const value = attemptedValue(codes[at]!, frame)
    if (value instanceof Suspension || value instanceof Spread) return later(codes, frame, values.slice(0, at), value)
    values[at] = value
  }
  return values
}

/** Adds the value of an argument, or the members of a spread list. */
const add = (values: Array<unknown>, value: unknown, code: Code, frame: Frame): void => {
  if (code instanceof SpreadCode) code.add(frame, values, value)
  else values.push(value)
}

/** Continues after the first values. */
const later = (codes: readonly Code[], frame: Frame, values: Array<unknown>, next: Suspension | Spread): Suspension => {
  if (next instanceof Suspension) return new Suspension(after(codes, frame, values, next.rest))
  const at = values.length
  add(values, next, codes[at]!, frame)
  return new Suspension(from(codes, frame, values, at + 1))
}

/** The values of arguments, for code that may suspend. */
export const evaluated = (codes: readonly Code[], frame: Frame): ScriptRun => from(codes, frame, [], 0)

function* after(codes: readonly Code[], frame: Frame, values: Array<unknown>, begun: ScriptRun): ScriptRun {
  // Without a spread list before, each code has given one value.
  const at = values.length
  add(values, yield* begun, codes[at]!, frame)
  return yield* from(codes, frame, values, at + 1)
}

function* from(codes: readonly Code[], frame: Frame, values: Array<unknown>, first: number): ScriptRun {
  const { budget } = frame.runtime
  for (let at = first; at < codes.length; at++) {
    const code = codes[at]!
    add(values, code.isPlain ? code.get(frame) : yield* code.run(frame), code, frame)
    if (budget.isSliceOver) yield { kind: "pause" }
  }
  return values
}
