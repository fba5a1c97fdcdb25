import { GremlinMap } from "../../structure/Collections.ts"
import type { Activation } from "../Activation.ts"
import { integerArgument } from "../Arguments.ts"
import { type Batch, VALUE } from "../Batch.ts"
import type { Compiler, StepBuilder } from "../Compiler.ts"
import { Step } from "../Step.ts"
import { localItems } from "./ReduceSteps.ts"

/** Key and values of with(WithOptions.indexer, ...), as drivers send them. */
const INDEXER = "~tinkerpop.index.indexer"
const MAP = 1

/** index(): the items of a collection with their places, as pairs or as a map by place; a single object counts as one item. */
class IndexStep extends Step {
  readonly operator = "index"
  readonly name = "IndexStep"
  #indexer = 0

  override modulate(operator: string, args: readonly unknown[], compiler: Compiler): void {
    if (operator === "with" && args[0] === INDEXER) {
      this.#indexer = integerArgument("with", args[1], "WithOptions.indexer value")
    } else super.modulate(operator, args, compiler)
  }

  override run(batch: Batch, activation: Activation): undefined {
    const values = Array.from({ length: batch.length }, (_, row) => {
      const items = localItems(batch.value(row, activation.transaction))
      return this.#indexer === MAP
        ? new GremlinMap(items.map((item, at) => [at, item]))
        : items.map((item, at) => [item, at])
    })
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }
}

export const indexSteps: Readonly<Record<string, StepBuilder>> = { index: () => new IndexStep() }
