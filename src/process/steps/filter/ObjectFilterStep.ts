import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { filtering } from "../../plan/StepTraits.ts"
import { readsOf } from "../shared/By.ts"

const traits = filtering({ filter: "no", rank: 0, labels: "none", children: "none" })

/** Filters objects by a function, for strategies whose filters have no Gremlin form. */
export class ObjectFilterStep extends Step {
  readonly operator = "filter"
  readonly name = "ObjectFilterStep"
  readonly traits = traits
  readonly #words: string
  readonly #test: (object: unknown) => boolean
  constructor(words: string, test: (object: unknown) => boolean) {
    super()
    this.#words = words
    this.#test = test
  }
  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, null)
  }
  override run(batch: Batch, activation: Activation): undefined {
    const rows = activation.run.scratch.rows(batch.length)
    let kept = 0
    for (let i = 0; i < batch.length; i++) if (this.#test(batch.value(i, activation.transaction))) rows[kept++] = i
    activation.emitRows(this, batch, rows, kept)
  }
  override describe(): string {
    return this.#words
  }
}
