import type { HostCall, ScriptRun } from "./HostCall.ts"

/** Work that could not be completed at once. `rest` completes it and returns the value. */
export class Suspension {
  readonly rest: ScriptRun
  constructor(rest: ScriptRun) {
    this.rest = rest
  }
}

/** The value of an evaluation that asks the host for nothing, and otherwise a {@link Suspension}. */
export const attemptOf = (evaluation: ScriptRun): unknown => {
  const first = evaluation.next()
  return first.done === true ? first.value : new Suspension(resumed(first.value, evaluation))
}

/** An evaluation whose first call of the host is known already. */
export function* resumed(first: HostCall, rest: ScriptRun): ScriptRun {
  let call = first
  for (;;) {
    let answer: unknown
    let failure: { readonly error: unknown } | undefined
    try {
      answer = yield call
    } catch (error) {
      // The script may catch the error of its own traversal.
      failure = { error }
    }
    const step = failure === undefined ? rest.next(answer) : rest.throw(failure.error)
    if (step.done === true) return step.value
    call = step.value
  }
}
