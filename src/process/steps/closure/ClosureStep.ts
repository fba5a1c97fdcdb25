import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { type Closure, type ClosureCall, ClosureSource, ClosureTraverser } from "../../language/Closure.ts"
import { CLOSURE_OPERATOR, type ClosureArgument } from "../../language/ClosureChild.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, slice, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { Step, type Traversal } from "../../plan/Step.ts"
import { acting, type StepTraits } from "../../plan/StepTraits.ts"
import { readsOf } from "../shared/By.ts"
import { openCalls } from "./ClosureTasks.ts"
import { RowTraverser } from "./RowTraverser.ts"

/** Closures may have effects, and one may end a request, so they are called once for each row and in order. */
const traits: StepTraits = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: false,
  merging: "none",
  children: "none",
  access: "reads"
})

/** The call that runs, with the rows that are done and not yet emitted. */
interface Running {
  readonly closure: Closure
  /** Null between two rows. */
  call: ClosureCall | null
  /** True if the call was not done at once. */
  waited: boolean
  /** The argument of the last call. */
  argument: unknown
  rows: Array<number>
  values: Array<unknown>
}

/** Takes rows that pass, with the values of the closure. */
type Emit = (rows: readonly number[], values: readonly unknown[]) => void

/** Emits the rows that are done. */
const given = (running: Running, emit: Emit): false => {
  const { rows, values } = running
  if (rows.length === 0) return false
  running.rows = []
  running.values = []
  emit(rows, values)
  return false
}

/** The closure that is the whole of a child; undefined for another child. */
export const closureOf = ({ first, steps }: Traversal): ClosureStep | undefined =>
  steps.length === 1 && first instanceof ClosureStep ? first : undefined

/** The body of run() of a step that runs its child for one row at a time. */
export const rowByRow = (step: Step, batch: Batch, activation: Activation, begin: (row: Batch) => void): boolean => {
  const cursor = activation.cursor(step)
  const row = cursor.row++
  begin(batch.length === 1 ? batch : slice(batch, row, row + 1))
  return cursor.row >= batch.length
}

/**
 * The one step of a child traversal that stands for a closure: `filter{...}` is filter() with such a child. If the parent asks
 * only whether the child has a result, rows for which the closure gives true have one. In flatMap() each member of the
 * closure's value is a result, and otherwise the value is.
 */
class ClosureStep extends Step {
  readonly operator = CLOSURE_OPERATOR
  readonly name = "LambdaStep"
  readonly traits = traits
  readonly #closure: ClosureSource
  readonly #argument: ClosureArgument

  constructor(closure: ClosureSource, argument: ClosureArgument) {
    super()
    this.#closure = closure
    this.#argument = argument
  }

  override get varies(): boolean {
    return true
  }

  override get callsClosure(): boolean {
    return true
  }

  override get holdsLambda(): boolean {
    return true
  }

  override require(needs: Needs): void {
    // The closure may pass its traverser on to a function, which the text of the closure does not show.
    if (this.#argument === "object") return
    needs.path = 2
    const { parent } = this.traversal
    const isFirst = parent?.callsClosureItself === true && parent.traversal.parent === null
    if (!isFirst || !this.#closure.isPure) needs.sequential = true
  }

  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, null)
  }

  override run(batch: Batch, activation: Activation): boolean {
    return this.runFor(this, batch, activation, (rows, values) =>
      activation.emitData(this, batch, rows, VALUE, values, values.length)
    )
  }

  /** Whether the parent calls {@link runFor}, which costs less than a run of the child. Otherwise this step runs for the parent's rows. */
  runsFor({ run, scout, transaction }: Activation): boolean {
    return scout === null && run.profile === null && transaction.answersLater !== true
  }

  /**
   * Calls the closure for the rows of a batch of a step: this one, or its parent, whose child is this step alone. The result is that
   * of the step's run(). `emit` gets the rows that pass, with their values.
   */
  runFor(step: Step, batch: Batch, activation: Activation, emit: Emit): boolean {
    const { run } = activation
    const running = activation.state<Running>(step, () => this.#begun(activation))
    const cursor = activation.cursor(step)
    const first = cursor.row
    for (; cursor.row < batch.length; cursor.row++) {
      if (running.call === null) {
        if (run.slice.isOver()) return given(running, emit)
        try {
          running.argument = this.#argumentOf(batch, cursor.row, activation)
          running.call = running.closure.begin([running.argument])
        } catch (error) {
          // As with rows that come one by one, an error ends nothing that the rows before it end: they go first, and the call is repeated.
          if (cursor.row === first || !this.#closure.isPure) throw error
          return given(running, emit)
        }
      }
      const progress = running.call.advance()
      if (progress !== "done") {
        running.waited = true
        openCalls(run).add(running.call)
        given(running, emit)
        if (progress !== "slice") run.waitFor(progress)
        return false
      }
      const { result } = running.call
      if (running.waited) openCalls(run).delete(running.call)
      running.waited = false
      running.call = null
      if (running.argument instanceof RowTraverser) running.argument.end()
      this.#take(running, cursor.row, result)
    }
    given(running, emit)
    return true
  }

  #begun(activation: Activation): Running {
    const closure = activation.run.closures.of(this.#closure)
    const running: Running = { closure, argument: null, call: null, waited: false, rows: [], values: [] }
    return running
  }

  #argumentOf(batch: Batch, row: number, activation: Activation): unknown {
    return this.#argument === "object"
      ? batch.value(row, activation.transaction)
      : new RowTraverser(batch, row, activation, this.#keepsObject)
  }

  /** Whether the parent drops what the closure returns, or only tests it. */
  get #keepsObject(): boolean {
    const { parent } = this.traversal
    return parent !== null && (parent.traits.children === "drained" || parent.asksWhether(this.traversal))
  }

  #take({ closure, rows, values }: Running, row: number, result: unknown): void {
    const parent = this.traversal.parent
    if (parent?.asksWhether(this.traversal) === true) {
      if (!closure.test(result)) return
      rows.push(row)
      values.push(true)
    } else if (parent?.traits.children === "given") {
      for (const member of closure.members(result)) {
        rows.push(row)
        values.push(member)
      }
    } else {
      if (result instanceof ClosureTraverser && parent?.traits.children !== "drained") {
        throw new TraversalError("The closure gives its traverser, which is valid only during the call: give it.get().")
      }
      rows.push(row)
      values.push(result ?? null)
    }
  }

  override describe(): string {
    return this.#closure.text
  }
}

/** The operator of a closure. No text of the language and no driver can name it with a closure. */
export const closureSteps: Operators = {
  closure: stepOperator(noParameters, ([closure, argument]) => {
    if (closure instanceof ClosureSource)
      return new ClosureStep(closure, argument === "object" ? "object" : "traverser")
    throw new TraversalInvalid("Could not locate method: DefaultGraphTraversal.closure()")
  })
}
