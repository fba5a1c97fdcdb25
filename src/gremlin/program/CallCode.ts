import { closest } from "../../structure/characters/Spelling.ts"
import type { ScriptRun } from "../HostCall.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { isClock, isScriptFunction } from "../ScriptHints.ts"
import { Suspension } from "../Suspension.ts"
import { formatCall } from "../script/texts/FormatText.ts"
import { attempted, evaluated } from "./Arguments.ts"
import { clocked } from "./Clock.ts"
import type { ClosureCode } from "./ClosureCode.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { LocalCode } from "./ValueCode.ts"

/** `f(1, 2)`: a closure in a variable, a function, or a method of the delegate of the closure that runs. */
export class CallCode extends SuspendingCode {
  readonly #name: string
  readonly #local: LocalCode | undefined
  readonly #args: readonly Code[]
  readonly #unit: Unit
  readonly #position: number
  constructor(name: string, local: Local | undefined, args: readonly Code[], unit: Unit, position: number) {
    super()
    this.#name = name
    this.#local = local === undefined ? undefined : new LocalCode(local)
    this.#args = args
    this.#unit = unit
    this.#position = position
  }
  override attempt(frame: Frame): unknown {
    const args = attempted(this.#args, frame)
    if (args instanceof Suspension) return new Suspension(this.#after(frame, args.rest))
    const called = this.#called(frame, args)
    if (called === undefined) return new Suspension(this.#with(frame, args))
    const { positions } = this.#unit
    try {
      const value = frame.runtime.attemptCall(called, args)
      return value instanceof Suspension ? new Suspension(positions.positioned(this.#position, value.rest)) : value
    } catch (error) {
      throw positions.positionedError(error, this.#position)
    }
  }
  *run(frame: Frame): ScriptRun {
    return yield* this.#with(frame, (yield* evaluated(this.#args, frame)) as unknown[])
  }
  *#after(frame: Frame, args: ScriptRun): ScriptRun {
    return yield* this.#with(frame, (yield* args) as unknown[])
  }
  /** Calls with arguments that are not part of the code, for a reference to a function. */
  callWith(frame: Frame, args: readonly unknown[]): ScriptRun {
    return this.#with(frame, args)
  }
  /** Calls with these arguments. */
  *#with(frame: Frame, args: readonly unknown[]): ScriptRun {
    const { runtime } = frame
    const called = this.#called(frame, args)
    const { positions } = this.#unit
    if (called !== undefined) return yield* positions.positioned(this.#position, runtime.call(called, args))
    if (isClock(this.#name)) return yield* positions.positioned(this.#position, clocked(this.#name, args, runtime))
    if (isScriptFunction(this.#name)) return this.#print(frame, args)
    if (frame.delegate !== undefined) {
      return yield* positions.positioned(this.#position, runtime.receivers.call(frame.delegate, this.#name, args))
    }
    throw positions.failure(this.#unknown(frame), this.#position)
  }

  #called(frame: Frame, args: readonly unknown[]): ScriptClosure | undefined {
    const { variables } = frame.runtime.scope
    const local = this.#local?.get(frame)
    if (local instanceof ScriptClosure) return local
    const candidates = variables.functions.get(this.#name)
    if (candidates !== undefined) {
      return candidates.length === 1 ? candidates[0] : this.#nearest(candidates, args)
    }
    const bound = variables.get(this.#name)
    return bound instanceof ScriptClosure ? bound : undefined
  }

  /**
   * The function of several whose parameters are nearest to the arguments. One that does not take them fails with its own message.
   * Fails with ScriptFailure if several are equally near.
   */
  #nearest(candidates: readonly ScriptClosure[], args: readonly unknown[]): ScriptClosure | undefined {
    let best: ScriptClosure | undefined
    let least = Number.POSITIVE_INFINITY
    let isAmbiguous = false
    for (const candidate of candidates) {
      const distance = (candidate.code as ClosureCode).distanceTo(args)
      if (distance === 0) return candidate
      if (distance === undefined || distance > least) continue
      isAmbiguous = distance === least
      best = candidate
      least = distance
    }
    if (isAmbiguous) {
      const problem = `several functions ${this.#name}() take these arguments equally well: give one of them other types of parameters`
      throw this.#unit.positions.failure(problem, this.#position, "GroovyRuntimeException")
    }
    return best ?? candidates.find(({ parameterCount }) => parameterCount === args.length) ?? candidates.at(-1)
  }

  /** Writes the arguments to the output of the script. sprintf() gives the text instead. */
  #print(frame: Frame, args: readonly unknown[]): string | null {
    const { budget, scope } = frame.runtime
    return this.#unit.positions.at(this.#position, () => {
      if (this.#name === "sprintf") return formatCall(args, true, budget)
      const text =
        this.#name === "printf"
          ? formatCall(args, true, budget)
          : args.map((arg) => budget.text(arg ?? "null")).join(" ")
      scope.print?.(this.#name === "println" ? `${text}\n` : text)
      return null
    })
  }

  #unknown(frame: Frame): string {
    const problem = this.#unit.script.calls.get(this.#name)?.problem
    if (problem !== undefined) return problem
    const { functions } = frame.runtime.scope.variables
    const near = closest(this.#name, functions.keys())
    const hint = near === undefined ? "" : `. Did you mean ${near}()?`
    return `there is no step, predicate or function ${this.#name}()${hint}`
  }
}
