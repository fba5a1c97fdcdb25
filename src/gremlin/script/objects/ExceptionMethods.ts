import type { Methods } from "../methods/MethodTable.ts"
import type { ScriptException } from "./Exceptions.ts"

/** Methods of exceptions. */
export const exceptionMethods: Methods = {
  getMessage: [0, 0, (value: ScriptException) => value.message],
  getLocalizedMessage: [0, 0, (value: ScriptException) => value.message],
  getCause: [0, 0, (value: ScriptException) => value.cause],
  initCause: [
    1,
    1,
    (value: ScriptException, [cause]) => {
      value.initCause(cause)
      return value
    }
  ],
  // Scripts have no stack of Java's, and no suppressed exceptions.
  getStackTrace: [0, 0, () => []],
  getSuppressed: [0, 0, () => []],
  printStackTrace: [0, 0, () => null]
}
