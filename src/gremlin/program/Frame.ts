import type { ScriptRun } from "../HostCall.ts"
import type { Scope } from "../Scope.ts"
import type { ScriptClosure } from "../ScriptClosure.ts"
import type { ScriptTraversal } from "../ScriptObjects.ts"
import { attemptOf } from "../Suspension.ts"
import type { Budget } from "../script/budget/Budget.ts"
import type { Receivers } from "../script/receivers/Receivers.ts"
import type { Bindings } from "./Bindings.ts"

/** The state that a script, its functions and its closures share during one run. */
export interface Runtime {
  readonly scope: Scope
  readonly budget: Budget
  readonly receivers: Receivers
  readonly bindings: Bindings
  /** Runs a traversal at once; undefined if the host has to run it. See Scope.traverse. */
  readonly traverse: Scope["traverse"]
  /** The value of a call if it needs neither the host nor a pause, and a {@link Suspension} otherwise; see ScriptRuntime.call. */
  attemptCall(closure: ScriptClosure, args: readonly unknown[]): unknown
  /** Runs a closure or function; see ScriptRuntime.call. */
  call(closure: ScriptClosure, args: readonly unknown[]): ScriptRun
  /** Whether a traversal has a result that is not taken yet; see Caller. */
  hasNext(traversal: ScriptTraversal, isOwn?: boolean): ScriptRun
}

/** The value of a captured variable. The block that declares the variable and the closures that use it share the box. */
export class Box {
  value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** One run of a body: of a script, a function or a closure. */
export class Frame {
  readonly runtime: Runtime
  /** The values of the local variables. A captured variable has a {@link Box}. */
  readonly locals: Array<unknown>
  /** The closure whose body runs; undefined for a script. */
  readonly closure: ScriptClosure | undefined
  /** The value of `return`. */
  result: unknown = null

  /** @param size the number of local variables, if it is known: the frame then has room for them */
  constructor(runtime: Runtime, closure?: ScriptClosure, size = 0) {
    this.runtime = runtime
    this.closure = closure
    this.locals = new Array(size)
  }

  /** The values of the local variables, without boxes. */
  get values(): readonly unknown[] {
    return this.locals.map((slot) => (slot instanceof Box ? slot.value : slot))
  }

  /** The object that `with` or `tap` passed to the closure. Undeclared names refer to its properties and methods. */
  get delegate(): unknown {
    return this.closure?.delegate
  }
}

/** A prepared expression. It is shared by all runs of a script, so it keeps no state of a run. */
export abstract class Code {
  /** True if {@link get} returns the value. Such code makes no request to the host and calls no closure. */
  abstract readonly isPlain: boolean
  /** The value. Only for plain code. */
  abstract get(frame: Frame): unknown
  /** The value if it needs neither the host nor a pause, and a {@link Suspension} otherwise. Faster than {@link run}. */
  attempt(frame: Frame): unknown {
    return this.isPlain ? this.get(frame) : attemptOf(this.run(frame))
  }
  /**
   * True if the code changes nothing and passes no variable on, so that it may run again, and for many rows before later steps
   * see the first.
   */
  get isPure(): boolean {
    return false
  }
  /** The value, for all code. For plain code, callers use {@link get}, because a generator costs more. */
  abstract run(frame: Frame): ScriptRun
}

/** Code that never suspends. */
export abstract class PlainCode extends Code {
  readonly isPlain: boolean = true
  abstract override get(frame: Frame): unknown
  // biome-ignore lint/correctness/useYield: the run of code that never suspends
  *run(frame: Frame): ScriptRun {
    return this.get(frame)
  }
}

/** Code that may suspend. */
export abstract class SuspendingCode extends Code {
  readonly isPlain: boolean = false
  get(_: Frame): unknown {
    throw new Error("this code may suspend")
  }
}
