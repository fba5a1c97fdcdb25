import type { Methods } from "../methods/MethodTable.ts"
import type { ScriptException } from "./Exceptions.ts"

/** Methods of exceptions. */
export const exceptionMethods: Methods = {
  getMessage: [0, 0, (value: ScriptException) => value.message],
  getLocalizedMessage: [0, 0, (value: ScriptException) => value.message],
  getCause: [0, 0, (value: ScriptException) => value.cause],
  printStackTrace: [0, 0, () => null]
}
