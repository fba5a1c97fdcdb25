import { runWhole } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { BarrierGroup } from "../plan/Activation.ts"
import { Batch, carry, type Data, type Kind, type LoopFrame, select, VALUE } from "../plan/Batch.ts"
import { answeringIn, branchEntry, type Plan } from "../plan/Plan.ts"
import type { Run } from "../plan/Run.ts"
import type { Step, Traversal } from "../plan/Step.ts"
import { Barriers } from "./Barriers.ts"
import type { HeldRows } from "./HeldRows.ts"
import { Inboxes } from "./Inboxes.ts"
import { appendToPaths, relabelled } from "./Paths.ts"
import type { PlanOutput } from "./PlanOutput.ts"
import { StepMemory } from "./StepMemory.ts"
import { Stops } from "./Stops.ts"
import { checkSizes } from "./ValueSize.ts"

/** The run as {@link RowFlow} uses it. */
export interface RowFlowRun extends Run {
  /** Rows that are held back until they are checked. */
  readonly heldRows: HeldRows
}

const NO_STOPS: readonly Uint8Array[] = []

/** Whether an origin still needs an answer and is not stopped by a limit. Runs once a row. */
const isOpen = (answered: Uint8Array | null, stops: readonly Uint8Array[], origin: number): boolean => {
  if (answered !== null && answered[origin] === 1) return false
  for (const stopped of stops) if (stopped[origin] === 1) return false
  return true
}

/**
 * Moves the rows of one activation: from step to step, into branches and barriers, and out of the plan. Members without a
 * comment are documented at Activation.
 */
export abstract class RowFlow extends StepMemory {
  abstract readonly run: RowFlowRun
  /** Null at the root of a run. */
  abstract readonly parent: object | null
  /** The scout that this is an execution of; null for the regular execution. */
  abstract readonly scout: object | null
  readonly plan: Plan
  protected readonly inboxes: Inboxes
  protected readonly output: PlanOutput
  /** Null before the first group is made. */
  protected barriers: Barriers | null = null
  /** Rows that are dropped because a later limit is reached; null = none. */
  protected stops: Stops | null = null

  constructor(plan: Plan, output: PlanOutput) {
    super(plan.steps.length)
    this.plan = plan
    this.inboxes = new Inboxes(plan.steps.length)
    this.output = output
  }

  get origins(): number {
    return this.output.origins
  }
  get slice(): TimeSlice {
    return this.run.slice
  }
  get transaction(): GraphTransaction {
    return this.run.transaction
  }

  // ---- input

  push(index: number, batch: Batch, goesFirst = false): void {
    if (batch.length === 0) return
    if (this.run.heldRows.isHolding) this.run.heldRows.add(null, () => this.#take(index, batch, goesFirst))
    else this.#take(index, batch, goesFirst)
  }

  #take(index: number, batch: Batch, goesFirst = false): void {
    if (index < 0) this.output.add(batch, this.transaction)
    else this.inboxes.push(index, batch, goesFirst)
  }

  enterBranch(step: Step, branch: Traversal, batch: Batch, goesFirst = false): void {
    if (batch.length === 0) return
    for (const barrier of answeringIn(branch)) {
      const group = this.group(barrier, batch.loops)
      group.entered ??= new Uint8Array(this.origins)
      for (let i = 0; i < batch.length; i++) group.entered[batch.originOf(i)] = 1
    }
    this.push(branchEntry(step, branch), batch, goesFirst)
  }

  /** Index of the deepest step with input, or -1. */
  deepest(): number {
    return this.inboxes.deepest()
  }

  // ---- rows before a step

  /** Removes the current batch of a step after the step has processed it. */
  done(index: number): void {
    this.inboxes.at(index)!.done()
    this.resetCursor(index)
  }

  takeRound(step: Step): ReadonlyArray<Batch> {
    const inbox = this.inboxes.at(step.index)!
    return inbox.takeRound(inbox.front!.loops)
  }

  replaceFront(step: Step, batch: Batch): void {
    this.inboxes.at(step.index)!.front = batch
  }

  stopOrigin(step: Step, loops: LoopFrame | null, origin: number): void {
    this.stops ??= new Stops()
    this.stops.add(step, loops, origin, this.origins)
  }

  // ---- output of steps

  emitRows(step: Step, batch: Batch, rows: ArrayLike<number> | null, length: number): void {
    if (length === 0) return
    this.pass(step, rows === null || length === batch.length ? batch : select(batch, rows, length))
  }

  pass(step: Step, out: Batch): void {
    const { path } = this.plan
    if (path === 0 || step.labels.length === 0) {
      this.push(step.nextIndex, out)
      return
    }
    this.run.pathNodes += out.length
    this.push(step.nextIndex, relabelled(out, step.labels, path === 2, this.transaction))
  }

  emitData(step: Step, batch: Batch, rows: ArrayLike<number> | null, kind: Kind, data: Data, length: number): void {
    if (length > 0) this.emit(step, carry(batch, rows, new Batch(kind, data, length)))
  }

  emit(step: Step, out: Batch): void {
    if (out.sack !== null && step.index === this.plan.firstIndex && this.parent === null) this.#giveSacks(out)
    const unchecked = out.kind === VALUE ? checkSizes(out.data, out.length) : null
    const mode = this.plan.path
    if (mode === 2 || (mode === 1 && step.labels.length > 0)) this.#extend(step.labels, out)
    if (unchecked === null) this.push(step.nextIndex, out)
    // A scout must not leave held rows when it ends.
    else if (this.scout !== null) {
      runWhole(unchecked)
      this.push(step.nextIndex, out)
    } else this.run.heldRows.add(unchecked, () => this.#take(step.nextIndex, out))
  }

  /** Gives each row of the first step a sack of its own if a closure of withSack() makes it. */
  #giveSacks(out: Batch): void {
    if (this.run.closures.givesSacks) out.sack = Array.from({ length: out.length }, () => this.run.initialSack())
  }

  #extend(labels: readonly string[], out: Batch): void {
    appendToPaths(out, labels)
    this.run.pathNodes += out.length
  }

  wanted(step: Step, batch: Batch): Batch | undefined {
    const { answered } = this.output
    const stops = this.stops?.before(step.index, batch.loops) ?? NO_STOPS
    if (answered === null && stops.length === 0) return batch
    let first = 0
    while (first < batch.length && isOpen(answered, stops, batch.originOf(first))) first++
    // Most batches lose no row: they need no list of rows.
    if (first === batch.length) return batch
    const rows: Array<number> = []
    for (let row = 0; row < first; row++) rows.push(row)
    for (let row = first + 1; row < batch.length; row++) {
      if (isOpen(answered, stops, batch.originOf(row))) rows.push(row)
    }
    return rows.length === 0 ? undefined : select(batch, rows, rows.length)
  }

  isWanted(step: Step, row: Batch): boolean {
    return !this.satisfied && this.wanted(step, row) !== undefined
  }

  /** The first row of a batch from `from` on whose results are still wanted; the length of the batch if there is none. */
  protected nextWanted(step: Step, batch: Batch, from: number): number {
    const { answered } = this.output
    const stops = this.stops?.before(step.index, batch.loops) ?? NO_STOPS
    let row = from
    while (row < batch.length && !isOpen(answered, stops, batch.originOf(row))) row++
    return row
  }

  get satisfied(): boolean {
    return this.output.isComplete
  }

  group(step: Step, loops: LoopFrame | null): BarrierGroup {
    return (this.barriers ??= new Barriers()).group(step, loops)
  }
}
