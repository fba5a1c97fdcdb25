import { TraversalInvalid } from "../../language/Errors.ts"
import { isPredicate } from "../../language/Predicate.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { everyArgument, noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { filtering, type StepTraits } from "../../plan/StepTraits.ts"
import { closureOf, rowByRow } from "../closure/ClosureStep.ts"
import { IsStep } from "./IsStep.ts"

const traits = filtering({ filter: "asks", rank: 4, labels: "none", children: "asked" })
/** where() of a traversal with labels at its ends. */
const withVariables: StepTraits = { ...traits, rank: 5, labels: "processes" }
/** filter{closure}: no strategy moves it or takes it out of its child, because the closure may depend on all steps before it. */
const withClosure: StepTraits = { ...traits, filter: "no", rank: 0 }

/** filter(traversal), not(traversal), has(key): keeps the rows for which the child has a result, or has none. */
export class TraversalFilterStep extends Step {
  readonly operator: string
  readonly name: string
  #child: Traversal
  /** The labels at the start and the end of a where() traversal. */
  #variables: readonly string[] = []
  /** True keeps rows with a result, false keeps rows without one. */
  readonly positive: boolean

  /** `built` as in {@link PlanBuilder.child}. */
  constructor(
    operator: "filter" | "not" | "where" | "has" | "hasNot",
    child: unknown,
    compiler: PlanBuilder,
    built?: (child: Traversal) => void
  ) {
    super()
    this.operator = operator
    this.positive = operator !== "not" && operator !== "hasNot"
    this.name = this.positive ? "TraversalFilterStep" : "NotStep"
    this.#child = compiler.child(child, this, (traversal) => {
      built?.(traversal)
      if (operator === "where") this.#variables = [...variablesOf(traversal)]
    })
  }

  /** Available after the child is built. */
  get traits(): StepTraits {
    if (this.#variables.length > 0) return withVariables
    return closureOf(this.#child) === undefined ? traits : withClosure
  }

  override labelsRead(): readonly string[] {
    return this.#variables
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

  override reads(): null {
    return null
  }

  override get callsClosureItself(): boolean {
    return this.positive
  }

  /** TinkerPop has no child for a closure. */
  override splitsFor(child: Traversal): boolean {
    return closureOf(child) === undefined
  }

  override goesOneByOne(): boolean {
    return this.positive && closureOf(this.#child) !== undefined
  }

  override run(batch: Batch, activation: Activation): boolean | undefined {
    const closure = this.positive && activation.scout === null ? closureOf(this.#child) : undefined
    if (closure === undefined) return this.#asked(batch, activation)
    if (!closure.runsFor(activation)) {
      return rowByRow(this, batch, activation, (row) => this.#asked(row, activation))
    }
    return closure.runFor(this, batch, activation, (rows) => activation.emitRows(this, batch, rows, rows.length))
  }

  #asked(batch: Batch, activation: Activation): undefined {
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

/** The labels at the start and the end of a where() traversal, also inside and(), or() and not() at its start. */
const variablesOf = (traversal: Traversal): ReadonlySet<string> => {
  const labels = new Set<string>()
  for (const step of traversal.steps) {
    if (step.traits.labels === "variable") for (const label of step.labelsRead()) labels.add(label)
    else if (step === traversal.first) {
      for (const child of step.localChildren()) for (const label of variablesOf(child)) labels.add(label)
    }
  }
  return labels
}

/** The operators filter() and not(). */
export const traversalFilterSteps: Operators = {
  filter: stepOperator(everyArgument, (args, compiler) =>
    isPredicate(args[0])
      ? new IsStep("filter", args[0])
      : new TraversalFilterStep("filter", oneArgument("filter", args), compiler)
  ),
  not: stepOperator(
    noParameters,
    (args, compiler) => new TraversalFilterStep("not", oneArgument("not", args), compiler)
  )
}

const oneArgument = (operator: string, args: readonly unknown[]): unknown => {
  if (args.length === 1) return args[0]
  throw new TraversalInvalid(`${operator}() takes one traversal, but was given ${args.length} arguments`)
}
