import { keyOf } from "../../../structure/collections/Equivalence.ts"
import { isTraversal, nameOf, stringArgument } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { isPredicate } from "../../language/Predicate.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, type Kind, VALUE, VERTEX } from "../../plan/Batch.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { filtering, mapping } from "../../plan/StepTraits.ts"
import { scoped } from "../shared/Scoping.ts"
import { ConnectiveStep } from "./ConnectiveStep.ts"
import { TraversalFilterStep } from "./TraversalFilterStep.ts"
import { WherePredicateStep } from "./WherePredicateStep.ts"

const startTraits = mapping({ limits: "stay", labels: "variable", children: "none" })

/**
 * The start of a where() traversal with labels: moves to the object labelled by the as() at its start, or stays at the
 * current object. It also looks up the object of the end label here, before the traversal moves.
 */
class WhereStartStep extends Step {
  readonly operator = "where"
  readonly name = "WhereStartStep"
  readonly traits = startTraits
  readonly #label: string | null
  end: WhereEndStep | null = null
  constructor(label: string | null) {
    super()
    this.#label = label
  }
  override require(needs: Needs): void {
    if (needs.path === 0) needs.path = 1
  }
  override labelsRead(): readonly string[] {
    return this.#label === null ? [] : [this.#label]
  }
  override reads(): null {
    return null
  }
  override run(batch: Batch, activation: Activation): undefined {
    if (this.end !== null) {
      const objects = scoped(this.end, batch, this.end.label, activation)
      const wanted = this.end.wanted(activation)
      for (let row = 0; row < batch.length; row++) {
        wanted.kinds[batch.originOf(row)] = objects.kind
        wanted.objects[batch.originOf(row)] = objects.data[row]
      }
    }
    if (this.#label === null) activation.pass(this, batch)
    else {
      const objects = scoped(this, batch, this.#label, activation)
      activation.emitData(this, batch, null, objects.kind, objects.data, objects.length)
    }
  }
  override describe(): string {
    return this.#label ?? ""
  }
}

const endTraits = filtering({ filter: "no", rank: 0, labels: "variable", children: "none" })

/** The end of a where() traversal: keeps objects equal to the object of its label. */
class WhereEndStep extends Step {
  readonly operator = "where"
  readonly name = "WhereEndStep"
  readonly traits = endTraits
  readonly label: string
  constructor(label: string) {
    super()
    this.label = label
  }
  override labelsRead(): readonly string[] {
    return [this.label]
  }
  override reads(): null {
    return null
  }
  override run(batch: Batch, activation: Activation): undefined {
    const { kinds, objects } = this.wanted(activation)
    const kept: Array<number> = []
    for (let row = 0; row < batch.length; row++) {
      const origin = batch.originOf(row)
      const kind = kinds[origin]!
      const same =
        kind === batch.kind && kind !== VALUE
          ? batch.data[row] === objects[origin]
          : keyOf(batch.value(row, activation.transaction)) === keyOf(handle(kind, objects[origin], activation))
      if (same) kept.push(row)
    }
    const rows = activation.run.scratch.rows(kept.length)
    rows.set(kept)
    activation.emitRows(this, batch, rows, kept.length)
  }
  /** The object of the end label for each origin, looked up at the start of the traversal. */
  wanted(activation: Activation): { readonly kinds: Array<Kind>; readonly objects: Array<unknown> } {
    return activation.state(this, () => ({ kinds: [], objects: [] }))
  }
  override describe(): string {
    return this.label
  }
}

const handle = (kind: Kind, raw: unknown, activation: Activation): unknown =>
  kind === VALUE
    ? raw
    : kind === VERTEX
      ? activation.transaction.vertex(raw as number)
      : activation.transaction.edge(raw as number)

/**
 * Replaces the as() at the start and end of a where() traversal by steps that look up the labels; also inside
 * and/or/not.
 */
const bindVariables = (traversal: Traversal, compiler: PlanBuilder): void => {
  const { first, last } = traversal
  if (first === undefined || last === undefined) return
  let start: WhereStartStep | undefined
  if (first instanceof ConnectiveStep || isNot(first)) {
    for (const child of first.localChildren()) bindVariables(child, compiler)
  }
  if (compiler.variableStarts.has(first)) {
    if (first === last && first.labels.length > 1) throw severalEnds(first)
    start = new WhereStartStep(first.labels[0]!)
    const more = first.labels.slice(1)
    traversal.replace(first, start)
    if (more.length > 0) start.labels.push(...more)
  } else if (last.labels.length > 0) {
    start = new WhereStartStep(null)
    traversal.insert(0, start)
  }
  const isOnlyStart = last === first && compiler.variableStarts.has(first)
  if (isOnlyStart || last.labels.length === 0 || start === undefined) return
  if (last.labels.length > 1) throw severalEnds(last)
  start.end = new WhereEndStep(last.labels.pop()!)
  traversal.add(start.end)
}

const severalEnds = (last: Step): TraversalInvalid =>
  new TraversalInvalid(`The end step of a where()-traversal can only have one label: ${last}`)

const isNot = (step: Step): boolean => step instanceof TraversalFilterStep && !step.positive

/** Returns whether the traversal has a label at its start or end, also in an and/or/not at its start. */
const hasVariables = (traversal: Traversal, compiler: PlanBuilder): boolean => {
  const { first, last } = traversal
  if (first === undefined || last === undefined) return false
  if (compiler.variableStarts.has(first) || last.labels.length > 0) return true
  return (
    (first instanceof ConnectiveStep || isNot(first)) &&
    first.localChildren().some((child) => hasVariables(child, compiler))
  )
}

const where: StepBuilder = (args, compiler) => {
  const [first, second] = args
  if (args.length === 2) {
    if (!isPredicate(second))
      throw new TraversalInvalid(`where(label, P) needs a predicate, but was given ${nameOf(second)}`)
    return new WherePredicateStep(stringArgument("where", first, "label"), second)
  }
  if (args.length !== 1) throw new TraversalInvalid(`where() takes one or two arguments, but was given ${args.length}`)
  if (isPredicate(first)) return new WherePredicateStep(null, first)
  if (!isTraversal(first))
    throw new TraversalInvalid(`where() takes a predicate or a traversal, but was given ${nameOf(first)}`)
  return new TraversalFilterStep("where", first, compiler, (child) => {
    if (hasVariables(child, compiler)) bindVariables(child, compiler)
  })
}

/** The operator where(). */
export const whereSteps: Operators = { where: stepOperator(noParameters, where) }
