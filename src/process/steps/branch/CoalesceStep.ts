import { goesInChunks, type RowChunk, runChild, runChunks } from "../../machine/ChildResults.ts"
import { asRowsOf, ChildRows, singles } from "../../machine/ChildRows.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, carry, select } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { flattening } from "../../plan/StepTraits.ts"

const traits = flattening({ results: "many", keepsObject: false, children: "given" })

/** coalesce(): for each traverser, the results of the first child that has results. */
class CoalesceStep extends Step {
  readonly operator = "coalesce"
  readonly name = "CoalesceStep"
  readonly traits = traits
  #children: Array<Traversal>

  constructor(children: readonly unknown[], compiler: PlanBuilder) {
    super()
    this.#children = children.map((child) => compiler.child(child, this))
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return this.#children
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    this.#children = this.#children.map((child) => (child === from ? to : child))
  }

  override goesOneByOne(batch: Batch, activation: Activation): boolean {
    return goesInChunks(this, this.#children, batch, activation)
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runChunks(this, this.#children, batch, activation, (chunk) => {
      if (chunk.streams) this.#stream(0, chunk, activation)
      else {
        const open = Int32Array.from({ length: chunk.rows.length }, (_, row) => row)
        this.#try(0, open, new ChildRows(), chunk, activation)
      }
    })
  }

  /** Runs child k for one row without a result, then the next children if child k has none. */
  #stream(k: number, chunk: RowChunk, activation: Activation): void {
    const child = this.#children[k]
    if (child === undefined) return
    runChild(this, child, chunk, activation, {
      all: ignore,
      some: (row, result) => activation.emit(this, asRowsOf(row, singles(this, result, activation), "path and sack")),
      none: () => this.#stream(k + 1, chunk, activation)
    })
  }

  /** Runs child k for the rows without a result. */
  #try(k: number, open: Int32Array, results: ChildRows, chunk: RowChunk, activation: Activation): void {
    const child = this.#children[k]
    const { rows } = chunk
    if (child === undefined || open.length === 0) {
      chunk.gave(results.length)
      for (const result of results.inOrder(activation)) {
        activation.emit(this, asRowsOf(rows, singles(this, result, activation), "path and sack"))
      }
      return
    }
    const asked = open.length === rows.length ? rows : select(rows, open, open.length)
    const found = new Uint8Array(open.length)
    activation.invokeAll(
      planOf(child),
      asked,
      (result) => {
        // Maps the origins from indexes of the child's rows to indexes of the chunk.
        const origin = new Int32Array(result.length)
        for (let i = 0; i < origin.length; i++) {
          const row = result.originOf(i)
          found[row] = 1
          origin[i] = open[row]!
        }
        const moved = carry(result, null, new Batch(result.kind, result.data, result.length))
        moved.origin = origin
        results.add(moved)
      },
      () => {
        this.#try(
          k + 1,
          open.filter((_, i) => found[i] === 0),
          results,
          chunk,
          activation
        )
      }
    )
  }

  override describe(): string {
    return this.#children.map(String).join(", ")
  }
}

const ignore = (): void => {}

/** The operator coalesce(). */
export const coalesceSteps: Operators = {
  coalesce: stepOperator(noParameters, (args, compiler) => new CoalesceStep(args, compiler))
}
