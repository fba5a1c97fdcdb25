import type { Reads } from "../../structure/GraphStore.ts"
import type { Activation } from "../Activation.ts"
import { predicateArgument } from "../Arguments.ts"
import { type Batch, scratchRows, VALUE } from "../Batch.ts"
import type { StepBuilder } from "../Compiler.ts"
import type { Predicate } from "../Predicate.ts"
import type { Test } from "../PredicateTest.ts"
import { objectReads } from "../Scoping.ts"
import { Step } from "../Step.ts"
import { itemsOf } from "../scalars/Items.ts"
import { testOf } from "./IsStep.ts"
import { discard } from "./PassSteps.ts"

/** all(P), any(P), none(P): keeps collections whose items all meet the predicate, one of them, or none. */
class CollectionFilterStep extends Step {
  readonly operator: "all" | "any" | "none"
  readonly name: string
  override readonly keepsObject = true
  readonly #predicate: Predicate

  constructor(operator: "all" | "any" | "none", predicate: Predicate) {
    super()
    this.operator = operator
    this.name = `${operator[0]!.toUpperCase()}${operator.slice(1)}Step`
    this.#predicate = predicate
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return batch.kind === VALUE ? objectReads(batch, activation) : []
  }

  override run(batch: Batch, activation: Activation): undefined {
    if (batch.kind !== VALUE) return
    const test = testOf(this, this.#predicate, activation.run)
    const rows = scratchRows(batch.length)
    let kept = 0
    for (let row = 0; row < batch.length; row++) if (this.#holds(batch.data[row], test)) rows[kept++] = row
    activation.emitRows(this, batch, rows, kept)
  }

  #holds(value: unknown, test: Test): boolean {
    const items = itemsOf(value)
    if (items === undefined) return false
    if (this.operator === "all") return items.every(test)
    return items.some(test) === (this.operator === "any")
  }
}

export const collectionFilterSteps: Readonly<Record<string, StepBuilder>> = {
  all: ([predicate]) => new CollectionFilterStep("all", predicateArgument("all", predicate)),
  any: ([predicate]) => new CollectionFilterStep("any", predicateArgument("any", predicate)),
  // none() without a predicate is what discard() was called before 3.8.
  none: (args) => (args.length === 0 ? discard() : new CollectionFilterStep("none", predicateArgument("none", args[0])))
}
