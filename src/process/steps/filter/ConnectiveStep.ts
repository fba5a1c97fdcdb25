import type { Activation } from "../../plan/Activation.ts"
import { type Batch, select } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { filtering, type StepTraits } from "../../plan/StepTraits.ts"

const or = filtering({ filter: "asks", rank: 6, labels: "none", children: "asked" })
const and: StepTraits = { ...or, rank: 7 }

/** and(traversal...), or(traversal...): keeps rows for which every child, or at least one child, has a result. */
export class ConnectiveStep extends Step {
  readonly operator: "and" | "or"
  readonly name: string
  readonly traits: StepTraits
  #children: Array<Traversal>

  constructor(operator: "and" | "or", children: readonly unknown[], compiler: PlanBuilder) {
    super()
    this.operator = operator
    this.name = operator === "and" ? "AndStep" : "OrStep"
    this.traits = operator === "and" ? and : or
    this.#children = children.map((child) => compiler.child(child, this))
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return this.#children
  }

  override asksWhether(): boolean {
    return true
  }

  override replaceChild(from: Traversal, to: Traversal): void {
    this.#children = this.#children.map((child) => (child === from ? to : child))
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    this.#ask(0, batch, null, new Uint8Array(batch.length), batch, activation)
  }

  /**
   * Runs child k on the undecided rows: for and() those that passed every earlier child, for or() those that passed
   * none.
   */
  #ask(
    k: number,
    open: Batch,
    places: ReadonlyArray<number> | null,
    held: Uint8Array,
    batch: Batch,
    activation: Activation
  ): void {
    const child = this.#children[k]
    const isAnd = this.operator === "and"
    if (child === undefined || open.length === 0) {
      if (isAnd) for (let i = 0; i < open.length; i++) held[places === null ? i : places[i]!] = 1
      this.#emit(held, batch, activation)
      return
    }
    activation.invoke(planOf(child), open, "exists", ({ found }) => {
      const rows: Array<number> = []
      const next: Array<number> = []
      for (let i = 0; i < open.length; i++) {
        const place = places === null ? i : places[i]!
        if ((found[i] === 1) === isAnd) {
          rows.push(i)
          next.push(place)
        } else if (!isAnd) held[place] = 1
      }
      this.#ask(k + 1, select(open, rows, rows.length), next, held, batch, activation)
    })
  }

  #emit(held: Uint8Array, batch: Batch, activation: Activation): void {
    const rows = activation.run.scratch.rows(batch.length)
    let kept = 0
    for (let i = 0; i < batch.length; i++) if (held[i] === 1) rows[kept++] = i
    activation.emitRows(this, batch, rows, kept)
  }

  override describe(): string {
    return this.#children.map(String).join(", ")
  }
}

/** The operators and() and or(). */
export const connectiveSteps: Operators = {
  and: stepOperator(noParameters, (args, compiler) => new ConnectiveStep("and", args, compiler)),
  or: stepOperator(noParameters, (args, compiler) => new ConnectiveStep("or", args, compiler))
}
