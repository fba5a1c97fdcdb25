import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { exactBulk } from "../../../structure/numbers/Bulks.ts"
import { type EnumValue, Operator } from "../../../structure/scalars/Enums.ts"
import { isEnum, stringArgument, stringArguments } from "../../language/Arguments.ts"
import type { Closure } from "../../language/Closure.ts"
import { TraversalError } from "../../language/Errors.ts"
import { flushTask, passTask, runTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup, Needs } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { everyArgument, noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import type { Run } from "../../plan/Run.ts"
import { insideLocal, type PlanBuilder, Step } from "../../plan/Step.ts"
import { acting, holding, reducing, type StepTraits } from "../../plan/StepTraits.ts"
import type { Accumulator } from "../../scalars/Accumulator.ts"
import { checkRoom } from "../../scalars/Items.ts"
import { emitPart } from "../map/CountStep.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { InjectStep } from "./InjectStep.ts"
import { sackOperator } from "./SackStep.ts"

const aggregating = holding({
  work: "acts",
  scout: "passes",
  gathers: "all",
  limits: "stay",
  rank: 0,
  merging: "before",
  children: "asked"
})
const storing = acting({
  scout: "passes",
  limits: "stay",
  keepsObject: true,
  merging: "none",
  children: "asked",
  access: "reads"
})

/**
 * aggregate(key): adds all traversers to the side effect, then passes them. store(key) of older drivers and
 * local(aggregate(key)) add each traverser when it arrives.
 */
class AggregateStep extends ModulatedStep {
  readonly operator: "aggregate" | "store"
  readonly name: string
  readonly traits: StepTraits
  readonly key: string
  protected override readonly mostModulators = 1

  constructor(operator: "aggregate" | "store", key: string, compiler: PlanBuilder) {
    super()
    this.operator = operator
    this.name = operator === "aggregate" ? "AggregateGlobalStep" : "AggregateLocalStep"
    this.traits = operator === "aggregate" ? aggregating : storing
    this.key = key
    compiler.sideEffect(key, () => new BulkSet())
  }

  override require(needs: Needs): void {
    if (this.operator === "store" || insideLocal(this)) needs.sequential = true
  }
  override run(batch: Batch, activation: Activation): boolean {
    if (this.operator === "store") return runTask(this, batch, activation, () => this.#stored(batch, activation))
    this.#evaluate(batch, activation, (taken) => activation.group(this, batch.loops).cells.push(taken))
    return true
  }

  #evaluate(batch: Batch, activation: Activation, done: (taken: Taken) => void): void {
    this.by(0).evaluate(batch, activation, ({ values, found }) => {
      activation.run.hold(batch.length * 48)
      done({ batch, values, found })
    })
  }

  *#stored(batch: Batch, activation: Activation): Task {
    let taken: Taken | undefined
    this.#evaluate(batch, activation, (evaluated) => {
      taken = evaluated
    })
    // The child runs at this yield.
    if (taken === undefined) yield
    yield* this.#put([taken!], activation)
    activation.pass(this, batch)
  }

  /** Until all traversers have arrived, steps before this one do not see the collected values. */
  override flush(group: BarrierGroup, activation: Activation): boolean {
    const all = group.cells as ReadonlyArray<Taken>
    if (all.length === 0) return true
    return flushTask(this, group, () => this.#given(all, activation))
  }

  *#given(all: ReadonlyArray<Taken>, activation: Activation): Task {
    yield* this.#put(all, activation)
    const batches = all.map(({ batch }) => batch)
    yield* passTask(this, batches, activation)
  }

  *#put(all: ReadonlyArray<Taken>, activation: Activation): Task {
    const { sideEffects } = activation.run
    const collected = sideEffects.at(this.key)
    const operator = sideEffects.operator(this.key)
    // With Operator.assign, the traversers of this barrier replace the value of the side effect.
    const assigns = this.operator === "aggregate" && operator === Operator.assign
    if (assigns) collected.replace(new BulkSet(), true)
    let put = 0
    for (const { batch, values, found } of all) {
      for (let i = 0; i < batch.length; i++) {
        if (found !== null && found[i] === 0) continue
        sideEffects.takes(values[i])
        if (assigns || operator === null || operator === Operator.addAll) {
          yield* addToCollection(this.key, values[i], batch.bulkOf(i), activation)
        } else yield* applyToValue(collected, operator, values[i], { bulk: batch.bulkOf(i), slice: activation.slice })
        if (activation.slice.isOverAfter(++put)) yield
      }
    }
    // As in TinkerPop, traversers without a value for the side effect add an empty collection to it. The map of group('x') takes it.
    const { current } = collected
    const takesNothing = current instanceof GremlinMap && sideEffects.isOfStep(this.key)
    const isCollection = current instanceof BulkSet || current instanceof GremlinSet || Array.isArray(current)
    if (put > 0 || isCollection || takesNothing) return
    if (operator === null || operator === Operator.addAll) throw notCollection(this.key)
  }

  override describe(): string {
    return this.key
  }
}

/** The traversers that wait for the end of the barrier, and their values for the side effect. */
interface Taken {
  readonly batch: Batch
  readonly values: ReadonlyArray<unknown>
  readonly found: Uint8Array | null
}

/** Merges a value into a side effect once for each unit of its bulk. */
function* applyToValue(
  collected: Accumulator,
  operator: EnumValue | Closure,
  value: unknown,
  { bulk, slice }: { readonly bulk: number; readonly slice: TimeSlice }
): Task {
  for (let i = 0; i < bulk; i++) {
    collected.apply(operator, value)
    if (slice.isOverAfter(i + 1, value)) yield
  }
}

/** Adds a value to a list once for each unit of its bulk. */
function* addToList(collected: Accumulator, value: unknown, bulk: number, run: Run): Task {
  for (let left = bulk; left > 0; left -= CHUNK_ITEMS) {
    if (!collected.isOwned) yield* collected.own(run.slice)
    const list = collected.current as Array<unknown>
    for (let i = Math.min(left, CHUNK_ITEMS); i > 0; i--) list.push(value)
    if (left < CHUNK_ITEMS) return
    checkRoom(list)
    run.hold(CHUNK_ITEMS * 32)
    yield
  }
}

/** Adds to a side effect that is a collection. */
function* addToCollection(key: string, value: unknown, bulk: number, { run }: Activation): Task {
  const collected = run.sideEffects.at(key)
  if (!collected.isOwned) yield* collected.own(run.slice)
  const { current } = collected
  if (current instanceof BulkSet) {
    exactBulk(current.size + bulk)
    current.add(value, bulk)
  } else if (current instanceof GremlinSet) current.add(value)
  else if (Array.isArray(current)) yield* addToList(collected, value, bulk, run)
  else if (current instanceof GremlinMap && value instanceof GremlinMap) for (const [k, v] of value) current.set(k, v)
  else throw notCollection(key)
}

const notCollection = (key: string): TraversalError =>
  new TraversalError(`The side effect ${key} is not a collection: aggregate() cannot add to it`)

/** It completes side effects, which a scout must not do, and has no other effect. */
const capping: StepTraits = {
  ...reducing({ work: "ordered", answersEmpty: true, children: "none" }),
  scout: "stops"
}

/**
 * cap(key...): runs the traversal to its end and emits the side effects: one key gives its value, several keys give a
 * map, without the keys that name no side effect.
 */
class CapStep extends Step {
  readonly operator = "cap"
  readonly name = "SideEffectCapStep"
  readonly traits = capping
  readonly keys: readonly string[]
  constructor(keys: readonly string[]) {
    super()
    this.keys = keys
  }
  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    activation.group(this, batch.loops)
  }
  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => this.#capped(group, activation))
  }

  *#capped(group: BarrierGroup, activation: Activation): Task {
    const { sideEffects } = activation.run
    const values: Array<readonly [string, unknown]> = []
    const keys = this.keys.length === 1 ? this.keys : this.keys.filter((key) => sideEffects.has(key))
    for (const key of keys) {
      yield* activation.completed(key)
      values.push([key, yield* sideEffects.readTask(key)])
    }
    const value = this.keys.length === 1 ? values[0]![1] : new GremlinMap(values)
    while (!emitPart(this, group, activation, () => value)) yield
  }
  override describe(): string {
    return `[${this.keys.join(", ")}]`
  }
}

/** The operators aggregate(), store(), cap(), inject() and sack(). */
export const sideEffectSteps: Operators = {
  aggregate: stepOperator(noParameters, (args, compiler) => {
    if (isEnum(args[0], "Scope")) {
      // aggregate(Scope, key) of drivers before 3.8: Scope.local means store().
      return new AggregateStep(
        args[0].name === "local" ? "store" : "aggregate",
        stringArgument("aggregate", args[1], "side-effect key"),
        compiler
      )
    }
    return new AggregateStep("aggregate", stringArgument("aggregate", args[0], "side-effect key"), compiler)
  }),
  store: stepOperator(
    noParameters,
    (args, compiler) => new AggregateStep("store", stringArgument("store", args[0], "side-effect key"), compiler)
  ),
  cap: stepOperator(noParameters, (args) => new CapStep(stringArguments("cap", args, "side-effect key"))),
  inject: stepOperator(everyArgument, (args) => new InjectStep(args)),
  sack: sackOperator
}
