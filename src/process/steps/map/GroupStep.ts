import { runWhole, type Task } from "../../../scheduling/Task.ts"
import { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { stringArgument } from "../../language/Arguments.ts"
import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import { isClosureChild } from "../../language/ClosureChild.ts"
import { TraversalError } from "../../language/Errors.ts"
import { concatTask, flushTask, passTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup, ChildResult, Needs } from "../../plan/Activation.ts"
import { isBarrier } from "../../plan/Barriers.ts"
import { type Batch, type LoopFrame, select } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { insideLocal, type Joins, type PlanBuilder, type Step, type Traversal } from "../../plan/Step.ts"
import { accumulating, reducing, type StepTraits } from "../../plan/StepTraits.ts"
import type { Accumulator } from "../../scalars/Accumulator.ts"
import type { By, ByColumn } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { emitPart } from "./CountStep.ts"
import { ABSENT, foldValues, groupsOf, inHashOrder } from "./Groups.ts"
import { addGroups } from "./GrownGroups.ts"
import { hasEffects, mayWait } from "./LaterGroups.ts"
import { described, joinedLists, joinedMaps, mapIn } from "./MapJoin.ts"

/** Rows collected by group() with their keys, and their values if the value modulator is not a traversal. */
interface Collected {
  batches: Array<Batch>
  keys: Array<unknown>
  values: Array<unknown> | null
  /** True after the value traversal ran over some of the rows. */
  isReduced: boolean
}

const traits = reducing({ work: "collects", answersEmpty: true, children: "asked" })
const sideEffect = accumulating("asked")

/**
 * group(): collects traversers by the key of the first by() and reduces each group by the second by() (default: a
 * list). A value traversal with a barrier (fold(), count(), order()...) runs once over the rows of all groups, with
 * each group as an origin, so it reduces per group. A value traversal without a barrier gives the result of the group's
 * last traverser.
 */
class GroupStep extends ModulatedStep {
  readonly operator = "group"
  readonly name: string
  readonly traits: StepTraits
  /** The side-effect key of group('key'); null for the reducing form. */
  readonly key: string | null
  protected override readonly mostModulators = 2
  /** Key of the side effect's value before the first write of this step. */
  readonly #base = {}

  constructor(key: string | null, compiler: PlanBuilder) {
    super()
    this.key = key
    this.name = key === null ? "GroupStep" : "GroupSideEffectStep"
    this.traits = key === null ? traits : sideEffect
    if (key !== null) compiler.sideEffect(key, () => new GremlinMap())
  }

  /** As in TinkerPop, a closure is called for each traverser of a group, and the group is the list of its values. */
  protected override modulator(args: readonly unknown[], compiler: PlanBuilder): By {
    const [value] = args
    const isValueClosure = this.modulators.length === 1 && isClosureChild(value)
    return super.modulator(
      isValueClosure ? [new Bytecode([], [...value.stepInstructions, new Instruction("fold", [])])] : args,
      compiler
    )
  }

  /** A by('key') value modulator collects values and omits elements without the property. */
  override collects(at: number): boolean {
    return at === 1
  }

  override require(needs: Needs): void {
    if (this.key !== null && insideLocal(this)) needs.sequential = true
  }

  override splitsFor(child: Traversal): boolean {
    return child !== this.#value.child
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
      // Only rows that have a key need a value.
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

  /** The state: the reducing form has one for each round of the enclosing loops, group('key') one for the whole run. */
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
    return flushTask(this, group, () => this.#given(group, activation))
  }

  *#given(group: BarrierGroup, activation: Activation): Task {
    if (this.key === null) {
      const maps = yield* this.#reduced(group.cells[0] as Collected | undefined, activation)
      while (!emitPart(this, group, activation, (i) => maps[i] ?? new GremlinMap())) yield
      return
    }
    const { run } = activation
    const collected = this.#collected(activation, group.loops)
    const effect = run.sideEffects.at(this.key)
    mapIn(effect.current, this)
    const joins = this.#joins
    if (joins === null) {
      const whole = (reader: Activation): Task => this.#whole(collected, effect, reader)
      if (mayWait(this, this.key, this.#value.child, activation)) activation.completeLater(this.key, whole)
      else yield* whole(activation)
    } else {
      // Inside a child traversal, group('key') receives rows repeatedly. Only the new rows are reduced, and added to the map.
      const [later] = yield* this.#reduced(taken(collected), activation)
      if (later !== undefined) yield* addGroups(later, effect, this, joins, activation)
    }
    yield* passTask(this, group.cells as ReadonlyArray<Batch>, activation)
  }

  /** Replaces the side effect by the map of all rows received so far. */
  *#whole(collected: Collected, effect: Accumulator, activation: Activation): Task {
    const [later = new GremlinMap()] = yield* this.#reduced(this.#again(collected), activation)
    const earlier = activation.run.sharedBy<unknown>(this.#base, () => effect.share())
    const both = joinedMaps(activation.slice, this, [earlier, later], this.#refuseToJoin, new WeakSet())
    effect.replace(yield* both, true)
  }

  override joined(earlier: unknown, later: unknown, owned: WeakSet<object>): unknown {
    const joins = this.#joins ?? this.#refuseToJoin
    return runWhole(joinedMaps(new TimeSlice(), this, [earlier, later], joins, owned))
  }

  /**
   * How to join two values under one key: lists and sums are added; the result of a traversal without a barrier
   * replaces the earlier one. Null if results cannot be joined: the barrier of the traversal is not its last step, or
   * an earlier step does not work row by row.
   */
  get #joins(): Joins | null {
    if (this.#knownJoins === undefined) this.#knownJoins = joinsOf(this.#value)
    return this.#knownJoins
  }
  #knownJoins: Joins | null | undefined

  /** All rows received so far: a value traversal whose results cannot be joined runs over all of them again. */
  #again(collected: Collected): Collected {
    const { child } = this.#value
    if (collected.isReduced && child !== undefined && hasEffects(child)) {
      throw new TraversalError(
        `group('${this.key}') receives traversers repeatedly here and would run its second by() again each time, which ` +
          "changes the graph or a side effect. End the by() with a reducing step such as count(), or move the change " +
          "before group()."
      )
    }
    collected.isReduced ||= collected.batches.length > 0
    return collected
  }

  readonly #refuseToJoin = (): never => {
    throw new TraversalError(
      `group('${this.key}') finds a value under the same key in its side effect, but its second by() does not end with its only reducing ` +
        "step, so the two values cannot be joined. Use another side-effect key."
    )
  };

  /** The complete map of each origin. */
  *#reduced(collected: Collected | undefined, activation: Activation): Task<ReadonlyArray<GremlinMap>> {
    if (collected === undefined || collected.batches.length === 0) return []
    const rows = yield* concatTask(collected.batches, activation.transaction, activation.slice)
    const maps: Array<GremlinMap> = []
    const groups = yield* groupsOf(activation.slice, rows, collected.keys, this.key !== null, maps)
    // With a seed, sample() and coin() draw for the groups in the iteration order of java.util.HashMap, as in
    // TinkerPop.
    if (activation.run.seed !== null) yield* inHashOrder(groups, activation.slice)
    if (collected.values !== null) {
      yield* foldValues(rows, collected.values, groups, activation)
      return maps
    }
    const child = this.#value.child!
    const perGroup = child.steps.some(isBarrier)
    let result: ChildResult | undefined
    const take = (given: ChildResult): void => {
      result = given
    }
    if (perGroup) activation.invokeGroups(planOf(child), rows, groups.index, groups.all.length, take)
    else activation.invoke(planOf(child), rows, "first", take)
    // The child runs at this yield.
    yield
    const { found, values } = result!
    for (let i = 0; i < values.length; i++) {
      const group = perGroup ? groups.all[i]! : groups.of(i)
      if (found[i] === 1) group.map.set(group.key, values[i])
      else if (this.#value.orNull) group.map.set(group.key, null)
      if (activation.slice.isOverAfter(i + 1, group.key)) yield
    }
    return maps
  }
}

/** Removes the collected rows and returns them. */
const taken = (collected: Collected): Collected => {
  const rows = { ...collected }
  collected.batches = []
  collected.keys = []
  if (collected.values !== null) collected.values = []
  return rows
}

const joinsOf = (value: By): Joins | null => {
  if (value.single) return addLists
  const steps = value.child?.steps ?? []
  if (!steps.some(isBarrier)) return (_, later) => later
  const last = steps.at(-1)!
  if (last.joined === undefined || value.orNull || !steps.slice(0, -1).every(goesByRows)) return null
  return last.joined.bind(last)
}

/** Returns whether a step works row by row: its results for two batches are its results for both batches together. */
const goesByRows = (step: Step): boolean => {
  const { work, scout, limits } = step.traits
  const isByRow = work === "streams" || (work === "acts" && scout === "passes" && limits !== "is")
  return isByRow && step.globalChildren().every((child) => child.steps.every(goesByRows))
}

const addLists: Joins = (earlier, later, owned) => {
  if (Array.isArray(earlier) && Array.isArray(later)) return joinedLists(earlier, later, owned)
  throw new TraversalError(
    `group() adds to lists, but its side effect holds ${described(earlier)}. Use another side-effect key.`
  )
}

/** The operator group(). */
export const groupSteps: Operators = {
  group: stepOperator(
    noParameters,
    (args, compiler) =>
      new GroupStep(args.length === 0 ? null : stringArgument("group", args[0], "side-effect key"), compiler)
  )
}
