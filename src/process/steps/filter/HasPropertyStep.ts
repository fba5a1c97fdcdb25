import { isElement } from "../../../structure/elements/Element.ts"
import { currentProperties } from "../../../structure/graph/CurrentProperties.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { elementExpected } from "../../machine/Expansions.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE, VERTEX } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { filtering } from "../../plan/StepTraits.ts"
import { readsOf } from "../shared/By.ts"

const traits = filtering({ filter: "plain", rank: 4, labels: "none", children: "none" })

/** has(key) and hasNot(key), read directly from the columns: keeps elements with a property of the key, or without one. */
export class HasPropertyStep extends Step {
  readonly operator: "has" | "hasNot"
  readonly name = "HasPropertyStep"
  readonly traits = traits
  readonly key: string

  constructor(operator: "has" | "hasNot", key: string) {
    super()
    this.operator = operator
    this.key = key
  }

  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, [this.key])
  }

  override run(batch: Batch, activation: Activation): undefined {
    const has = this.#test(batch, activation)
    const wanted = this.operator === "has"
    const rows = activation.run.scratch.rows(batch.length)
    let kept = 0
    for (let row = 0; row < batch.length; row++) if (has(batch.data[row]) === wanted) rows[kept++] = row
    activation.emitRows(this, batch, rows, kept)
  }

  #test(batch: Batch, activation: Activation): (raw: unknown) => boolean {
    const { transaction } = activation
    if (batch.kind !== VALUE) {
      const reader = batch.kind === VERTEX ? transaction.vertexReader(this.key) : transaction.edgeReader(this.key)
      return (raw) => reader.value(raw as number) !== undefined
    }
    return (value) => {
      if (!isElement(value)) throw elementExpected(value, this.operator)
      return currentProperties(value, [this.key]).length > 0
    }
  }

  override describe(): string {
    return this.key
  }
}
