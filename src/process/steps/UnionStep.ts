import type { Activation } from "../Activation.ts"
import type { Batch } from "../Batch.ts"
import type { Compiler, StepBuilder } from "../Compiler.ts"
import { branchEntry } from "../Plan.ts"
import { Step } from "../Step.ts"
import type { Traversal } from "../Traversal.ts"

/** union(): every row goes into every branch; the branches' results go on after this step. The pattern of branching. */
export class UnionStep extends Step {
  readonly operator = "union"
  readonly name = "UnionStep"
  override readonly keepsObject = true
  #branches: Array<Traversal>

  constructor(branches: readonly unknown[], compiler: Compiler) {
    super()
    this.#branches = branches.map((branch) => compiler.child(branch, this))
  }

  override globalChildren(): ReadonlyArray<Traversal> {
    return this.#branches
  }

  override replaceChild(from: Traversal, to: Traversal): void {
    this.#branches = this.#branches.map((branch) => (branch === from ? to : branch))
  }

  override run(batch: Batch, activation: Activation): undefined {
    for (const branch of this.#branches) activation.push(branchEntry(this, branch), batch)
  }

  override describe(): string {
    return this.#branches.map(String).join(", ")
  }
}

export const unionSteps: Readonly<Record<string, StepBuilder>> = {
  union: (args, compiler) => new UnionStep(args, compiler)
}
