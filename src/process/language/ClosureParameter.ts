import { ClosureSource } from "./Closure.ts"
import type { ParameterValues } from "./Operand.ts"

/** A placeholder for a closure that each run supplies: traversals that differ only in their closures share a plan. */
export class ClosureParameter extends ClosureSource {
  readonly index: number
  readonly parameterCount: number
  readonly #isPure: boolean

  /** @param like a closure for which the plan is made; others with as many parameters and the same purity may use the plan */
  constructor(index: number, like: ClosureSource) {
    super()
    this.index = index
    this.parameterCount = like.parameterCount
    this.#isPure = like.isPure
  }

  override get isPure(): boolean {
    return this.#isPure
  }

  get text(): string {
    return "lambda"
  }

  /** Whether a plan with this parameter is right for a closure. */
  fits(closure: ClosureSource): boolean {
    return closure.parameterCount === this.parameterCount && closure.isPure === this.#isPure
  }

  /** The closure of a run. */
  closureIn({ parameters }: ParameterValues): ClosureSource {
    return parameters[this.index] as ClosureSource
  }
}
