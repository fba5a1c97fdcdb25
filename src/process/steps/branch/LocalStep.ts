import { Vertex } from "../../../structure/elements/Element.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { goesInChunks, type Results, runChild, runChunks } from "../../machine/ChildResults.ts"
import { apart, asRowsOf, singles } from "../../machine/ChildRows.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, type Data, type Kind, slice, VALUE, VERTEX } from "../../plan/Batch.ts"
import { mayBeEndless } from "../../plan/Endlessness.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { BATCH_WIDTH, planOf } from "../../plan/Plan.ts"
import { isSilent } from "../../plan/Silence.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { acting, flattening, mapping, type StepTraits } from "../../plan/StepTraits.ts"
import { closureOf, rowByRow } from "../closure/ClosureStep.ts"

/** Base of steps with one child that runs for each row. */
abstract class ChildStep extends Step {
  readonly operator: string
  abstract override readonly name: string
  #child: Traversal

  constructor(operator: string, args: readonly unknown[], compiler: PlanBuilder) {
    super()
    this.operator = operator
    if (args.length !== 1) {
      throw new TraversalInvalid(`${operator}() takes one traversal, but was given ${args.length} arguments`)
    }
    this.#child = compiler.child(args[0], this)
  }

  get child(): Traversal {
    return this.#child
  }
  /** The step reads nothing; its child does. */
  override reads(): null {
    return null
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return [this.#child]
  }
  override replaceChild(_from: Traversal, to: Traversal): void {
    this.#child = to
  }
  override describe(): string {
    return String(this.#child)
  }
  /** TinkerPop has no child for a closure. */
  override splitsFor(child: Traversal): boolean {
    return closureOf(child) === undefined
  }
}

/** A batch of more traversers than this is put apart a part at a time. */
const MAX_APART_ROWS = 4096

/** Base of steps that emit all results of their child, whose runs start and end per row. */
abstract class ResultsStep extends ChildStep {
  override goesOneByOne(batch: Batch, activation: Activation): boolean {
    return goesInChunks(this, this.localChildren(), batch, activation)
  }

  protected runOver(batch: Batch, activation: Activation, rowsOf: (rows: Batch) => Batch, results: Results): boolean {
    return runChunks(this, this.localChildren(), batch, activation, (chunk) => {
      const rows = rowsOf(chunk.rows)
      const streams = chunk.streams && rows.length === 1
      const asked = streams && rows === chunk.rows ? chunk : { ...chunk, rows, streams }
      runChild(this, this.child, asked, activation, results)
    })
  }

  /** Returns true if a child with side effects must run once for each traverser of a bulk. */
  protected needsApart(batch: Batch, _activation: Activation): boolean {
    return batch.bulk !== null && !isSilent(this.child)
  }

  /**
   * Replaces the first rows of the batch by their single traversers if the child streams, or if there are too many to run at once.
   * Returns true if it did.
   */
  protected putApart(batch: Batch, activation: Activation): boolean {
    if (!this.needsApart(batch, activation) || activation.scout !== null || activation.isBegun(this)) return false
    const traversers = batch.bulk!.reduce((sum, bulk) => sum + bulk, 0)
    if (traversers === batch.length) return false
    const streams = mayBeEndless(this.child, activation.plan) || (activation.plan.sequential && batch.length === 1)
    if (!streams && traversers <= MAX_APART_ROWS) return false
    activation.replaceFront(this, apart(batch, BATCH_WIDTH))
    return true
  }

  /** The single traversers of rows if the child must run for each of them. */
  protected separate(rows: Batch, activation: Activation): Batch {
    return activation.scout === null && this.needsApart(rows, activation) ? apart(rows) : rows
  }
}

const local = flattening({ results: "perRow", keepsObject: true, children: "local" })

/**
 * local(): runs the child for each traverser separately, with its own barriers and limits. The results are separate traversers,
 * too: a later addV() adds a vertex for each of them.
 */
class LocalStep extends ResultsStep {
  readonly name = "LocalStep"
  readonly traits = local

  /** None: the step itself puts bulks apart, also where merging shows. */
  override childrenRun(): ReadonlyArray<Traversal> {
    return []
  }

  protected override needsApart(batch: Batch, activation: Activation): boolean {
    return super.needsApart(batch, activation) || (batch.bulk !== null && showsApart(activation))
  }

  override run(batch: Batch, activation: Activation): boolean {
    if (this.putApart(batch, activation)) return false
    const some = (rows: Batch, result: Batch): void => activation.pass(this, asRowsOf(rows, result, "nothing"))
    return this.runOver(batch, activation, (rows) => this.separate(rows, activation), {
      all: (rows, results) => {
        for (const result of results) some(rows, result)
      },
      some,
      none: ignore
    })
  }
}

/** Whether later steps see that the results of local() are separate: by their effects, or where merging shows. */
const showsApart = ({ plan }: Activation): boolean => plan.sequential || plan.mergingShows

const flat = flattening({ results: "many", keepsObject: false, children: "given" })

/** flatMap(): emits every result of the child for each traverser, as the next object on the traverser's path. */
class FlatMapStep extends ResultsStep {
  readonly name = "TraversalFlatMapStep"
  readonly traits = flat

  override run(batch: Batch, activation: Activation): boolean {
    const some = (rows: Batch, result: Batch): void =>
      activation.emit(this, asRowsOf(rows, singles(this, result, activation), "path and sack"))
    return this.runOver(batch, activation, same, {
      all: (rows, results) => {
        for (const result of results) some(rows, result)
      },
      some,
      none: ignore
    })
  }
}

const same = (rows: Batch): Batch => rows

const mapped = mapping({ limits: "stay", labels: "none", children: "asked" })

/** map(): emits the first result of the child for each traverser. Traversers without a result are filtered out. */
class MapStep extends ChildStep {
  readonly name = "TraversalMapStep"
  readonly traits = mapped

  override get callsClosureItself(): boolean {
    return true
  }

  override goesOneByOne(): boolean {
    return closureOf(this.child) !== undefined
  }

  override run(batch: Batch, activation: Activation): boolean | undefined {
    const closure = activation.scout === null ? closureOf(this.child) : undefined
    if (closure === undefined) return this.#mapped(batch, activation)
    if (!closure.runsFor(activation)) {
      return rowByRow(this, batch, activation, (row) => this.#mapped(row, activation))
    }
    return closure.runFor(this, batch, activation, (rows, values) => {
      const { kind, data } = columnOf(values, activation)
      activation.emitData(this, batch, rows.length === batch.length ? null : rows, kind, data, rows.length)
    })
  }

  #mapped(batch: Batch, activation: Activation): undefined {
    activation.invoke(planOf(this.child), batch, "first", ({ found, values }) => {
      const rows = activation.run.scratch.rows(batch.length)
      const given: Array<unknown> = []
      for (let row = 0; row < batch.length; row++) {
        if (found[row] === 0) continue
        rows[given.length] = row
        given.push(values[row])
      }
      const { kind, data } = columnOf(given, activation)
      activation.emitData(this, batch, given.length === batch.length ? null : rows, kind, data, given.length)
    })
  }
}

/** Makes a column of values: a column of refs if all values are vertices of this graph. */
const columnOf = (values: ReadonlyArray<unknown>, activation: Activation): { kind: Kind; data: Data } => {
  const { transaction } = activation
  if (!values.every((value) => value instanceof Vertex && value.source === transaction)) {
    return { kind: VALUE, data: values }
  }
  const refs = transaction.newRefs(values.length)
  for (let i = 0; i < values.length; i++) refs[i] = (values[i] as Vertex).ref
  return { kind: VERTEX, data: refs }
}

const sideEffect: StepTraits = {
  ...acting({
    scout: "runs",
    limits: "pass",
    keepsObject: true,
    merging: "none",
    children: "drained",
    access: "reads"
  }),
  work: "ordered"
}

/** sideEffect(): runs the child to its end for each traverser and passes the traverser. */
class SideEffectStep extends ChildStep {
  readonly name = "TraversalSideEffectStep"
  readonly traits = sideEffect

  override run(batch: Batch, activation: Activation): boolean | undefined {
    const closure = closureOf(this.child)
    if (closure?.runsFor(activation) !== true) {
      activation.invokeAll(planOf(this.child), batch, ignore, () => activation.pass(this, batch))
      return undefined
    }
    return closure.runFor(this, batch, activation, (rows) => activation.emitRows(this, batch, rows, rows.length))
  }
}

const ignore = (): void => {}

const optional = flattening({ results: "perRow", keepsObject: true, children: "flowing" })

/** optional(): emits the child's results for a traverser or, if there are none, the traverser itself. */
class OptionalStep extends ResultsStep {
  readonly name = "OptionalStep"
  readonly traits = optional

  /** None: the step itself puts bulks apart, also where merging shows. */
  override childrenRun(): ReadonlyArray<Traversal> {
    return []
  }

  override run(batch: Batch, activation: Activation): boolean {
    if (this.putApart(batch, activation)) return false
    return this.runOver(batch, activation, (rows) => this.separate(rows, activation), {
      all: (rows, results) => this.#emit(rows, results, activation),
      some: (row, result) => activation.pass(this, asRowsOf(row, result, "nothing")),
      none: (row) => activation.pass(this, row)
    })
  }

  /** Emits rows without a result in order between the results of the other rows. */
  #emit(rows: Batch, results: ReadonlyArray<Batch>, activation: Activation): void {
    let next = 0
    const passUntil = (row: number): void => {
      if (row > next) activation.pass(this, sliceOf(rows, next, row))
      next = Math.max(next, row + 1)
    }
    for (const result of results) {
      let from = 0
      while (from < result.length) {
        const row = result.originOf(from)
        passUntil(row)
        let to = from + 1
        // Results of consecutive rows are emitted together.
        while (to < result.length && result.originOf(to) <= next) next = Math.max(next, result.originOf(to++) + 1)
        activation.pass(this, asRowsOf(rows, sliceOf(result, from, to), "nothing"))
        from = to
      }
    }
    passUntil(rows.length)
  }
}

const sliceOf = (batch: Batch, from: number, to: number): Batch =>
  from === 0 && to === batch.length ? batch : slice(batch, from, to)

/** The operators local(), flatMap(), map(), sideEffect() and optional(). */
export const localSteps: Operators = {
  local: stepOperator(noParameters, (args, compiler) => new LocalStep("local", args, compiler)),
  flatMap: stepOperator(noParameters, (args, compiler) => new FlatMapStep("flatMap", args, compiler)),
  map: stepOperator(noParameters, (args, compiler) => new MapStep("map", args, compiler)),
  sideEffect: stepOperator(noParameters, (args, compiler) => new SideEffectStep("sideEffect", args, compiler)),
  optional: stepOperator(noParameters, (args, compiler) => new OptionalStep("optional", args, compiler))
}
