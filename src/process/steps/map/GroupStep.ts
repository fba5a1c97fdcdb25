import { runWhole, type Task } from "../../../scheduling/Task.ts"
import { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/Collections.ts"
import { stringArgument } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { concatTask, flushTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup, ChildResult, Needs } from "../../plan/Activation.ts"
import { type Batch, type LoopFrame, select, slice } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { insideLocal, type PlanBuilder } from "../../plan/Step.ts"
import { holding, reducing, type StepTraits } from "../../plan/StepTraits.ts"
import { isBarrier } from "../../plan/Traits.ts"
import type { By, ByColumn } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { emitReduced } from "./CountStep.ts"
import { ABSENT, foldValues, inHashOrder, placesOf } from "./Groups.ts"
import { described, joinedMaps } from "./JoinedMaps.ts"

/** Rows collected by group(), with the key of each, and its value where by() gives one without a traversal. */
interface Collected {
  readonly batches: Array<Batch>
  readonly keys: Array<unknown>
  readonly values: Array<unknown> | null
  /** What a value traversal without a barrier gave for the first rows: for each whether it gave anything, and what. */
  readonly answered: Answered
}

/** As a {@link ChildResult}, to which rows are added. */
interface Answered {
  readonly found: Array<number>
  readonly values: Array<unknown>
}

const traits = reducing({ work: "collects", answersEmpty: true, children: "asked" })
const sideEffect = holding({
  work: "acts",
  scout: "passes",
  gathers: "all",
  limits: "stay",
  rank: 0,
  merging: "behind",
  children: "asked"
})

/**
 * group(): traversers under the key of the first by(), reduced by the second (a list without it). A value traversal with a
 * barrier (fold(), count(), order()...) runs once over all groups' rows with each group as an origin, so that it reduces
 * per group; one without a barrier gives the result of the group's last traverser.
 */
class GroupStep extends ModulatedStep {
  readonly operator = "group"
  readonly name: string
  readonly traits: StepTraits
  /** Of group('key'): the side effect; null for the reducing form. */
  readonly key: string | null
  protected override readonly mostModulators = 2
  /** Names what the side effect held before this step first wrote to it. */
  readonly #base = {}

  constructor(key: string | null, compiler: PlanBuilder) {
    super()
    this.key = key
    this.name = key === null ? "GroupStep" : "GroupSideEffectStep"
    this.traits = key === null ? traits : sideEffect
    if (key !== null) compiler.sideEffect(key, () => new GremlinMap())
  }

  /** What by('key') gives for the value is collected, and elements without it are left out. */
  override collects(at: number): boolean {
    return at === 1
  }

  override require(needs: Needs): void {
    if (this.key !== null && insideLocal(this)) needs.sequential = true
  }

  get #value(): By {
    return this.by(1)
  }

  override run(batch: Batch, activation: Activation): undefined {
    const value = this.#value
    this.by(0).evaluate(batch, activation, ({ found, values: keys }) => {
      if (this.key !== null) activation.group(this, batch.loops).cells.push(batch)
      const rows = Array.from({ length: batch.length }, (_, row) => row).filter(
        (row) => found === null || found[row] === 1
      )
      if (rows.length === 0) return
      // A value is asked only of what has a key.
      const kept = found === null ? batch : select(batch, rows, rows.length)
      const keysOfRows = found === null ? keys : rows.map((row) => keys[row])
      if (value.single) {
        value.evaluate(kept, activation, (column) => this.#collect(kept, keysOfRows, column, activation))
      } else this.#collect(kept, keysOfRows, null, activation)
    })
  }

  #collect(batch: Batch, keys: ReadonlyArray<unknown>, values: ByColumn | null, activation: Activation): void {
    const collected = this.#collected(activation, batch.loops)
    collected.batches.push(batch)
    for (let row = 0; row < batch.length; row++) {
      collected.keys.push(keys[row])
      collected.values?.push(values!.found === null || values!.found[row] === 1 ? values!.values[row] : ABSENT)
    }
    activation.run.hold(batch.length * 48)
  }

  /** The reducing form collects per round of its loops; group('key') over the whole run. */
  #collected(activation: Activation, loops: LoopFrame | null): Collected {
    const make = (): Collected => ({
      batches: [],
      keys: [],
      values: this.#value.single ? [] : null,
      answered: { found: [], values: [] }
    })
    if (this.key !== null) return activation.run.shared(this, make)
    const { cells } = activation.group(this, loops)
    cells[0] ??= make()
    return cells[0] as Collected
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, activation, () => this.#given(group, activation))
  }

  *#given(group: BarrierGroup, activation: Activation): Task {
    if (this.key === null) {
      const maps = yield* this.#reduced(group.cells[0] as Collected | undefined, activation)
      const all = Array.from({ length: activation.origins }, (_, i) => maps[i] ?? new GremlinMap())
      emitReduced(this, group, activation, all)
      return
    }
    const { run } = activation
    const maps = yield* this.#reduced(this.#collected(activation, group.loops), activation)
    const collected = run.sideEffects.at(this.key)
    const before = run.sharedBy<unknown>(this.#base, () => collected.share())
    const all = yield* joinedMaps(activation.slice, this, before, maps[0] ?? new GremlinMap(), this.#joinedValues)
    collected.replace(all, true)
    for (const batch of group.cells as ReadonlyArray<Batch>) activation.pass(this, batch)
  }

  override joined(earlier: unknown, later: unknown): unknown {
    return runWhole(joinedMaps(new TimeSlice(), this, earlier, later, this.#joinedValues))
  }

  /**
   * What becomes of two values under one key: lists and sums add up, values of a traversal without a barrier give way. What
   * a traversal gave that goes on behind its barrier cannot be joined: the rows that its barrier took are gone.
   */
  get #joinedValues(): (earlier: unknown, later: unknown) => unknown {
    const value = this.#value
    if (value.single) return addLists
    const steps = value.child?.steps ?? []
    const barrier = steps.findIndex(isBarrier)
    if (barrier === -1) return (_, later) => later
    const { joined } = steps[barrier]!
    if (barrier < steps.length - 1 || joined === undefined) return this.#refuseToJoin
    return joined.bind(steps[barrier])
  }

  readonly #refuseToJoin = (): never => {
    throw new TraversalError(
      `group('${this.key}') finds a value under the same key in its side effect, and its second by() is no single reducing ` +
        "step at the end, so that the values cannot be added up. Give it a side effect of its own."
    )
  };

  /** The finished map of each origin. */
  *#reduced(collected: Collected | undefined, activation: Activation): Task<ReadonlyArray<GremlinMap>> {
    if (collected === undefined || collected.batches.length === 0) return []
    const rows = yield* concatTask(collected.batches, activation.transaction, activation.slice)
    const maps: Array<GremlinMap> = []
    const places = yield* placesOf(activation.slice, rows, collected.keys, this.key !== null, maps)
    // With a seed, draws (sample(), coin()) go through the groups in the order of java.util.HashMap, as elsewhere.
    if (activation.run.seed !== null) inHashOrder(places)
    if (collected.values !== null) {
      yield* foldValues(rows, collected.values, places, activation)
      return maps
    }
    const child = this.#value.child!
    const perGroup = child.steps.some(isBarrier)
    let result: ChildResult | undefined
    const take = (given: ChildResult): void => {
      result = given
    }
    // Inside a child group('key') is given rows again and again: each is asked for its value once.
    const { answered } = collected
    if (perGroup) activation.invokeGroups(planOf(child), rows, places.index, places.all.length, take)
    else activation.invoke(planOf(child), slice(rows, answered.values.length, rows.length), "first", take)
    // The child runs before this goes on.
    yield
    if (!perGroup) append(answered, result!)
    const { found, values } = perGroup ? result! : answered
    for (let i = 0; i < values.length; i++) {
      const place = perGroup ? places.all[i]! : places.of(i)
      if (found[i] === 1) place.map.set(place.key, values[i])
      else if (this.#value.orNull) place.map.set(place.key, null)
      if (activation.slice.isOverAfter(i + 1, place.key)) yield
    }
    return maps
  }
}

/** Adds the values that more rows were given. */
const append = (answered: Answered, { found, values }: ChildResult): void => {
  for (let row = 0; row < found.length; row++) {
    answered.found.push(found[row]!)
    answered.values.push(values[row])
  }
}

const addLists = (earlier: unknown, later: unknown): unknown => {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later]
  throw new TraversalError(
    `group() adds to lists, but its side effect holds ${described(earlier)}. Give it a side effect of its own.`
  )
}

export const groupSteps: Operators = {
  group: stepOperator(
    noParameters,
    (args, compiler) =>
      new GroupStep(args.length === 0 ? null : stringArgument("group", args[0], "side-effect key"), compiler)
  )
}
