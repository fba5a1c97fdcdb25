import type { Activation } from "../Activation.ts"
import { type Batch, scratchRows } from "../Batch.ts"
import type { Bytecode } from "../Bytecode.ts"
import type { Compiler, StepBuilder } from "../Compiler.ts"
import { planOf } from "../Plan.ts"
import { Step } from "../Step.ts"
import type { Traversal } from "../Traversal.ts"

/** filter(traversal) and not(traversal): keeps the rows for which the child has a result, or has none. */
export class TraversalFilterStep extends Step {
  readonly operator: string
  readonly name: string
  override readonly keepsObject = true
  #child: Traversal
  readonly #wanted: 0 | 1

  constructor(operator: "filter" | "not" | "where" | "has", child: Bytecode, compiler: Compiler) {
    super()
    this.operator = operator
    this.name = operator === "not" ? "NotStep" : "TraversalFilterStep"
    this.#child = compiler.child(child, this)
    this.#wanted = operator === "not" ? 0 : 1
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return [this.#child]
  }

  override replaceChild(_from: Traversal, to: Traversal): void {
    this.#child = to
  }

  override run(batch: Batch, activation: Activation): undefined {
    activation.invoke(planOf(this.#child), batch, "exists", ({ found }) => {
      const rows = scratchRows(batch.length)
      let kept = 0
      for (let i = 0; i < batch.length; i++) if (found[i] === this.#wanted) rows[kept++] = i
      activation.emitRows(this, batch, rows, kept)
    })
  }

  override describe(): string {
    return String(this.#child)
  }
}

const build =
  (operator: "filter" | "not"): StepBuilder =>
  (args, compiler) =>
    new TraversalFilterStep(operator, args[0] as Bytecode, compiler)

export const traversalFilterSteps: Readonly<Record<string, StepBuilder>> = {
  filter: build("filter"),
  not: build("not")
}
