import { keyText } from "../../../structure/collections/Equivalence.ts"
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
import { checkRoom } from "../../scalars/Items.ts"
import { argumentChildren, replaceArgument } from "../shared/StepArgument.ts"
import { CallParameters, type ParameterColumn } from "./CallParameters.ts"
import { emitReduced } from "./CountStep.ts"
import { ServiceResultIterator } from "./ServiceResultIterator.ts"

/** Maximum number of results emitted in one batch. */
const RESULTS_PER_BATCH = 256

/** The state of a call for the current batch, or for the rows of a flush. */
interface CallState {
  /** Null until the arguments are evaluated. */
  parameters: ParameterColumn | null
  /** The results of the service for the current row; null before the call. */
  results: ServiceResultIterator | null
}

const traits = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: false,
  merging: "none",
  children: "asked",
  access: "services"
})

/**
 * call(): the results of a service, called once at the start of a traversal, once per traverser, or once for all
 * traversers.
 */
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
    const state = this.#state(activation)
    // The batch before may have ended without a call, because its last rows were not wanted.
    if (!activation.isBegun(this)) state.parameters = null
    // From here on the batch must not change: the cursor holds the position in its rows.
    cursor.offset = 1
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

  override stopped(activation: Activation): void {
    const state = this.#state(activation)
    const { results } = state
    state.parameters = null
    state.results = null
    results?.close()
  }

  /** A limit of a child may have enough of the current row: local(call(name).limit(1)). */
  override leave(activation: Activation): void {
    const state = this.#state(activation)
    state.results?.close()
    state.results = null
  }

  #state(activation: Activation): CallState {
    return activation.state<CallState>(this, () => ({ parameters: null, results: null }))
  }

  #evaluate(batch: Batch, activation: Activation, state: CallState): void {
    this.#parameters.evaluate(batch, activation, (parameters) => {
      state.parameters = parameters
    })
  }

  /** Returns true when all data that the service reads for the batch is fetched. */
  #fetched(service: Service, batch: Batch, parameters: ParameterColumn, { run, transaction }: Activation): boolean {
    if (!transaction.answersLater || this.#isStart) return true
    const values = Array.from({ length: batch.length }, (_, row) => batch.value(row, transaction))
    if (service.reads === undefined) return run.fetched(valueReads(values, transaction))
    const reads = this.#parameters.varies
      ? values.flatMap((value, row) => service.reads!([value], { parameters: parameters(row), transaction }))
      : service.reads(values, { parameters: parameters(0), transaction })
    return run.fetched(reads)
  }

  /** Pulls results for the rows from the cursor on, until one batch is full. */
  #answer(service: Service, batch: Batch, parameters: ParameterColumn, state: CallState, activation: Activation): void {
    const { run, transaction } = activation
    const cursor = activation.cursor(this)
    const values: Array<unknown> = []
    const rows: Array<number> = []
    while (cursor.row < batch.length && values.length < RESULTS_PER_BATCH) {
      const { row } = cursor
      if (state.results === null) {
        const call = { parameters: parameters(row), transaction }
        const answer = this.#isStart ? service.start!(call) : service.each!(batch.value(row, transaction), call)
        state.results = new ServiceResultIterator(service.name, answer, run)
      }
      const pulled = state.results.pull(values, RESULTS_PER_BATCH)
      while (rows.length < values.length) rows.push(row)
      if (pulled !== "done") break
      state.results = null
      cursor.row++
    }
    activation.emitData(this, batch, rows, VALUE, values, values.length)
  }

  /** The service. It may keep a reference to its input. */
  #service(activation: Activation): Service {
    activation.run.sideEffects.settle()
    const service = serviceOf(activation.run.environment.services, this.service)
    if (this.#isStart && service.start === undefined) {
      throw new TraversalInvalid(
        `The service ${service.name} cannot start a traversal: it needs incoming traversers, as in g.V().call('${service.name}')`
      )
    }
    if (!this.#isStart && service.each === undefined && service.all === undefined) {
      throw new TraversalInvalid(
        `The service ${service.name} can only start a traversal, as in g.call('${service.name}'), but call() follows another step`
      )
    }
    return service
  }

  /** Calls a barrier service: once for each row of the parent's batch, with all rows that descend from it. */
  override flush(group: BarrierGroup, activation: Activation): boolean {
    const origin = group.cursor
    if (origin >= group.cells.length) return true
    const { run, transaction } = activation
    const values = (group.cells[origin] ?? []) as ReadonlyArray<unknown>
    const state = this.#state(activation)
    if (values.length === 0) group.cursor++
    else if (state.parameters === null) this.#evaluateOnce(values, activation, state)
    else if (state.results === null) {
      if (!run.fetched(valueReads(values, transaction))) return false
      const service = this.#service(activation)
      const answer = service.all!(values, { parameters: state.parameters(0), transaction })
      state.results = new ServiceResultIterator(service.name, answer, run)
    } else {
      const results: Array<unknown> = []
      const done = state.results.pull(results, RESULTS_PER_BATCH) === "done"
      emitReduced(this, group, activation, results, new Array<number>(results.length).fill(origin))
      if (done) {
        state.parameters = null
        state.results = null
        group.cursor++
      }
    }
    return false
  }

  /** Evaluates parameters that must be equal for all values. */
  #evaluateOnce(values: ReadonlyArray<unknown>, activation: Activation, state: CallState): void {
    this.#parameters.evaluate(new Batch(VALUE, values, values.length), activation, (parameters) => {
      const first = this.#parameters.varies ? keyText(parameters(0)) : ""
      for (let row = 1; row < values.length && this.#parameters.varies; row++) {
        if (keyText(parameters(row)) === first) continue
        throw new TraversalError(
          `The service ${this.service} is called once for all traversers: its parameters must be equal for all of them`
        )
      }
      state.parameters = parameters
    })
  }

  override describe(): string {
    return this.service ?? ""
  }
}

/** Collects the objects of the rows by their row of the parent's batch. An object is repeated by its bulk. */
const collect = (batch: Batch, { run, transaction }: Activation, { cells }: BarrierGroup): void => {
  for (let row = 0; row < batch.length; row++) {
    const values = (cells[batch.originOf(row)] ??= []) as Array<unknown>
    const value = batch.value(row, transaction)
    for (let times = batch.bulkOf(row); times > 0; times--) {
      checkRoom(values)
      values.push(value)
    }
    run.hold(48 * batch.bulkOf(row))
  }
}

/** The operator call(). */
export const callSteps: Operators = {
  call: {
    parameters: afterFirst,
    withParameters: afterFirst,
    sharesPlan: true,
    build: (args, compiler, traversal) =>
      new CallStep(args, compiler.root === traversal && traversal.steps.length === 0, compiler)
  }
}
