import type { Task } from "../../../scheduling/Task.ts"
import { equals } from "../../../structure/comparison/Equality.ts"
import { TraversalError } from "../../language/Errors.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, withSacks } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { filtering, type StepTraits } from "../../plan/StepTraits.ts"
import { UnsplitSack } from "../../plan/UnsplitSack.ts"
import { called } from "./ClosureTasks.ts"

const traits: StepTraits = {
  ...filtering({ filter: "no", rank: 0, labels: "none", children: "none" }),
  role: "splitsSack"
}

/** Calls the splitter of withSack() for the sack of each row, where TinkerPop splits a traverser. */
export class SackSplitStep extends Step {
  readonly operator = "sack"
  readonly name = "SackSplitStep"
  readonly traits = traits
  readonly #isPure: boolean
  readonly #copiesFor: string | null

  /**
   * @param isPure whether the splitter is; see {@link ClosureSource.isPure}
   * @param copiesFor what would see how often the splitter is called, so that it may only copy; null = nothing
   */
  constructor(isPure: boolean, copiesFor: string | null = null) {
    super()
    this.#isPure = isPure
    this.#copiesFor = copiesFor
  }

  override get callsClosure(): boolean {
    return true
  }

  override require(needs: Needs): void {
    needs.sack = true
    if (!this.#isPure) needs.sequential = true
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#split(batch, activation))
  }

  /** A scout needs no new sacks, but later steps must find no {@link UnsplitSack}. */
  override scout(batch: Batch, activation: Activation): boolean {
    const plain = (sack: unknown): unknown => (sack instanceof UnsplitSack ? sack.sack : sack)
    activation.pass(this, withSacks(batch, batch.sack?.slice(0, batch.length).map(plain) ?? null))
    return true
  }

  *#split(batch: Batch, activation: Activation): Task {
    const sacks: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      sacks.push(yield* this.#next(batch.sack?.[row] ?? null, activation))
    }
    activation.pass(this, withSacks(batch, sacks))
  }

  *#next(sack: unknown, activation: Activation): Task<unknown> {
    if (sack instanceof UnsplitSack) return sack.sack
    // As in TinkerPop, a missing sack is not split.
    if (sack === null) return null
    const { closures } = activation.run
    const given = yield* called(closures.sackSplitter!, [sack], activation)
    if (this.#copiesFor === null || equals(given, sack)) return given
    throw new TraversalError(
      `The splitter of withSack() must give a copy of the sack, such as {it} or {it.clone()}, in a traversal with ${this.#copiesFor}.`
    )
  }

  override describe(): string {
    return this.#copiesFor === null ? "" : `copy,${this.#copiesFor}`
  }
}
