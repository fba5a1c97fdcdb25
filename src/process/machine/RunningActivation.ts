import type { Task } from "../../scheduling/Task.ts"
import type { Activation, ChildResult, Completion, StreamOwner } from "../plan/Activation.ts"
import { Batch, carry, type LoopFrame, slice } from "../plan/Batch.ts"
import { BATCH_WIDTH, type Plan } from "../plan/Plan.ts"
import type { Step } from "../plan/Step.ts"
import type { Completions } from "./Completions.ts"
import { constantOf, forEachRow } from "./ConstantChildren.ts"
import { nextRows } from "./EachTraverser.ts"
import { addRows, type WaitingRows } from "./Inbox.ts"
import { PlanOutput } from "./PlanOutput.ts"
import { RowFlow, type RowFlowRun } from "./RowFlow.ts"
import { StreamPace } from "./StreamPace.ts"

/** Empty groups that are made before the clock is read again. */
const GROUPS_PER_CLOCK_READ = 256

/** The run that an activation belongs to, as far as the activation drives it. */
export interface ActivationRun extends RowFlowRun {
  /** The side effects that are not complete. */
  readonly completions: Completions
  /** Approximate number of calls of steps so far. */
  readonly calls: number
  /** Makes the activation of a child the current one. */
  enter(activation: RunningActivation): void
}

/** The scout that an activation is an execution of, see {@link RunningActivation.scout}. */
export interface ActiveScout {
  /** The activation in which the scout executes the plan whose rows it took. */
  readonly root: RunningActivation
  /** Counts processed rows. True when the scout has reached its limit. */
  hasDoneEnough(rows: number): boolean
  /** Ends the scout early. Returns the activation to continue with. */
  giveUp(current: RunningActivation): RunningActivation
  /** Rows of the scout failed. Returns the activation to continue with. */
  failed(current: RunningActivation): RunningActivation
  /** The scout has processed all its rows. */
  end(): void
}

/**
 * One execution of a plan over some rows: the root of a run, or a child traversal over a batch of its parent. This class runs
 * children and streams, and takes part in the run loop; {@link RowFlow} moves the rows. The run executes only the innermost
 * activation. Members without a comment are documented at {@link Activation}.
 */
export class RunningActivation extends RowFlow implements Activation {
  readonly run: ActivationRun
  readonly parent: RunningActivation | null
  /** Barriers that answer even without input and have not been given their empty groups; -1 = not counted yet. */
  #unanswered = -1
  /** The round of the input: a child inside a repeat() runs in the round of its parent's rows. */
  #loops: LoopFrame | null = null
  /** The rows of the parent for which a child runs. */
  #start: Batch | null = null
  /** All rows before the step with this index are dropped. */
  #stoppedBefore = 0
  /** Children that run as streams; null = none. */
  #streams: Map<StreamOwner, RunningActivation> | null = null
  /** Set in the child of a stream. */
  #pace: StreamPace | null = null
  scout: ActiveScout | null
  /** Index of the step at which a scout took the current rows; -1 = none. */
  scoutedFrom = -1
  /** Index of the current step. */
  working = -1

  constructor(run: ActivationRun, plan: Plan, parent: RunningActivation | null, output: PlanOutput) {
    super(plan, output)
    this.run = run
    this.parent = parent
    this.scout = parent === null ? null : parent.scout
  }

  /** A new activation of the same plan for a scout. Its results are dropped. */
  scoutRoot(): RunningActivation {
    const root = new RunningActivation(this.run, this.plan, this, new PlanOutput(this.origins, "all", () => {}, null))
    root.#loops = this.#loops
    return root
  }

  /** The next rows of a step, at most `limit` rows; null when there is only one. */
  takeForScout(step: Step, limit: number): ReadonlyArray<Batch> | null {
    return this.inboxes.at(step.index)!.takeForScout(limit)
  }

  /** Whether a scout has already processed the next row of a step. */
  isScouted(index: number): boolean {
    return this.inboxes.at(index)?.isScouted === true
  }

  /** The next rows of a step; undefined when there are none or the step has begun them. */
  peekWaiting(index: number): Batch | undefined {
    const inbox = this.inboxes.at(index)
    return inbox === undefined || inbox.isEmpty || this.isBegun(this.plan.steps[index]!) ? undefined : this.peek(index)
  }

  /** Drops the current batch of the current step. */
  dropFront(): void {
    const index = this.deepest()
    if (index >= 0) this.done(index)
  }

  /** Ends the activation early: steps release open resources. */
  stop(): void {
    for (const step of this.plan.steps) step.stopped(this)
    this.#streams = null
  }

  /** The next rows of a step. They stay in front until {@link done}. Undefined if none of them is wanted. */
  peek(index: number): Batch | undefined {
    const inbox = this.inboxes.at(index)!
    if (this.scout !== null) inbox.join(this.transaction)
    const step = this.plan.steps[index]!
    const batch = this.scout === null ? nextRows(step, inbox, this.plan.width(index), this) : inbox.next(BATCH_WIDTH)
    if (this.stops === null && this.output.answered === null) return batch
    // The cursor of a begun batch counts its rows, so none may be removed.
    if (this.isBegun(step)) return step.leave === undefined || this.#goesOn(step, batch) ? batch : undefined
    const kept = this.wanted(step, batch)
    if (kept === batch) return batch
    step.dropped?.(batch.length - (kept?.length ?? 0), this)
    inbox.front = kept ?? null
    return kept
  }

  /** Moves a step past the next rows of its batch that are no longer wanted. False if no row is left: then the batch is done. */
  #goesOn(step: Step, batch: Batch): boolean {
    const cursor = this.cursor(step)
    const row = this.nextWanted(step, batch, cursor.row)
    if (row === cursor.row) return true
    step.leave!(this)
    cursor.row = row
    cursor.offset = 0
    if (row === batch.length) this.done(step.index)
    return row < batch.length
  }

  /**
   * Adds the rows that wait before all steps to `sum`, including those of its streams, except one that is counted already. While a
   * child has none of its rows left, its parent still has those that the child decides about, such as the row of a loop with its path.
   */
  addWaiting(sum: WaitingRows, counted: RunningActivation | null): void {
    const { rows } = sum
    this.inboxes.addTo(sum)
    if (sum.rows === rows && this.#start !== null) addRows(this.#start, sum)
    if (this.#streams === null) return
    for (const child of this.#streams.values()) if (child !== counted) child.addWaiting(sum, null)
  }

  stopUpstream(step: Step): void {
    for (let i = 0; i < step.index; i++) {
      this.inboxes.drop(i)
      this.plan.steps[i]!.stopped(this)
    }
    for (const owner of this.#streams?.keys() ?? []) if (owner.index < step.index) this.closeStream(owner)
    // The run removes the current batch of the step after the call.
    this.inboxes.at(step.index)?.clear()
    this.barriers?.forgetBefore(step)
    this.#stoppedBefore = Math.max(this.#stoppedBefore, step.index)
  }

  // ---- barriers

  /** Flushes the barrier furthest upstream. False when there is none, and all side effects are complete: the activation is exhausted. */
  flushNext(): boolean {
    if (this.#unanswered !== 0 && !this.#answer()) return true
    const barriers = this.barriers
    this.working = this.scoutedFrom = -1
    if (barriers === null || barriers.length === 0) return this.parent === null && this.run.completions.advance(this)
    const { first } = barriers
    if (first.step.flush(first, this) !== false) barriers.remove(first)
    return true
  }

  /** Makes empty groups for the barriers that answer even without input, some in each call. True when all have theirs. */
  #answer(): boolean {
    const { answering } = this.plan
    if (this.#unanswered === -1) this.#unanswered = answering.length
    // The last barrier comes first, so that each group is appended to the others.
    for (let made = 0; this.#unanswered > 0 && made < GROUPS_PER_CLOCK_READ; made++) {
      const step = answering[--this.#unanswered]!
      if (step.index >= this.#stoppedBefore) this.group(step, this.#loops)
    }
    return this.#unanswered === 0
  }

  completeLater(key: string, complete: Completion): void {
    this.run.completions.add(key, complete)
  }

  completed(key: string): Task {
    return this.run.completions.complete(key, this)
  }

  // ---- children

  invoke(child: Plan, batch: Batch, mode: "exists" | "first", done: (result: ChildResult) => void): void {
    const { changes } = this.transaction
    if (child.isConstant && changes !== undefined) this.#invokeOnce(child, batch, mode, changes, done)
    else this.#begin(this.#child(child, new PlanOutput(batch.length, mode, null, done)), batch)
  }

  /** Runs a constant child for one row, or for none if the run has its answer for the current state of the graph. */
  #invokeOnce(
    child: Plan,
    batch: Batch,
    mode: "exists" | "first",
    changes: number,
    done: (result: ChildResult) => void
  ): void {
    const constant = constantOf(this.run, child)
    const known = constant.changes === changes ? constant.result : null
    const rows = slice(batch, 0, known === null ? 1 : 0)
    const onDone = (given: ChildResult): void => {
      const result = known ?? given
      // A scout may read less than the graph holds.
      if (this.scout === null) Object.assign(constant, { changes, result })
      done(forEachRow(result, batch.length))
    }
    this.#begin(this.#child(child, new PlanOutput(rows.length, mode, null, onDone)), rows)
  }

  invokeAll(child: Plan, batch: Batch, onBatch: (batch: Batch) => void, done?: () => void): void {
    this.#begin(this.#child(child, new PlanOutput(batch.length, "all", onBatch, done ?? null)), batch)
  }

  openStream(owner: StreamOwner, child: Plan, row: Batch, onBatch: (batch: Batch) => void, done: () => void): void {
    const onDone = (): void => {
      this.#streams!.delete(owner)
      done()
    }
    const activation = this.#child(child, new PlanOutput(1, "all", onBatch, onDone))
    activation.#pace = new StreamPace(this.run.calls, 0)
    this.#streams ??= new Map()
    this.#streams.set(owner, activation)
    this.#begin(activation, row)
  }

  hasStream(owner: StreamOwner): boolean {
    return this.#streams?.has(owner) === true
  }

  resumeStream(owner: StreamOwner): void {
    const child = this.#streams!.get(owner)!
    child.#pace!.resume(this.run.calls, child.output.given)
    this.run.enter(child)
  }

  closeStream(owner: StreamOwner): void {
    const child = this.#streams?.get(owner)
    if (child === undefined) return
    this.#streams!.delete(owner)
    child.stop()
  }

  /** True when this is the child of a stream and it pauses now. */
  pausesNow(): boolean {
    const pace = this.#pace
    if (pace === null) return false
    return pace.pausesNow(this.run.calls, this.output.given, this.plan.sequential || this.parent!.satisfied)
  }

  invokeGroups(
    child: Plan,
    batch: Batch,
    groups: Int32Array,
    count: number,
    done: (result: ChildResult) => void
  ): void {
    const start = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    this.#enter(this.#child(child, new PlanOutput(count, "first", null, done)), start, groups)
  }

  #child(plan: Plan, output: PlanOutput): RunningActivation {
    return new RunningActivation(this.run, plan, this, output)
  }

  /** Starts a child on rows that are its origins. */
  #begin(activation: RunningActivation, batch: Batch): void {
    const start = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    start.bulk = null
    const origin = new Int32Array(batch.length)
    for (let i = 1; i < origin.length; i++) origin[i] = i
    this.#enter(activation, start, origin)
  }

  /** Makes a child the current activation, with `start` as its input and `origin` as the origins of its rows. */
  #enter(activation: RunningActivation, start: Batch, origin: Int32Array): void {
    start.origin = origin
    activation.#start = start
    activation.#loops = start.loops
    this.run.enter(activation)
    activation.push(activation.plan.firstIndex, start)
  }

  /** Hands the answers to the parent: the activation is exhausted. A child that has its answer may still have open scans. */
  finish(): void {
    if (this.satisfied && this.parent !== null) this.stop()
    this.output.finish()
  }
}
