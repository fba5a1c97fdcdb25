import { GremlinMap } from "../structure/Collections.ts"
import type { Evaluation } from "./Scope.ts"
import { ScriptClosure } from "./ScriptClosure.ts"
import type { Budget } from "./script/Budget.ts"

/** What a derived closure needs to run. */
interface Caller {
  readonly budget: Budget
  call(closure: ScriptClosure, args: readonly unknown[]): Evaluation
}

/** A closure that is made of others, as `f.curry(1)` and `f >> g` are. It has no body of its own. */
export abstract class DerivedClosure extends ScriptClosure {
  constructor(of: ScriptClosure) {
    super(of.code, [], of.delegate)
  }
  override get isPure(): boolean {
    return false
  }
  /** Runs the closure. */
  abstract run(args: readonly unknown[], caller: Caller): Evaluation
}

/** `f.curry(1)`, `f.rcurry(1)` and `f.ncurry(0, 1)`: a closure of which some arguments are given. */
export class CurriedClosure extends DerivedClosure {
  readonly #of: ScriptClosure
  readonly #given: readonly unknown[]
  readonly #at: number

  /** @param at the index of the first given argument among all; negative to put them behind the others */
  constructor(of: ScriptClosure, given: readonly unknown[], at: number) {
    super(of)
    this.#of = of
    this.#given = given
    this.#at = at
  }
  override get parameterCount(): number {
    return Math.max(0, this.#of.parameterCount - this.#given.length)
  }
  override delegatingTo(delegate: unknown): ScriptClosure {
    return new CurriedClosure(this.#of.delegatingTo(delegate), this.#given, this.#at)
  }
  *run(args: readonly unknown[], caller: Caller): Evaluation {
    const at = this.#at < 0 ? args.length : Math.min(this.#at, args.length)
    caller.budget.spend(this.#given.length)
    return yield* caller.call(this.#of, [...args.slice(0, at), ...this.#given, ...args.slice(at)])
  }
}

/** `first >> second`, or `second << first`: calls the second closure with the value of the first one. */
export class ComposedClosure extends DerivedClosure {
  readonly #first: ScriptClosure
  readonly #second: ScriptClosure

  constructor(first: ScriptClosure, second: ScriptClosure) {
    super(first)
    this.#first = first
    this.#second = second
  }
  override get parameterCount(): number {
    return this.#first.parameterCount
  }
  override delegatingTo(delegate: unknown): ScriptClosure {
    return new ComposedClosure(this.#first.delegatingTo(delegate), this.#second.delegatingTo(delegate))
  }
  *run(args: readonly unknown[], caller: Caller): Evaluation {
    return yield* caller.call(this.#second, [yield* caller.call(this.#first, args)])
  }
}

/** `f.memoize()`: calls the closure only once for equal arguments. */
export class MemoizedClosure extends DerivedClosure {
  readonly #of: ScriptClosure
  readonly #values = new GremlinMap()

  constructor(of: ScriptClosure) {
    super(of)
    this.#of = of
  }
  override get parameterCount(): number {
    return this.#of.parameterCount
  }
  override delegatingTo(): ScriptClosure {
    return this
  }
  *run(args: readonly unknown[], { budget, call }: Caller): Evaluation {
    const key = budget.key(budget.keyMember([...args]))
    if (this.#values.has(key)) return this.#values.get(key)
    const value = yield* call(this.#of, args)
    budget.list([budget.member(value)])
    this.#values.set(key, value)
    return value
  }
}
