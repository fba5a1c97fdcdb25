import { ClassName } from "../../../structure/scalars/ClassNames.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { ScriptException } from "./Exceptions.ts"

/** JanusGraph's test for a class among the causes of an exception. Fails with OperandError for a value that is no class. */
const isCausedBy = (exception: ScriptException, type: unknown): boolean => {
  if (!(type instanceof ClassName)) {
    throw new OperandError(`isCausedBy() takes a class, not ${typeName(type)}`, "MissingMethodException")
  }
  for (let at = exception.cause; at instanceof ScriptException; at = at.cause) {
    if (at.isA(type.simpleName)) return true
  }
  return false
}

/** Methods of exceptions. */
export const exceptionMethods: Methods = {
  getMessage: [0, 0, (value: ScriptException) => value.message],
  getLocalizedMessage: [0, 0, (value: ScriptException) => value.message],
  getCause: [0, 0, (value: ScriptException) => value.cause],
  isCausedBy: [1, 1, (value: ScriptException, [type]) => isCausedBy(value, type)],
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
