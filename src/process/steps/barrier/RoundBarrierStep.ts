import type { Activation } from "../../plan/Activation.ts"
import type { Batch, LoopFrame } from "../../plan/Batch.ts"
import { BarrierStep } from "./BarrierStep.ts"

/** A barrier in the body of a repeat() that stands in some rounds only: TinkerPop has it in some copies of the body. */
export class RoundBarrierStep extends BarrierStep {
  readonly #stands: (round: LoopFrame) => boolean

  constructor(most: number, stands: (round: LoopFrame) => boolean) {
    super("values", most)
    this.#stands = stands
  }

  override run(batch: Batch, activation: Activation): undefined {
    if (this.#stands(batch.loops!)) super.run(batch, activation)
    else activation.pass(this, batch)
  }
}
