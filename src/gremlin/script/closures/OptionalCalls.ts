import { Property, VertexProperty } from "../../../structure/elements/Element.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { type Caller, ended } from "../methods/MemberCalls.ts"
import { Raised, ScriptException } from "../objects/Exceptions.ts"
import { ABSENT_PROPERTY } from "../values/AbsentProperty.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { isMet } from "./Conditions.ts"

/** A method of the result of tryNext() that calls its last argument, a closure. */
type OptionalMethod = (value: Optional, closure: ScriptClosure, caller: Caller) => ScriptRun

const called = (closure: ScriptClosure, args: readonly unknown[], caller: Caller): ScriptRun =>
  ended(caller.attemptCall(closure, args))

/** The methods that take one closure and no other argument. */
export const optionalClosureMethods: { readonly [name: string]: OptionalMethod } = {
  *map(optional, closure, caller) {
    if (optional.value === undefined) return optional
    const made = yield* called(closure, [optional.value], caller)
    return new Optional(made === null ? undefined : made)
  },
  *filter(optional, closure, caller) {
    const isKept =
      optional.value !== undefined && (yield* isMet(caller.attemptCall(closure, [optional.value]), closure, caller))
    return isKept ? optional : new Optional(undefined)
  },
  *ifPresent(optional, closure, caller) {
    if (optional.value !== undefined) yield* called(closure, [optional.value], caller)
    return null
  },
  *flatMap(optional, closure, caller) {
    if (optional.value === undefined) return optional
    return madeOptional("flatMap", yield* called(closure, [optional.value], caller))
  },
  *or(optional, closure, caller) {
    if (optional.value !== undefined) return optional
    return madeOptional("or", yield* called(closure, [], caller))
  },
  *orElseGet(optional, closure, caller) {
    return optional.value === undefined ? yield* called(closure, [], caller) : optional.value
  },
  *orElseThrow(optional, closure, caller) {
    if (optional.value !== undefined) return optional.value
    const made = yield* called(closure, [], caller)
    if (!(made instanceof ScriptException)) {
      throw new OperandError(
        `the closure of orElseThrow() gives an exception, not ${typeName(made)}`,
        "ClassCastException"
      )
    }
    throw new Raised(made)
  }
}

/** The methods of a property that take a closure. */
const ofProperties: ReadonlySet<string> = new Set(["ifPresent", "orElseGet", "orElseThrow"])

/** A property as the Optional whose methods it shares; undefined for another value or method. */
export const optionalOf = (value: unknown, method: string): Optional | undefined => {
  if (value instanceof Optional) return value
  if (!(value instanceof Property || value instanceof VertexProperty) || !ofProperties.has(method)) return undefined
  return new Optional(value === ABSENT_PROPERTY ? undefined : value.value)
}

/** `ifPresentOrElse(action, otherwise)`. */
export function* presentOrElse(
  { value }: Optional,
  present: ScriptClosure,
  absent: ScriptClosure,
  caller: Caller
): ScriptRun {
  if (value === undefined) yield* called(absent, [], caller)
  else yield* called(present, [value], caller)
  return null
}

/** The result of a closure that must give an Optional, as in Java. */
const madeOptional = (method: string, made: unknown): Optional => {
  if (made instanceof Optional) return made
  const problem = `the closure of ${method}() gives an Optional, not ${typeName(made)}`
  throw new OperandError(problem, made === null ? "NullPointerException" : "ClassCastException")
}
