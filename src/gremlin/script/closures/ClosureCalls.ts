import { closest } from "../../../structure/characters/Spelling.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import { ScriptTraversal } from "../../ScriptObjects.ts"
import type { Budget } from "../budget/Budget.ts"
import { comparatorMethod } from "../comparison/Comparators.ts"
import type { Caller } from "../methods/MemberCalls.ts"
import { madeOf } from "../objects/ClosureValues.ts"
import { Counter } from "../objects/Counters.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import type { DefaultMap } from "../values/DefaultMap.ts"
import { passedEntries } from "../values/MapParts.ts"
import { isMembers } from "../values/Members.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { memberClosureMethods } from "./ClosureMethods.ts"
import { counterClosureMethods } from "./CounterCalls.ts"
import { mapClosureMethods } from "./MapClosureMethods.ts"
import { numberClosureMethods } from "./NumberClosureMethods.ts"
import { optionalClosureMethods, optionalOf, presentOrElse } from "./OptionalCalls.ts"
import { patternClosureMethods, textClosureMethods } from "./TextClosureMethods.ts"

/** True for a method of a map that passes only keys and values to its closure, and gives no entry. */
const passesPairs = (value: unknown, method: string, closure: ScriptClosure): value is GremlinMap =>
  value instanceof GremlinMap && closure.parameterCount === 2 && (method === "each" || method === "collect")

/** The error of a method that a value does not have. `what` names the value. */
export const noMethod = (what: string, name: string, known: Iterable<string>): Unavailable => {
  const near = closest(name, known)
  // Another type of values has a method with this name.
  const hasHint = near !== undefined && near !== name
  return new Unavailable(`${what} has no method ${name}()${!hasHint ? "" : `. Did you mean ${near}()?`}`)
}

/** The number of arguments before the closure that methods take; 0 for the others. */
const argumentCounts: { readonly [name: string]: number } = { inject: 1, sort: 1, step: 1, groupBy: 10 }

/** Methods with a closure that Groovy has for collections, but not for texts. */
const notOfTexts: ReadonlySet<string> = new Set(
  (
    "average collectEntries collectMany combinations count countBy eachCombination eachPermutation findResults groupBy max min " +
    "partition permutations removeAll removeIf replaceAll retainAll reverseEach sort sum toSorted unique"
  ).split(" ")
)

/** Methods with a closure that Groovy has for collections, but not for maps. */
const notOfMaps: ReadonlySet<string> = new Set(
  "average combinations eachCombination eachPermutation partition permutations removeIf sum unique".split(" ")
)

/** Fails with Unavailable for a method that Groovy has for other collections than the value. */
const checkHas = (value: unknown, method: string): void => {
  if (typeof value === "string" && notOfTexts.has(method)) {
    throw new Unavailable(`a text has no ${method}() with a closure: call it on its characters, text.toList()`)
  }
  if (value instanceof GremlinMap && notOfMaps.has(method)) {
    throw new Unavailable(`a map has no ${method}() with a closure: call it on map.values() or map.entrySet()`)
  }
}

const tooMany = (name: string, count: number): Unavailable =>
  new Unavailable(
    `scripts do not have ${name}() with ${count} ${count === 1 ? "argument" : "arguments"} before the closure`
  )

/** Methods that call a closure which is converted to one of Java's interfaces with one method, such as Function. */
const interfaceMethods: ReadonlySet<string> = new Set(["apply", "test", "accept", "compare", "run"])

/** Methods of a byte[] that take a closure. Others give arrays or bytes in Groovy. */
const byteClosureMethods: ReadonlySet<string> = new Set(
  "each eachWithIndex collect find findAll any every inject".split(" ")
)

/** Runs the methods of values that take a closure, and the methods of closures. */
export class ClosureCalls {
  readonly #budget: Budget
  readonly #caller: Caller
  readonly #iterated: (value: unknown) => Generator<HostCall, readonly unknown[], unknown>

  /** @param iterated gives the members of a value */
  constructor(
    budget: Budget,
    caller: Caller,
    iterated: (value: unknown) => Generator<HostCall, readonly unknown[], unknown>
  ) {
    this.#budget = budget
    this.#caller = caller
    this.#iterated = iterated
  }

  /** Calls a method of a closure. */
  *closure(closure: ScriptClosure, name: string, args: readonly unknown[]): ScriptRun {
    if (name === "call" || name === "doCall") return yield* this.#caller.call(closure, args)
    const isCall = interfaceMethods.has(name) || (name === "get" && args.length === 0)
    if (isCall) return yield* this.#caller.call(closure, args)
    const made = madeOf(closure, name, args, this.#budget) ?? comparatorMethod(closure, name, args, this.#budget)
    if (made !== undefined) return made.value
    throw noMethod("a closure", name, ["call", "curry", "rcurry", "ncurry", "memoize"])
  }

  /** Calls a method whose last argument is a closure. */
  *call(value: unknown, name: string, args: readonly unknown[], closure: ScriptClosure): ScriptRun {
    if (name === "with" && args.length === 0) return yield* this.#caller.call(closure.delegatingTo(value), [value])
    if (name === "tap" && args.length === 0) {
      yield* this.#caller.call(closure.delegatingTo(value), [value])
      return value
    }
    if (isNumber(value) && Object.hasOwn(numberClosureMethods, name)) {
      return yield* numberClosureMethods[name]!(value, closure, args, this.#caller)
    }
    const optional = args.length === 0 ? optionalOf(value, name) : undefined
    if (optional !== undefined && Object.hasOwn(optionalClosureMethods, name)) {
      return (yield* optionalClosureMethods[name]!(optional, closure, this.#caller)) ?? null
    }
    if (
      value instanceof Counter &&
      Object.hasOwn(counterClosureMethods, name) &&
      counterClosureMethods[name]!.count === args.length
    ) {
      return yield* counterClosureMethods[name]!.run(value, closure, args, this.#caller)
    }
    const [first] = args
    if (
      value instanceof Optional &&
      name === "ifPresentOrElse" &&
      first instanceof ScriptClosure &&
      args.length === 1
    ) {
      return yield* presentOrElse(value, first, closure, this.#caller)
    }
    const special = this.#special(value, name, args, closure)
    if (special !== undefined) return (yield* special) ?? null
    const isIterated =
      typeof value === "string" ||
      (isMembers(value) && !(value instanceof Uint8Array && !byteClosureMethods.has(name))) ||
      value instanceof ScriptIterator ||
      value instanceof ScriptTraversal ||
      value instanceof GremlinMap ||
      value instanceof ScriptMatcher
    const method = name === "forEach" || name === "forEachRemaining" ? "each" : name
    if (isIterated && Object.hasOwn(memberClosureMethods, method)) {
      checkHas(value, method)
      // Other arguments mean another method of Groovy's, which scripts do not have.
      const isWrong = method === "groupBy" && !args.every((arg) => arg instanceof ScriptClosure)
      if (args.length > (argumentCounts[method] ?? 0) || isWrong) throw tooMany(name, args.length)
      const list = passesPairs(value, method, closure)
        ? this.#budget.list(passedEntries(value))
        : yield* this.#iterated(value)
      if (name === "forEach") {
        yield* memberClosureMethods.each!({ list, of: value }, closure, args, this.#caller)
        return null
      }
      return (yield* memberClosureMethods[method]!({ list, of: value }, closure, args, this.#caller)) ?? null
    }
    throw noMethod(`${typeName(value)} with a closure`, name, Object.keys(memberClosureMethods))
  }

  /** The value of a key that a map with a default lacks, which the map stores. */
  *defaultOf(map: DefaultMap, key: unknown): ScriptRun {
    const made = this.#budget.member(yield* this.#caller.call(map.closure, [key]), map)
    map.set(this.#budget.keyMember(key), made)
    return made
  }

  /** A method of a map or a string that other collections do not have; undefined for another method. */
  #special(value: unknown, name: string, args: readonly unknown[], closure: ScriptClosure): ScriptRun | undefined {
    if (value instanceof GremlinMap && Object.hasOwn(mapClosureMethods, name)) {
      const { count, run } = mapClosureMethods[name]!
      return args.length === count ? run(value, closure, args, this.#caller) : undefined
    }
    if (typeof value !== "string") return undefined
    const methods = args.length === 1 ? patternClosureMethods : args.length === 0 ? textClosureMethods : {}
    return Object.hasOwn(methods, name) ? methods[name]!(value, closure, args, this.#caller) : undefined
  }
}
