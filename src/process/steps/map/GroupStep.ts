import { runWhole, type Task } from "../../../scheduling/Task.ts"
import { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/Collections.ts"
import { stringArgument } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { concatTask, flushTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup, ChildResult, Needs } from "../../plan/Activation.ts"
import { type Batch, type LoopFrame, select } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { insideLocal, type PlanBuilder, type Step, type Traversal } from "../../plan/Step.ts"
import { accumulating, reducing, type StepTraits } from "../../plan/StepTraits.ts"
import { isBarrier } from "../../plan/Traits.ts"
import type { By, ByColumn } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { emitReduced } from "./CountStep.ts"
import { ABSENT, foldValues, inHashOrder, placesOf } from "./Groups.ts"
import { described, joinedMaps } from "./JoinedMaps.ts"

/** Rows collected by group(), with the key of each, and its value where by() gives one without a traversal. */
interface Collected {
  batches: Array<Batch>
  keys: Array<unknown>
  values: Array<unknown> | null
  /** True when the value traversal has run over some of the rows. */
  isReduced: boolean
}

const traits = reducing({ work: "collects", answersEmpty: true, children: "asked" })
const sideEffect = accumulating("asked")

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
      isReduced: false
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
    const collected = this.#collected(activation, group.loops)
    const effect = run.sideEffects.at(this.key)
    const joins = this.#joins
    const earlier = joins === null ? run.sharedBy<unknown>(this.#base, () => effect.share()) : effect.share()
    // Inside a child group('key') is given rows again and again. Values that add up are those of the new rows alone.
    const rows = joins === null ? this.#again(collected) : taken(collected)
    const maps = yield* this.#reduced(rows, activation)
    const later = maps[0] ?? new GremlinMap()
    effect.replace(yield* joinedMaps(activation.slice, this, earlier, later, joins ?? this.#refuseToJoin), true)
    for (const batch of group.cells as ReadonlyArray<Batch>) activation.pass(this, batch)
  }

  override joined(earlier: unknown, later: unknown): unknown {
    return runWhole(joinedMaps(new TimeSlice(), this, earlier, later, this.#joins ?? this.#refuseToJoin))
  }

  /**
   * What becomes of two values under one key: lists and sums add up, values of a traversal without a barrier give way. Null
   * for a traversal whose barrier is not its last step, or that does not go row by row up to it: its results do not add up.
   */
  get #joins(): Joins | null {
    if (this.#knownJoins === undefined) this.#knownJoins = joinsOf(this.#value)
    return this.#knownJoins
  }
  #knownJoins: Joins | null | undefined

  /** All rows that came so far, over which a value traversal runs whose results do not add up. */
  #again(collected: Collected): Collected {
    const { child } = this.#value
    if (collected.isReduced && child !== undefined && hasEffects(child)) {
      throw new TraversalError(
        `group('${this.key}') is given traversers again and again here, and would run its second by() anew each time, which ` +
          "changes the graph or a side effect. Let the by() end in a reducing step such as count(), or move what it changes " +
          "in front of the group()."
      )
    }
    collected.isReduced ||= collected.batches.length > 0
    return collected
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
    if (perGroup) activation.invokeGroups(planOf(child), rows, places.index, places.all.length, take)
    else activation.invoke(planOf(child), rows, "first", take)
    // The child runs before this goes on.
    yield
    const { found, values } = result!
    for (let i = 0; i < values.length; i++) {
      const place = perGroup ? places.all[i]! : places.of(i)
      if (found[i] === 1) place.map.set(place.key, values[i])
      else if (this.#value.orNull) place.map.set(place.key, null)
      if (activation.slice.isOverAfter(i + 1, place.key)) yield
    }
    return maps
  }
}

/** The rows that were collected, which are taken away. */
const taken = (collected: Collected): Collected => {
  const rows = { ...collected }
  collected.batches = []
  collected.keys = []
  if (collected.values !== null) collected.values = []
  return rows
}

/** Whether a traversal changes the graph or a side effect. */
const hasEffects = (traversal: Traversal): boolean => {
  let has = false
  traversal.visit(({ traits }) => (has ||= traits.access === "writes" || traits.work === "acts"))
  return has
}

/** One value of two under one key. */
type Joins = (earlier: unknown, later: unknown) => unknown

const joinsOf = (value: By): Joins | null => {
  if (value.single) return addLists
  const steps = value.child?.steps ?? []
  if (!steps.some(isBarrier)) return (_, later) => later
  const last = steps.at(-1)!
  if (last.joined === undefined || value.orNull || !steps.slice(0, -1).every(goesByRows)) return null
  return last.joined.bind(last)
}

/** Whether what a step gives for some rows, and then for others, is what it gives for all of them. */
const goesByRows = (step: Step): boolean => {
  const { work, scout, limits } = step.traits
  const isByRow = work === "streams" || (work === "acts" && scout === "passes" && limits !== "is")
  return isByRow && step.globalChildren().every((child) => child.steps.every(goesByRows))
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
