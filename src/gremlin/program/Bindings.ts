import { closest } from "../../structure/characters/Spelling.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import { isCopied } from "../../structure/collections/DeepCopy.ts"
import type { ScriptRun } from "../HostCall.ts"
import { bareConstants } from "../parser/JanusGraphEnums.ts"
import type { Scope } from "../Scope.ts"
import { wordHint } from "../ScriptHints.ts"
import type { Budget } from "../script/budget/Budget.ts"
import { hasMember, readMember } from "../script/receivers/ValueMethods.ts"
import { ownCopy } from "../script/traversals/Ownership.ts"
import type { Unit } from "./Names.ts"

/** The variables of a scope: those of the session or the request, and what the server binds. */
export class Bindings {
  readonly #scope: Scope
  readonly #budget: Budget

  constructor(scope: Scope, budget: Budget) {
    this.#scope = scope
    this.#budget = budget
  }

  /** True for a binding of the request that the script may change: {@link ownValue} copies it first. */
  isChangeable(name: string): boolean {
    const { variables } = this.#scope
    return variables.isBinding(name) && isCopied(variables.get(name))
  }

  /** The value of a variable of the session or the request that needs no copy; undefined for any other name. */
  atHand(name: string): unknown {
    const value = this.#scope.variables.get(name)
    return isCopied(value) ? undefined : value
  }

  /** The value of a binding of the request, as the script's own copy. */
  *ownValue(name: string): ScriptRun {
    const { variables } = this.#scope
    const own = yield* ownCopy(variables.get(name), this.#budget)
    variables.set(name, own)
    return own
  }

  /**
   * True when an assignment to a name that no block declares is one to a property of the delegate of `with` or `tap`. As in Groovy, a
   * map has all properties, also one with the name of a variable of the session.
   */
  isOfDelegate(delegate: unknown, name: string): boolean {
    return delegate instanceof GremlinMap || hasMember(delegate, name)
  }

  /** The value of a variable. Fails with ScriptFailure when no variable has this name. */
  value(name: string, delegate: unknown, unit: Unit, position: number): unknown {
    const { globals, variables } = this.#scope
    if (delegate !== undefined && (delegate instanceof GremlinMap ? delegate.has(name) : hasMember(delegate, name))) {
      return readMember(delegate, name)
    }
    if (variables.has(name)) return variables.get(name)
    if (globals.has(name)) return globals.get(name)
    const constant = unit.script.constants.get(name)
    if (constant !== undefined) return constant
    if (delegate instanceof GremlinMap) return null
    const near = closest(name, [...variables.keys(), ...globals.keys(), ...bareConstants.keys()])
    const hint =
      near === undefined ? ": assign it, or give it a value in the request's bindings" : `. Did you mean ${near}?`
    throw unit.positions.failure(
      wordHint(name) ?? `there is no variable ${name}${hint}`,
      position,
      "MissingPropertyException"
    )
  }
}
