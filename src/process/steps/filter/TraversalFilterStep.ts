import type { Compiler, StepBuilder } from "../../compiler/Compiler.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { isPredicate } from "../../language/Predicate.ts"
import type { Activation } from "../../machine/Activation.ts"
import type { Batch } from "../../machine/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import { Step } from "../../plan/Step.ts"
import type { Traversal } from "../../plan/Traversal.ts"
import { IsStep } from "./IsStep.ts"

/** filter(traversal), not(traversal), has(key): keeps the rows for which the child has a result, or has none. */
export class TraversalFilterStep extends Step {
  readonly operator: string
  readonly name: string
  override readonly keepsObject = true
  #child: Traversal
  /** Whether rows with a result are kept, or rows without. */
  readonly positive: boolean

  /** `built` as in {@link Compiler.child}. */
  constructor(
    operator: "filter" | "not" | "where" | "has" | "hasNot",
    child: unknown,
    compiler: Compiler,
    built?: (child: Traversal) => void
  ) {
    super()
    this.operator = operator
    this.positive = operator !== "not" && operator !== "hasNot"
    this.name = this.positive ? "TraversalFilterStep" : "NotStep"
    this.#child = compiler.child(child, this, built)
  }

  get child(): Traversal {
    return this.#child
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

  override run(batch: Batch, activation: Activation): undefined {
    const wanted = this.positive ? 1 : 0
    activation.invoke(planOf(this.#child), batch, "exists", ({ found }) => {
      const rows = activation.run.scratch.rows(batch.length)
      let kept = 0
      for (let i = 0; i < batch.length; i++) if (found[i] === wanted) rows[kept++] = i
      activation.emitRows(this, batch, rows, kept)
    })
  }

  override describe(): string {
    return String(this.#child)
  }
}

export const traversalFilterSteps: Readonly<Record<string, StepBuilder>> = {
  filter: (args, compiler) =>
    isPredicate(args[0])
      ? new IsStep("filter", args[0])
      : new TraversalFilterStep("filter", oneArgument("filter", args), compiler),
  not: (args, compiler) => new TraversalFilterStep("not", oneArgument("not", args), compiler)
}

const oneArgument = (operator: string, args: readonly unknown[]): unknown => {
  if (args.length === 1) return args[0]
  throw new TraversalInvalid(`${operator}() takes one traversal, but was given ${args.length} arguments`)
}
