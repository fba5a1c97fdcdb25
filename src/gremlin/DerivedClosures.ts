import { GremlinMap } from "../structure/collections/Collections.ts"
import type { ScriptRun } from "./HostCall.ts"
import { type ClosureBody, ScriptClosure } from "./ScriptClosure.ts"
import type { Budget } from "./script/budget/Budget.ts"

/** What a derived closure needs to run. */
interface Caller {
  readonly budget: Budget
  call(closure: ScriptClosure, args: readonly unknown[]): ScriptRun
}

/** The body of a closure that the server has itself. */
const WITHOUT_BODY: ClosureBody = { name: "", parameterCount: 0, givesOwnTraversals: false, isPureWith: () => false }

/**
 * A closure that is made of others, as `f.curry(1)` and `f >> g` are. It has no body of its own. It passes a delegate on when it
 * runs: a copy of all its parts could be much larger than the closure, because `f >> f` has the same part twice.
 */
export abstract class DerivedClosure extends ScriptClosure {
  readonly #levels: number
  readonly #parameterCount: number
  /** True if the closure passes its delegate on to its parts. */
  readonly #delegates: boolean

  /**
   * @param parts the closures that this one calls
   * @param parameterCount number of arguments that the closure takes
   * @param to a list with the delegate of the parts; undefined: each part keeps its own delegate
   */
  constructor(parts: readonly ScriptClosure[], parameterCount: number, to?: readonly [unknown]) {
    super(parts[0]?.code ?? WITHOUT_BODY, [], to === undefined ? parts[0]?.delegate : to[0])
    this.#levels = 1 + Math.max(0, ...parts.map(({ levels }) => levels))
    this.#parameterCount = parameterCount
    this.#delegates = to !== undefined
  }
  override get levels(): number {
    return this.#levels
  }
  override get parameterCount(): number {
    return this.#parameterCount
  }
  override get givesOwnTraversals(): boolean {
    return false
  }
  override get isPure(): boolean {
    return false
  }
  /** Runs the closure. */
  abstract run(args: readonly unknown[], caller: Caller): ScriptRun

  /** A part as the closure calls it. */
  protected called(part: ScriptClosure): ScriptClosure {
    return this.#delegates ? part.delegatingTo(this.delegate) : part
  }
}

/** `f.curry(1)`, `f.rcurry(1)` and `f.ncurry(0, 1)`: a closure of which some arguments are given. */
export class CurriedClosure extends DerivedClosure {
  readonly #of: ScriptClosure
  readonly #given: readonly unknown[]
  readonly #at: number

  /**
   * @param at the index of the first given argument among all; negative to append them to the others
   * @param to a list with the delegate of the closure
   */
  constructor(of: ScriptClosure, given: readonly unknown[], at: number, to?: readonly [unknown]) {
    super([of], Math.max(0, of.parameterCount - given.length), to)
    this.#of = of
    this.#given = given
    this.#at = at
  }
  override delegatingTo(delegate: unknown): ScriptClosure {
    return new CurriedClosure(this.#of, this.#given, this.#at, [delegate])
  }
  override get givesOwnTraversals(): boolean {
    return this.#of.givesOwnTraversals
  }
  *run(args: readonly unknown[], caller: Caller): ScriptRun {
    const at = this.#at < 0 ? args.length : Math.min(this.#at, args.length)
    caller.budget.spend(this.#given.length)
    return yield* caller.call(this.called(this.#of), [...args.slice(0, at), ...this.#given, ...args.slice(at)])
  }
}

/** `first >> second`, or `second << first`: calls the second closure with the value of the first one. */
export class ComposedClosure extends DerivedClosure {
  readonly #first: ScriptClosure
  readonly #second: ScriptClosure

  /** @param to a list with the delegate of both closures */
  constructor(first: ScriptClosure, second: ScriptClosure, to?: readonly [unknown]) {
    super([first, second], first.parameterCount, to)
    this.#first = first
    this.#second = second
  }
  override delegatingTo(delegate: unknown): ScriptClosure {
    return new ComposedClosure(this.#first, this.#second, [delegate])
  }
  override get givesOwnTraversals(): boolean {
    return this.#second.givesOwnTraversals
  }
  *run(args: readonly unknown[], caller: Caller): ScriptRun {
    return yield* caller.call(this.called(this.#second), [yield* caller.call(this.called(this.#first), args)])
  }
}

/** `f.memoize()`: calls the closure only once for equal arguments. */
export class MemoizedClosure extends DerivedClosure {
  readonly #of: ScriptClosure
  readonly #values = new GremlinMap()

  constructor(of: ScriptClosure) {
    super([of], of.parameterCount)
    this.#of = of
  }
  override delegatingTo(): ScriptClosure {
    return this
  }
  *run(args: readonly unknown[], { budget, call }: Caller): ScriptRun {
    const key = budget.key(budget.keyMember([...args]))
    if (this.#values.has(key)) return this.#values.get(key)
    const value = yield* call(this.#of, args)
    budget.list([budget.member(value)])
    this.#values.set(key, value)
    return value
  }
}
