import { keyText } from "../../../structure/Equivalence.ts"
import { serviceOf } from "../../calls/Registry.ts"
import { stringArgument } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import type { Service } from "../../language/Service.ts"
import { valueReads } from "../../machine/Reads.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { Batch, VALUE } from "../../plan/Batch.ts"
import { afterFirst, type Operators } from "../../plan/Operator.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { acting } from "../../plan/StepTraits.ts"
import { argumentChildren, replaceArgument } from "../shared/StepArgument.ts"
import { Answering } from "./Answering.ts"
import { CallParameters, type ParameterColumn } from "./CallParameters.ts"
import { emitReduced } from "./CountStep.ts"

/** Results of one batch. */
const PIECE = 256

/** What a call remembers about the batch at hand, or about the rows that are flushed. */
interface CallState {
  /** Null until the arguments are there. */
  parameters: ParameterColumn | null
  /** What the service gives for the row at hand; null before it is called. */
  answering: Answering | null
}

const traits = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: false,
  merging: "none",
  children: "asked",
  access: "services"
})

/** call(): the results of a service, at the start of a traversal, for each traverser, or for all of them at once. */
class CallStep extends Step {
  readonly operator = "call"
  readonly name = "CallStep"
  readonly traits = traits
  readonly service: string | null
  readonly #isStart: boolean
  readonly #parameters: CallParameters

  constructor(args: readonly unknown[], isStart: boolean, compiler: PlanBuilder) {
    super()
    const [service, ...parameters] = args
    this.service = service === undefined || service === null ? null : stringArgument("call", service, "service")
    this.#isStart = isStart
    this.#parameters = new CallParameters(parameters, this, compiler)
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "with") this.#parameters.with(args)
    else super.modulate(operator, args, compiler)
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return argumentChildren(this.#parameters.arguments)
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    replaceArgument(this.#parameters.arguments, from, to)
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    const service = this.#service(activation)
    if (!this.#isStart && service.each === undefined) {
      collect(batch, activation, activation.group(this, batch.loops))
      return true
    }
    const cursor = activation.cursor(this)
    // From here on the batch stays as it is: its rows are counted by the cursor.
    cursor.offset = 1
    const state = this.#state(activation)
    const { parameters } = state
    if (parameters === null) {
      this.#evaluate(batch, activation, state)
      return false
    }
    if (!this.#fetched(service, batch, parameters, activation)) return false
    this.#answer(service, batch, parameters, state, activation)
    if (cursor.row < batch.length) return false
    state.parameters = null
    return true
  }

  #state(activation: Activation): CallState {
    return activation.state<CallState>(this, () => ({ parameters: null, answering: null }))
  }

  #evaluate(batch: Batch, activation: Activation, state: CallState): void {
    this.#parameters.evaluate(batch, activation, (parameters) => {
      state.parameters = parameters
    })
  }

  /** True when everything is here that the service reads of the batch. */
  #fetched(service: Service, batch: Batch, parameters: ParameterColumn, { run, transaction }: Activation): boolean {
    if (!transaction.answersLater || this.#isStart) return true
    const values = Array.from({ length: batch.length }, (_, row) => batch.value(row, transaction))
    if (service.reads === undefined) return run.fetched(valueReads(values, transaction))
    const reads = this.#parameters.varies
      ? values.flatMap((value, row) => service.reads!([value], { parameters: parameters(row), transaction }))
      : service.reads(values, { parameters: parameters(0), transaction })
    return run.fetched(reads)
  }

  /** Takes results of the rows from the cursor's on, until there are enough for a batch. */
  #answer(service: Service, batch: Batch, parameters: ParameterColumn, state: CallState, activation: Activation): void {
    const { run, transaction } = activation
    const cursor = activation.cursor(this)
    const values: Array<unknown> = []
    const rows: Array<number> = []
    while (cursor.row < batch.length && values.length < PIECE) {
      const { row } = cursor
      if (state.answering === null) {
        const call = { parameters: parameters(row), transaction }
        const answer = this.#isStart ? service.start!(call) : service.each!(batch.value(row, transaction), call)
        state.answering = new Answering(answer)
      }
      const pulled = state.answering.pull(values, PIECE, run)
      while (rows.length < values.length) rows.push(row)
      if (pulled !== "done") break
      state.answering = null
      cursor.row++
    }
    activation.emitData(this, batch, rows, VALUE, values, values.length)
  }

  /** The service, which may keep what it is given from here on. */
  #service(activation: Activation): Service {
    activation.run.sideEffects.settle()
    const service = serviceOf(activation.run.environment.services, this.service)
    if (this.#isStart && service.start === undefined) {
      throw new TraversalInvalid(
        `The service ${service.name} cannot start a traversal: it works on what comes to it, as in g.V().call('${service.name}')`
      )
    }
    if (!this.#isStart && service.each === undefined && service.all === undefined) {
      throw new TraversalInvalid(
        `The service ${service.name} can only start a traversal, as in g.call('${service.name}'); here a step stands before it`
      )
    }
    return service
  }

  /** Calls a service that takes all rows at once: for each row of the parent's batch with the rows that came from it. */
  override flush(group: BarrierGroup, activation: Activation): boolean {
    const origin = group.cursor
    if (origin >= group.cells.length) return true
    const { run, transaction } = activation
    const values = (group.cells[origin] ?? []) as ReadonlyArray<unknown>
    const state = this.#state(activation)
    if (values.length === 0) group.cursor++
    else if (state.parameters === null) this.#evaluateOnce(values, activation, state)
    else if (state.answering === null) {
      if (!run.fetched(valueReads(values, transaction))) return false
      state.answering = new Answering(
        this.#service(activation).all!(values, { parameters: state.parameters(0), transaction })
      )
    } else {
      const results: Array<unknown> = []
      const done = state.answering.pull(results, PIECE, run) === "done"
      emitReduced(this, group, activation, results, new Array<number>(results.length).fill(origin))
      if (done) {
        state.parameters = null
        state.answering = null
        group.cursor++
      }
    }
    return false
  }

  /** Evaluates parameters for all values together: they must be the same for each. */
  #evaluateOnce(values: ReadonlyArray<unknown>, activation: Activation, state: CallState): void {
    this.#parameters.evaluate(new Batch(VALUE, values, values.length), activation, (parameters) => {
      const first = this.#parameters.varies ? keyText(parameters(0)) : ""
      for (let row = 1; row < values.length && this.#parameters.varies; row++) {
        if (keyText(parameters(row)) === first) continue
        throw new TraversalError(
          `The service ${this.service} takes all traversers at once: its parameters must be the same for all of them`
        )
      }
      state.parameters = parameters
    })
  }

  override describe(): string {
    return this.service ?? ""
  }
}

/** Keeps the objects of the rows, each as often as it occurs, by the row of the parent's batch. */
const collect = (batch: Batch, { run, transaction }: Activation, { cells }: BarrierGroup): void => {
  for (let row = 0; row < batch.length; row++) {
    const values = (cells[batch.originOf(row)] ??= []) as Array<unknown>
    const value = batch.value(row, transaction)
    for (let times = batch.bulkOf(row); times > 0; times--) values.push(value)
    run.hold(48 * batch.bulkOf(row))
  }
}

export const callSteps: Operators = {
  call: {
    parameters: afterFirst,
    withParameters: afterFirst,
    sharesPlan: true,
    build: (args, compiler, traversal) =>
      new CallStep(args, compiler.root === traversal && traversal.steps.length === 0, compiler)
  }
}
