import { briefText } from "../../../structure/texts/Text.ts"
import { FailStepReached } from "../../language/Errors.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { acting } from "../../plan/StepTraits.ts"

const traits = acting({
  scout: "stops",
  limits: "pass",
  keepsObject: true,
  merging: "none",
  children: "none",
  access: "reads"
})

/** fail(): ends the request with an error when the first traverser arrives. */
class FailStep extends Step {
  readonly operator = "fail"
  readonly name = "FailStep"
  readonly traits = traits
  readonly message: string
  constructor(message: string) {
    super()
    this.message = message
  }
  override get ignoresCount(): boolean {
    return true
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const object = briefText(batch.value(0, activation.transaction))
    throw new FailStepReached(
      this.message,
      [
        "fail() Step Triggered",
        `Message > ${this.message}`,
        `Traverser> ${object}`,
        `  Bulk   > ${batch.bulkOf(0)}`,
        `Traversal> ${this.traversal.root}`
      ].join("\n")
    )
  }
  override describe(): string {
    return this.message
  }
}

/** The operator fail(). */
export const failSteps: Operators = {
  fail: stepOperator(
    noParameters,
    (args) => new FailStep(typeof args[0] === "string" ? args[0] : "fail() step triggered")
  )
}
