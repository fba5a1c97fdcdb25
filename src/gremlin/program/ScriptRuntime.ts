import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { isCopied } from "../../structure/collections/DeepCopy.ts"
import { DerivedClosure } from "../DerivedClosures.ts"
import type { ScriptRun } from "../HostCall.ts"
import type { Scope } from "../Scope.ts"
import type { ScriptClosure } from "../ScriptClosure.ts"
import type { ScriptTraversal } from "../ScriptObjects.ts"
import { Suspension } from "../Suspension.ts"
import { Budget } from "../script/budget/Budget.ts"
import { Receivers } from "../script/receivers/Receivers.ts"
import { ownCopy, ownMembers } from "../script/traversals/Ownership.ts"
import { OperandError } from "../script/values/OperandErrors.ts"
import { Bindings } from "./Bindings.ts"
import type { ClosureCode } from "./ClosureCode.ts"
import { Frame, type Runtime } from "./Frame.ts"

/**
 * Calls of functions and closures that may be open at the same time. Each takes about ten frames of the process's stack, and
 * Node's usual stack has room for some ten thousand.
 */
const MAX_OPEN_CALLS = 500

/** Calls that may be open while a traversal runs on the stack of the script. */
const MAX_OUTER_CALLS = 16

/** Message of the RangeError of V8 when the stack of the process is full. */
const STACK_OVERFLOW = /call stack/

/** Expressions and methods with closures between two calls also take stack, which may be full before the calls are too many. */
const tooDeep = (): OperandError =>
  new OperandError(
    `the script calls itself more than ${MAX_OPEN_CALLS} levels deep, or its calls nest too deep: use a loop`,
    "StackOverflowError"
  )

/** The error of a call. An overflow of the stack becomes an error that says what to do. */
const withoutOverflow = (error: unknown): unknown =>
  error instanceof RangeError && STACK_OVERFLOW.test(error.message) ? tooDeep() : error

const hasCopied = (args: readonly unknown[]): boolean => {
  for (let at = 0; at < args.length; at++) if (isCopied(args[at])) return true
  return false
}

/** The state of one run of a script that all of its bodies share. */
export class ScriptRuntime implements Runtime {
  readonly scope: Scope
  readonly budget: Budget
  readonly receivers: Receivers
  readonly bindings: Bindings
  #openCalls = 0
  /** A frame that no call uses. */
  #spare: Frame | undefined

  constructor(scope: Scope, slice: TimeSlice) {
    this.scope = scope
    this.budget = new Budget(slice, scope.isKept, scope.patterns, scope.memory, scope.shown)
    this.bindings = new Bindings(scope, this.budget)
    this.receivers = new Receivers(scope, this.budget, this)
  }

  hasNext(traversal: ScriptTraversal, isOwn = false): ScriptRun {
    const { traversals } = this.receivers
    const terminal = { name: "hasNext", count: undefined } as const
    const isHeld = !isOwn || traversal.isContinued || traversal.results !== undefined
    return isHeld ? traversals.taken(traversal, terminal) : traversals.end(traversal, terminal)
  }

  /** Deep in calls the host runs traversals, because they need much of the stack. */
  get traverse(): Scope["traverse"] {
    return this.#openCalls > MAX_OUTER_CALLS ? undefined : this.scope.traverse
  }

  /** Defines a function: it replaces one of the same name with parameters of the same types. */
  define(name: string, closure: ScriptClosure): void {
    const others = this.scope.variables.functions.get(name) ?? []
    const kept = others.filter(({ code }) => !(code as ClosureCode).hasTypesOf(closure.code as ClosureCode))
    this.scope.variables.functions.set(name, [...kept, closure])
  }

  /**
   * Calls a closure that a traversal calls, as {@link called} does: the result if the closure needs neither the host nor a
   * pause, and a {@link Suspension} otherwise.
   *
   * @param isOwn the first argument and the result belong to the closure, so they are not copied
   */
  attempt(closure: ScriptClosure, args: readonly unknown[], isOwn: boolean): unknown {
    if (isOwn) return this.attemptCall(closure, args)
    if (closure instanceof DerivedClosure) return new Suspension(this.called(closure, args))
    const code = closure.code as ClosureCode
    this.budget.spend(1)
    if (this.budget.isSliceOver || !code.bindsPlainly(args) || hasCopied(args)) {
      return new Suspension(this.called(closure, args))
    }
    const result = this.#attempted(closure, code, args)
    if (result instanceof Suspension) return new Suspension(this.#copied(result.rest))
    return isCopied(result) ? new Suspension(ownCopy(result, this.budget)) : result
  }

  attemptCall(closure: ScriptClosure, args: readonly unknown[]): unknown {
    if (closure instanceof DerivedClosure) return new Suspension(this.#derived(closure, args))
    const code = closure.code as ClosureCode
    this.budget.spend(1)
    if (this.budget.isSliceOver || !code.bindsPlainly(args)) return new Suspension(this.call(closure, args))
    return this.#attempted(closure, code, args)
  }

  #attempted(closure: ScriptClosure, code: ClosureCode, args: readonly unknown[]): unknown {
    if (this.#openCalls >= MAX_OPEN_CALLS) throw tooDeep()
    this.#openCalls++
    try {
      const frame = this.#spareOf(closure) ?? this.#frameOf(closure, code)
      code.bindPlainly(frame, args)
      const end = code.body.attempt(frame)
      if (end instanceof Suspension) return new Suspension(this.#ended(frame, end.rest))
      const { result } = frame
      if (code.isReusable) {
        code.release(frame)
        this.#spare = frame
      }
      return result
    } catch (error) {
      throw withoutOverflow(error)
    } finally {
      this.#openCalls--
    }
  }

  /** The frame of the last call, if it was of the same closure: a sort calls one closure many times. */
  #spareOf(closure: ScriptClosure): Frame | undefined {
    const spare = this.#spare
    if (spare?.closure !== closure) return undefined
    this.#spare = undefined
    return spare
  }

  /** A frame with the variables that the closure has captured. */
  #frameOf(closure: ScriptClosure, code: ClosureCode): Frame {
    const frame = new Frame(this, closure, code.size)
    const { boxes } = closure
    for (let at = 0; at < boxes.length; at++) frame.locals[code.captured[at]!] = boxes[at]
    return frame
  }

  /** Completes a call that {@link attempt} has begun. */
  *#ended(frame: Frame, rest: ScriptRun): ScriptRun {
    this.#openCalls++
    this.scope.memory?.open.add(frame)
    try {
      yield* rest
      return frame.result
    } catch (error) {
      throw withoutOverflow(error)
    } finally {
      this.scope.memory?.open.delete(frame)
      this.#openCalls--
    }
  }

  /** Runs a closure that is made of others. It counts as an open call, because such closures may nest without end. */
  *#derived(closure: DerivedClosure, args: readonly unknown[]): ScriptRun {
    if (this.#openCalls >= MAX_OPEN_CALLS) throw tooDeep()
    this.#openCalls++
    try {
      this.budget.spend(1)
      if (this.budget.isSliceOver) yield { kind: "pause" }
      return yield* closure.run(args, { budget: this.budget, call: (of, given) => this.call(of, given) })
    } catch (error) {
      throw withoutOverflow(error)
    } finally {
      this.#openCalls--
    }
  }

  *#copied(rest: ScriptRun): ScriptRun {
    return yield* ownCopy(yield* rest, this.budget)
  }

  /** Runs a closure that a traversal calls. The arguments and the result are copied, so later changes of them are not visible. */
  *called(closure: ScriptClosure, args: readonly unknown[]): ScriptRun {
    const own = args.some(isCopied) ? yield* ownMembers([...args], this.budget) : args
    const result = yield* this.call(closure, own)
    return isCopied(result) ? yield* ownCopy(result, this.budget) : result
  }

  /**
   * Runs a closure or function with these arguments. As in Groovy, a closure of several parameters takes the members of a single
   * list, and missing arguments are the default values of their parameters. Fails with OperandError for other arguments.
   */
  *call(closure: ScriptClosure, args: readonly unknown[]): ScriptRun {
    if (closure instanceof DerivedClosure) return yield* this.#derived(closure, args)
    const code = closure.code as ClosureCode
    if (this.#openCalls >= MAX_OPEN_CALLS) {
      throw tooDeep()
    }
    this.#openCalls++
    const frame = this.#frameOf(closure, code)
    this.scope.memory?.open.add(frame)
    try {
      this.budget.spend(1)
      if (this.budget.isSliceOver) yield { kind: "pause" }
      yield* code.bind(frame, args)
      const { body } = code
      if (body.isPlain) body.exec(frame)
      else yield* body.run(frame)
      return frame.result
    } catch (error) {
      throw withoutOverflow(error)
    } finally {
      this.scope.memory?.open.delete(frame)
      this.#openCalls--
    }
  }
}
