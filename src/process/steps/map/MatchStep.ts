import type { Task } from "../../../scheduling/Task.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { lastLabelled, objectOf } from "../../machine/Paths.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, select, VALUE } from "../../plan/Batch.ts"
import { mayBeEndless } from "../../plan/Endlessness.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { flattening, type StepTraits } from "../../plan/StepTraits.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../filter/HasStep.ts"
import { lookInside, type Pattern, patternTraversals, readPatterns, variablesOf } from "./MatchPatterns.ts"
import { label, MatchSolver, partsByLabels, relabel } from "./MatchSolver.ts"

const traits: StepTraits = {
  ...flattening({ results: "perRow", keepsObject: false, children: "asked" }),
  work: "ordered",
  labels: "binds"
}

/**
 * match(): all ways to bind the labels of its patterns. Bindings are labelled places on the traverser's path, so
 * select() and where() can read them inside and after match(). A pattern is evaluated for a whole batch as soon as its
 * start is bound. Patterns that only compare run before patterns that multiply rows.
 */
export class MatchStep extends Step {
  readonly operator = "match"
  readonly name = "MatchStep"
  readonly traits = traits
  readonly #patterns: ReadonlyArray<Pattern>
  readonly #variables: readonly string[]
  readonly #starts: ReadonlySet<string>
  /** The label that the incoming object is bound to if its path has none of the start labels. */
  readonly #startLabel: string

  constructor(args: readonly unknown[], compiler: PlanBuilder) {
    super()
    this.#patterns = readPatterns(args, this, compiler)
    const { starts, ends } = variablesOf(this.#patterns)
    if (starts.size === 0) throw new TraversalInvalid("match() needs at least one pattern that begins with as()")
    this.#starts = starts
    this.#variables = [...new Set([...starts, ...ends])]
    this.#startLabel = [...starts].find((label) => !ends.has(label)) ?? [...starts][0]!
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return patternTraversals(this.#patterns)
  }
  override require(needs: Needs): void {
    if (needs.path === 0) needs.path = 1
    lookInside(this.#patterns, new Set(this.#variables))
  }
  override labelsRead(): readonly string[] {
    return this.#variables
  }

  /**
   * Conditions that each object which comes in with these labels must meet, if no earlier object on its path has a label: has() steps
   * that are the whole of a pattern.
   */
  conditionsOf(labels: ReadonlySet<string>): ReadonlyArray<HasContainer> {
    const known = [...this.#starts].filter((start) => labels.has(start))
    const bound = known.length > 0 ? known : [this.#startLabel]
    return this.#patterns.flatMap((pattern) =>
      pattern.kind === "walk" && bound.includes(pattern.start) ? conditionsIn(pattern.traversal) : []
    )
  }

  override goesOneByOne(batch: Batch, { plan }: Activation): boolean {
    const isOneByOne = this.#patterns.some(({ kind }) => kind === "or")
    return batch.length > 1 && (isOneByOne || this.localChildren().some((child) => mayBeEndless(child, plan)))
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#matched(batch, activation))
  }

  *#matched(batch: Batch, activation: Activation): Task {
    const bound: Array<number> = []
    const unbound: Array<number> = []
    for (let i = 0; i < batch.length; i++) {
      const path = batch.path?.[i] ?? null
      const starts = [...this.#starts].some((label) => lastLabelled(path, label) !== undefined)
      ;(starts ? bound : unbound).push(i)
    }
    const parts: Array<Batch> = []
    if (bound.length > 0) parts.push(select(batch, bound, bound.length))
    if (unbound.length > 0) {
      const starts = select(batch, unbound, unbound.length)
      parts.push(activation.plan.path === 2 ? relabel(starts, this.#startLabel) : label(starts, this.#startLabel))
    }
    const solver = new MatchSolver(this, activation, (rows) => this.#emit(rows, activation))
    for (const part of parts) {
      for (const { labels, rows } of partsByLabels(part, this.#variables)) {
        yield* solver.solve(rows, this.#patterns, new Set(labels))
      }
    }
  }

  #emit(solved: Batch, activation: Activation): void {
    const { transaction } = activation
    const maps = Array.from({ length: solved.length }, (_, row) => {
      const map = new GremlinMap()
      for (const name of this.#variables) {
        const node = lastLabelled(solved.path?.[row] ?? null, name)
        if (node !== undefined) map.set(name, objectOf(node, transaction))
      }
      return map
    })
    activation.emitData(this, solved, null, VALUE, maps, maps.length)
  }

  override describe(): string {
    return this.localChildren().map(String).join(", ")
  }
}

/** The conditions of a traversal of has() steps only; none for any other. */
const conditionsIn = ({ steps }: Traversal): ReadonlyArray<HasContainer> => {
  const filters = steps.filter((step) => step instanceof HasStep)
  return filters.length === steps.length ? filters.flatMap(({ conditions }) => conditions) : []
}

/** The operator match(). */
export const matchSteps: Operators = {
  match: stepOperator(noParameters, (args, compiler) => new MatchStep(args, compiler))
}
