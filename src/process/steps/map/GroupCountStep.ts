import { runWhole, type Task } from "../../../scheduling/Task.ts"
import { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { exactBulk, longCount, type Tally, tally } from "../../../structure/numbers/Bulks.ts"
import { T } from "../../../structure/scalars/Enums.ts"
import { stringArgument } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { flushTask, passTask, runTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup, Needs } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { insideLocal, type PlanBuilder } from "../../plan/Step.ts"
import { accumulating, reducing } from "../../plan/StepTraits.ts"
import type { By, ByColumn } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { emitPart } from "./CountStep.ts"
import { described, joinedMaps, mapIn } from "./MapJoin.ts"

const traits = reducing({ work: "tallies", answersEmpty: true, children: "asked" })

/** groupCount(): the number of traversers for each key, as Longs. */
export class GroupCountStep extends ModulatedStep {
  readonly operator = "groupCount"
  readonly name = "GroupCountStep"
  readonly traits = traits
  protected override readonly mostModulators = 1

  /** True for by(label). */
  get isByLabel(): boolean {
    const { function: by } = this.by(0)
    return by.kind === "token" && by.token === T.label
  }

  /** Counts labels instead of elements. */
  countLabels(): void {
    this.modulators = []
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#counted(batch, activation))
  }

  *#counted(batch: Batch, activation: Activation): Task {
    const { found, values } = yield* columnTask(this.by(0), batch, activation)
    const cells = activation.group(this, batch.loops).cells as Array<GremlinMap | undefined>
    for (let i = 0; i < batch.length; i++) {
      if (found !== null && found[i] === 0) continue
      countInto((cells[batch.originOf(i)] ??= new GremlinMap()), values[i], batch.bulkOf(i))
      if (activation.slice.isOverAfter(i + 1, values[i])) yield
    }
    activation.run.hold(batch.length * 8)
  }

  override joined(earlier: unknown, later: unknown, owned: WeakSet<object>): unknown {
    return runWhole(joinedMaps(new TimeSlice(), this, [earlier, later], addCounts, owned))
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => this.#given(group, activation))
  }

  *#given(group: BarrierGroup, activation: Activation): Task {
    const cells = group.cells as Array<GremlinMap | undefined>
    for (let i = 0; i < activation.origins; i++) {
      const counts = cells[i]
      if (counts !== undefined) yield* asLongs(activation.slice, counts)
      if (activation.slice.isOverAfter(i + 1)) yield
    }
    while (!emitPart(this, group, activation, (i) => cells[i] ?? new GremlinMap())) yield
  }
}

/** Evaluates a modulator over a batch. The child runs at the yield. */
function* columnTask(by: By, batch: Batch, activation: Activation): Task<ByColumn> {
  let column: ByColumn | undefined
  by.evaluate(batch, activation, (evaluated) => {
    column = evaluated
  })
  if (column === undefined) yield
  return column!
}

const countInto = (counts: GremlinMap, key: unknown, bulk: number): void => {
  counts.set(key, tally(counts.get(key) as Tally | undefined, bulk))
}

/** Converts the counts to Longs in place: no other code holds a reference to the map yet. */
function* asLongs(slice: TimeSlice, counts: GremlinMap): Task {
  let seen = 0
  for (const [key, count] of counts) {
    counts.set(key, BigInt(count as Tally))
    if (slice.isOverAfter(++seen)) yield
  }
}

const sideEffect = accumulating("asked")

/** groupCount('key'): counts into a side effect; traversers pass through. */
class GroupCountSideEffectStep extends ModulatedStep {
  readonly operator = "groupCount"
  readonly name = "GroupCountSideEffectStep"
  readonly traits = sideEffect
  readonly key: string
  protected override readonly mostModulators = 1
  constructor(key: string, compiler: PlanBuilder) {
    super()
    this.key = key
    compiler.sideEffect(key, () => new GremlinMap())
  }
  override require(needs: Needs): void {
    if (insideLocal(this)) needs.sequential = true
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#counted(batch, activation))
  }

  *#counted(batch: Batch, activation: Activation): Task {
    const { found, values } = yield* columnTask(this.by(0), batch, activation)
    const { sideEffects } = activation.run
    const collected = sideEffects.at(this.key)
    for (let i = 0; i < batch.length; i++) {
      if (found !== null && found[i] === 0) continue
      sideEffects.takes(values[i])
      if (!collected.isOwned) yield* collected.own(activation.slice)
      const counts = mapIn(collected.current, this)
      const count = BigInt(exactBulk(batch.bulkOf(i)))
      counts.set(values[i], counts.has(values[i]) ? addCounts(counts.get(values[i]), count) : count)
      if (activation.slice.isOverAfter(i + 1, values[i])) yield
    }
    activation.run.hold(batch.length * 56)
    activation.group(this, batch.loops).cells.push(batch)
  }

  /** Emits no traverser before all traversers are counted. */
  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => passTask(this, group.cells as ReadonlyArray<Batch>, activation))
  }
}

const addCounts = (earlier: unknown, later: unknown): unknown => {
  if (typeof earlier === "bigint" && typeof later === "bigint") return longCount(earlier + later)
  throw new TraversalError(
    `groupCount() adds to counts, which are Longs, but its side effect holds ${described(earlier)}. ` +
      "Use a separate side effect for it."
  )
}

/** The operator groupCount(). */
export const groupCountSteps: Operators = {
  groupCount: stepOperator(noParameters, (args, compiler) =>
    args.length === 0
      ? new GroupCountStep()
      : new GroupCountSideEffectStep(stringArgument("groupCount", args[0], "side-effect key"), compiler)
  )
}
