import { briefText } from "../../../structure/Text.ts"
import type { StepBuilder } from "../../compiler/Compiler.ts"
import { FailStep as Failure } from "../../language/Errors.ts"
import type { Activation } from "../../machine/Activation.ts"
import type { Batch } from "../../machine/Batch.ts"
import { Step } from "../../plan/Step.ts"

/** fail(): ends the request with an error as soon as a traverser gets here. */
class FailStep extends Step {
  readonly operator = "fail"
  readonly name = "FailStep"
  override readonly keepsObject = true
  readonly message: string
  constructor(message: string) {
    super()
    this.message = message
  }
  override run(batch: Batch, activation: Activation): undefined {
    const object = briefText(batch.value(0, activation.transaction))
    throw new Failure(
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

export const failSteps: Readonly<Record<string, StepBuilder>> = {
  fail: (args) => new FailStep(typeof args[0] === "string" ? args[0] : "fail() step triggered")
}
