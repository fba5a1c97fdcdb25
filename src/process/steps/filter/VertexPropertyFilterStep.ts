import { VertexProperty } from "../../../structure/elements/Element.ts"
import type { Bytecode } from "../../language/Bytecode.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, select } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { filtering } from "../../plan/StepTraits.ts"

const traits = filtering({ filter: "asks", rank: 4, labels: "none", children: "asked" })

/** Filters vertex properties by a traversal over them. Other objects pass. */
export class VertexPropertyFilterStep extends Step {
  readonly operator = "filter"
  readonly name = "TraversalFilterStep"
  readonly traits = traits
  #child: Traversal
  constructor(criterion: Bytecode, compiler: PlanBuilder) {
    super()
    this.#child = compiler.child(criterion, this)
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return [this.#child]
  }
  override asksWhether(): boolean {
    return true
  }
  override replaceChild(_from: Traversal, to: Traversal): void {
    this.#child = to
  }
  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const tested: Array<number> = []
    for (let i = 0; i < batch.length; i++) if (batch.data[i] instanceof VertexProperty) tested.push(i)
    if (tested.length === 0) {
      activation.pass(this, batch)
      return
    }
    activation.invoke(planOf(this.#child), select(batch, tested, tested.length), "exists", ({ found }) => {
      const rows = activation.run.scratch.rows(batch.length)
      let kept = 0
      let next = 0
      for (let i = 0; i < batch.length; i++) {
        if (tested[next] !== i || found[next++] === 1) rows[kept++] = i
      }
      activation.emitRows(this, batch, rows, kept)
    })
  }
  override describe(): string {
    return String(this.#child)
  }
}
