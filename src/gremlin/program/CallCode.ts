import { closest } from "../../structure/Spelling.ts"
import type { Evaluation } from "../Scope.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { PRINTING } from "../ScriptHints.ts"
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
  *run(frame: Frame): Evaluation {
    const { runtime } = frame
    const args: Array<unknown> = []
    for (const arg of this.#args) args.push(arg.isPlain ? arg.get(frame) : yield* arg.run(frame))
    const called = this.#called(frame, args.length)
    const { places } = this.#unit
    if (called !== undefined) return yield* places.placed(this.#position, runtime.call(called, args))
    if (PRINTING.has(this.#name)) return this.#print(frame, args)
    if (frame.delegate !== undefined) {
      return yield* places.placed(this.#position, runtime.receivers.call(frame.delegate, this.#name, args))
    }
    throw places.failure(this.#unknown(frame), this.#position)
  }

  #called(frame: Frame, count: number): ScriptClosure | undefined {
    const { variables } = frame.runtime.scope
    const local = this.#local?.get(frame)
    if (local instanceof ScriptClosure) return local
    const candidates = variables.functions.get(this.#name)
    if (candidates !== undefined) {
      return candidates.find(({ parameterCount }) => parameterCount === count) ?? candidates.at(-1)
    }
    const bound = variables.get(this.#name)
    return bound instanceof ScriptClosure ? bound : undefined
  }

  /** Writes the arguments to the output of the script. */
  #print(frame: Frame, args: readonly unknown[]): null {
    const { budget, scope } = frame.runtime
    return this.#unit.places.at(this.#position, () => {
      const text = args.map((arg) => budget.text(arg ?? "null")).join(" ")
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
