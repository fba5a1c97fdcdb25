import { stringArgument } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, type LoopFrame, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { scalar } from "../../plan/StepTraits.ts"

/**
 * loops(): the number of completed rounds, as an Int, of the innermost repeat() around the traverser or of the repeat()
 * with the given name.
 */
class LoopsStep extends Step {
  readonly operator = "loops"
  readonly name = "LoopsStep"
  readonly traits = scalar
  readonly #loopName: string | null
  constructor(loopName: string | null) {
    super()
    this.#loopName = loopName
  }

  override get varies(): boolean {
    return true
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const count = this.#count(batch.loops)
    activation.emitData(this, batch, null, VALUE, new Array<unknown>(batch.length).fill(count), batch.length)
  }

  #count(innermost: LoopFrame | null): number {
    if (this.#loopName === null) return innermost?.count ?? 0
    for (let frame = innermost; frame !== null; frame = frame.outer) {
      if (frame.loopName === this.#loopName) return frame.count
    }
    throw new TraversalError(`Loop name not defined: ${this.#loopName}`)
  }

  override describe(): string {
    return this.#loopName ?? ""
  }
}

/** The operator loops(). */
export const loopsSteps: Operators = {
  loops: stepOperator(
    noParameters,
    ([name]) => new LoopsStep(name === undefined || name === null ? null : stringArgument("loops", name, "loop name"))
  )
}
