import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import type { Budget } from "../budget/Budget.ts"
import { readCount } from "../graph/QuickReads.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { changesLists, checkChange } from "../values/Changeable.ts"
import { callMethod, methodNamed, methodsOf } from "./ValueMethods.ts"

/**
 * A call of a method at one place of a script. It remembers the method that it found for the last type of value, so that a loop
 * looks the method up once.
 */
export class MethodSite {
  readonly name: string
  /** The number of arguments with which the call only reads an element; -1 for another method. */
  readonly readCount: number
  readonly #isChange: boolean
  #methods: Methods | undefined
  #method: Method | undefined

  constructor(name: string) {
    this.name = name
    this.readCount = readCount(name)
    this.#isChange = changesLists(name)
  }

  /** Calls the method as `callMethod` does. */
  call(value: unknown, args: readonly unknown[], budget: Budget): unknown {
    const methods = methodsOf(value)
    if (methods !== this.#methods) {
      this.#methods = methods
      this.#method = methodNamed(methods, this.name)
    }
    const method = this.#method
    if (method === undefined || args.length < method[0] || args.length > method[1]) {
      // Fails with what the value has instead.
      return callMethod(value, this.name, args, budget)
    }
    if (this.#isChange) checkChange(value, this.name, args)
    budget.visited(value)
    return method[2](value as never, args, budget) ?? null
  }
}

/** True for a value all of whose methods without a closure need no host: a collection, or a value that is no object. */
export const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || Array.isArray(value) || value instanceof GremlinMap || value instanceof GremlinSet
