import { runWhole } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Cursor, GraphTransaction } from "../../structure/GraphStore.ts"
import type { Activation, BarrierGroup, ChildMode, ChildResult, StreamOwner } from "../plan/Activation.ts"
import { Batch, carry, type Data, type Kind, type LoopFrame, PathNode, select, slice, VALUE } from "../plan/Batch.ts"
import { answeringIn, BATCH_WIDTH, branchEntry, type Plan } from "../plan/Plan.ts"
import type { Run } from "../plan/Run.ts"
import type { Step, Traversal } from "../plan/Step.ts"
import { Barriers } from "./Barriers.ts"
import { constantOf, forEachRow } from "./ConstantChildren.ts"
import type { HeldRows } from "./HeldRows.ts"
import { Inbox, type WaitingRows } from "./Inbox.ts"
import { Stops } from "./Stops.ts"
import { checkSizes } from "./ValueSize.ts"

/** Empty groups that are made between two looks at the clock. */
const AT_ONCE = 256

/** The run that an activation belongs to, as far as the activation drives it. */
export interface ActivationRun extends Run {
  /** Calls of steps so far, about. */
  readonly calls: number
  /** Rows that are held back until they are checked. */
  readonly heldRows: HeldRows
  /** A child's activation becomes the one that is worked on. */
  enter(activation: RunningActivation): void
}

/** The scout that an activation is an execution of, see {@link RunningActivation.scout}. */
export interface ActiveScout {
  /** The scout's own execution of the plan whose rows it took. */
  readonly root: RunningActivation
  /** Counts rows that were worked on. */
  hasDoneEnough(rows: number): boolean
  /** Ends the scout early; gives the execution that goes on. */
  giveUp(current: RunningActivation): RunningActivation
  /** Rows of the scout failed. Gives the execution that goes on. */
  failed(current: RunningActivation): RunningActivation
  /** The scout is through. */
  end(): void
}

/**
 * One execution of a plan over some rows: the root of a run, or a child traversal over a batch of its parent. Holds
 * what is waiting before each step and what steps remember. The run works on the innermost activation only. Members
 * without a comment are explained at {@link Activation}.
 */
export class RunningActivation implements Activation {
  readonly run: ActivationRun
  readonly plan: Plan
  readonly parent: RunningActivation | null
  readonly origins: number
  readonly #inboxes: Array<Inbox | undefined>
  readonly #states: Array<unknown>
  readonly #cursors: Array<Cursor | undefined>
  readonly #barriers = new Barriers()
  /** Highest step index that may have input. */
  #deepest = -1
  /** Lowest step index that may have input: of thousands of steps most are through. */
  #shallowest = Number.MAX_SAFE_INTEGER
  /** Barriers that answer even without input and have not been given their empty groups; -1 = not looked at yet. */
  #unanswered = -1
  /** Of the rows that came in: a child inside a repeat() works in the round of its parent's rows. */
  #loops: LoopFrame | null = null

  readonly #mode: ChildMode
  readonly #found: Uint8Array | null
  readonly #values: Array<unknown>
  #foundCount = 0
  readonly #onBatch: ((batch: Batch) => void) | null
  readonly #onDone: ((result: ChildResult) => void) | null
  /** Rows of which a limit has taken all that it passes; null = none. */
  #stops: Stops | null = null
  /** Children that give their results while they are at work; null = none. */
  #streams: Map<StreamOwner, RunningActivation> | null = null
  /** This activation is such a child, and how it goes. */
  #pace: StreamPace | null = null

  constructor(
    run: ActivationRun,
    plan: Plan,
    parent: RunningActivation | null,
    origins: number,
    mode: ChildMode,
    onBatch: ((batch: Batch) => void) | null,
    onDone: ((result: ChildResult) => void) | null
  ) {
    this.run = run
    this.plan = plan
    this.parent = parent
    this.scout = parent === null ? null : parent.scout
    this.origins = origins
    const length = plan.steps.length
    this.#inboxes = new Array(length)
    this.#states = new Array(length)
    this.#cursors = new Array(length)
    this.#mode = mode
    this.#found = mode === "all" ? null : new Uint8Array(origins)
    this.#values = mode === "first" ? new Array(origins) : []
    this.#onBatch = onBatch
    this.#onDone = onDone
  }

  /** The time slice of the run: what works for long on a batch asks it. */
  get slice(): TimeSlice {
    return this.run.slice
  }
  get transaction(): GraphTransaction {
    return this.run.transaction
  }

  // ---- what a step remembers

  state<S>(step: Step, make: () => S): S {
    let state = this.#states[step.index] as S | undefined
    if (state === undefined) {
      state = make()
      this.#states[step.index] = state
    }
    return state
  }

  originState<S>(step: Step, origin: number, loops: LoopFrame | null, make: () => S): S {
    if (loops === null) {
      const cells = this.state<Array<S | undefined>>(step, () => [])
      return (cells[origin] ??= make())
    }
    const byLoop = this.state<Map<LoopFrame | null, Array<S | undefined>>>(step, () => new Map())
    let cells = byLoop.get(loops)
    if (cells === undefined) byLoop.set(loops, (cells = []))
    return (cells[origin] ??= make())
  }

  cursor(step: Step): Cursor {
    let cursor = this.#cursors[step.index]
    if (cursor === undefined) {
      cursor = { row: 0, offset: 0 }
      this.#cursors[step.index] = cursor
    }
    return cursor
  }

  begunRow(step: Step): number {
    return this.#cursors[step.index]?.row ?? 0
  }

  // ---- input

  push(index: number, batch: Batch, goesFirst = false): void {
    if (batch.length === 0) return
    if (this.run.heldRows.isHolding) {
      this.run.heldRows.add(null, () => this.#take(index, batch, goesFirst))
      return
    }
    this.#take(index, batch, goesFirst)
  }

  #take(index: number, batch: Batch, goesFirst = false): void {
    if (index < 0) {
      this.#output(batch)
      return
    }
    const inbox = this.#inboxes[index]
    if (inbox === undefined) {
      const fresh = new Inbox()
      fresh.push(batch)
      this.#inboxes[index] = fresh
    } else if (goesFirst) inbox.pushFirst(batch)
    else inbox.push(batch)
    if (index > this.#deepest) this.#deepest = index
    if (index < this.#shallowest) this.#shallowest = index
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
    let index = this.#deepest
    while (index >= this.#shallowest) {
      const inbox = this.#inboxes[index]
      if (inbox !== undefined && !inbox.isEmpty) break
      index--
    }
    if (index < this.#shallowest) {
      index = -1
      this.#shallowest = Number.MAX_SAFE_INTEGER
    }
    this.#deepest = index
    return index
  }

  scout: ActiveScout | null

  /** The step at which a scout took the rows that are worked on; -1 before there was one. */
  scoutedFrom = -1

  /** Index of the step that is working: the deepest that has not given its rows away. */
  working = -1

  /** An execution for a scout of the rows that wait here: nobody takes what it gives. */
  scoutRoot(): RunningActivation {
    const root = new RunningActivation(this.run, this.plan, this, this.origins, "all", ignore, null)
    root.#loops = this.#loops
    return root
  }

  /** The next rows of a step; null when there is only one. */
  takeForScout(step: Step, limit: number): ReadonlyArray<Batch> | null {
    return this.#inboxes[step.index]!.takeForScout(limit)
  }

  /** Whether a scout went ahead of the row in front of a step. */
  isScouted(index: number): boolean {
    return this.#inboxes[index]?.isScouted === true
  }

  /** Rows that wait before a step which has not begun them. */
  peekWaiting(index: number): Batch | undefined {
    const inbox = this.#inboxes[index]
    return inbox === undefined || inbox.isEmpty || this.isBegun(this.plan.steps[index]!) ? undefined : this.peek(index)
  }

  /** Takes away what the step at work has in front. */
  dropFront(): void {
    const index = this.deepest()
    if (index >= 0) this.done(index)
  }

  /** Nothing will be worked on here any more: steps give back what they hold open. */
  stop(): void {
    for (const step of this.plan.steps) step.stopped(this)
    this.#streams = null
  }

  isBegun(step: Step): boolean {
    const cursor = this.#cursors[step.index]
    return cursor !== undefined && (cursor.row > 0 || cursor.offset > 0)
  }

  /** Rows a step is to work on next; they stay in front until {@link done}. Undefined when pruning left none. */
  peek(index: number): Batch | undefined {
    const inbox = this.#inboxes[index]!
    if (this.scout !== null) inbox.join(this.transaction)
    const batch = inbox.next(this.scout === null ? this.plan.width(index) : BATCH_WIDTH)
    if (this.#foundCount === 0 && this.#stops === null) return batch
    const step = this.plan.steps[index]!
    // A batch that is begun is left as it is: its cursor counts its rows.
    if (this.isBegun(step)) return batch
    const kept = this.#wanted(index, batch)
    if (kept === batch) return batch
    step.dropped?.(batch.length - (kept?.length ?? 0), this)
    inbox.front = kept ?? null
    return kept
  }

  /** Adds up what waits before all steps, into `sum`. */
  addWaiting(sum: WaitingRows): void {
    for (const inbox of this.#inboxes) inbox?.addTo(sum)
    if (this.#streams === null) return
    for (const child of this.#streams.values()) if (child.#pace!.isPaused) child.addWaiting(sum)
  }

  /** The step is done with the batch in front. */
  done(index: number): void {
    this.#inboxes[index]!.done()
    const cursor = this.#cursors[index]
    if (cursor !== undefined) {
      cursor.row = 0
      cursor.offset = 0
    }
  }

  takeRound(step: Step): ReadonlyArray<Batch> {
    const inbox = this.#inboxes[step.index]!
    return inbox.takeRound(inbox.front!.loops)
  }

  replaceFront(step: Step, batch: Batch): void {
    this.#inboxes[step.index]!.front = batch
  }

  stopUpstream(step: Step): void {
    for (let i = 0; i < step.index; i++) {
      this.#inboxes[i] = undefined
      this.plan.steps[i]!.stopped(this)
    }
    for (const owner of this.#streams?.keys() ?? []) if (owner.index < step.index) this.closeStream(owner)
    // The batch in front of the step itself stays: the run takes it away after the call.
    this.#inboxes[step.index]?.clear()
    this.#barriers.forgetBefore(step)
    this.#stoppedBefore = Math.max(this.#stoppedBefore, step.index)
  }
  #stoppedBefore = 0

  stopOrigin(step: Step, loops: LoopFrame | null, origin: number): void {
    this.#stops ??= new Stops()
    this.#stops.add(step, loops, origin, this.origins)
  }

  // ---- output of steps

  emitRows(step: Step, batch: Batch, rows: ArrayLike<number> | null, length: number): void {
    if (length === 0) return
    const out = rows === null || length === batch.length ? batch : select(batch, rows, length)
    this.pass(step, out)
  }

  pass(step: Step, out: Batch): void {
    if (step.labels.length > 0 && this.plan.path > 0) this.push(step.nextIndex, this.#relabel(step, out))
    else this.push(step.nextIndex, out)
  }

  emitData(step: Step, batch: Batch, rows: ArrayLike<number> | null, kind: Kind, data: Data, length: number): void {
    if (length === 0) return
    const out = carry(batch, rows, new Batch(kind, data, length))
    this.emit(step, out)
  }

  emit(step: Step, out: Batch): void {
    const unchecked = out.kind === VALUE ? checkSizes(out.data, out.length) : null
    const mode = this.plan.path
    if (mode === 2 || (mode === 1 && step.labels.length > 0)) this.#extend(step.labels, out)
    if (unchecked === null) this.push(step.nextIndex, out)
    // Nothing of a scout may be left behind it.
    else if (this.scout !== null) {
      runWhole(unchecked)
      this.push(step.nextIndex, out)
    } else this.run.heldRows.add(unchecked, () => this.#take(step.nextIndex, out))
  }

  #extend(stepLabels: readonly string[], out: Batch): void {
    const labels = stepLabels.length === 0 ? null : stepLabels
    const previous = out.path
    const path = new Array<PathNode | null>(out.length)
    for (let i = 0; i < out.length; i++) {
      path[i] = new PathNode(out.kind, out.data[i], labels, previous === null ? null : previous[i]!)
    }
    out.path = path
    this.run.pathNodes += out.length
  }

  /**
   * as() on a step that keeps its object: the place of the object takes the labels. A path of labelled places alone gets
   * another place where its last one holds another object.
   */
  #relabel(step: Step, batch: Batch): Batch {
    const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    const isFull = this.plan.path === 2
    const path = new Array<PathNode | null>(batch.length)
    for (let i = 0; i < batch.length; i++) {
      const node = batch.path === null ? null : batch.path[i]!
      const object = batch.data[i]
      const isPlace = node !== null && (isFull || (node.kind === batch.kind && node.object === object))
      path[i] = isPlace
        ? new PathNode(node.kind, node.object, merged(node.labels, step.labels), node.previous)
        : new PathNode(batch.kind, object, step.labels, isFull ? null : node)
    }
    out.path = path
    this.run.pathNodes += batch.length
    return out
  }

  #output(batch: Batch): void {
    if (this.#mode === "all") {
      if (this.#pace !== null) this.#pace.given += batch.length
      this.#onBatch!(batch)
      return
    }
    const found = this.#found!
    for (let i = 0; i < batch.length; i++) {
      const origin = batch.originOf(i)
      if (found[origin] === 1) continue
      found[origin] = 1
      this.#foundCount++
      if (this.#mode === "first") this.#values[origin] = batch.value(i, this.transaction)
    }
  }

  /** Rows before a step whose origins still want an answer, and that no limit has stopped; undefined = none. */
  #wanted(index: number, batch: Batch): Batch | undefined {
    const found = this.#foundCount === 0 ? null : this.#found
    const stops = this.#stops?.before(index, batch.loops) ?? NO_STOPS
    if (found === null && stops.length === 0) return batch
    const rows: Array<number> = []
    for (let i = 0; i < batch.length; i++) {
      const origin = batch.originOf(i)
      if (found?.[origin] !== 1 && stops.every((stopped) => stopped[origin] === 0)) rows.push(i)
    }
    if (rows.length === batch.length) return batch
    return rows.length === 0 ? undefined : select(batch, rows, rows.length)
  }

  isWanted(step: Step, row: Batch): boolean {
    return !this.satisfied && this.#wanted(step.index, row) !== undefined
  }

  get satisfied(): boolean {
    return this.#found !== null && this.#foundCount === this.origins
  }

  // ---- barriers

  group(step: Step, loops: LoopFrame | null): BarrierGroup {
    return this.#barriers.group(step, loops)
  }

  /** Flushes the barrier furthest upstream. False when there is none: the activation is exhausted. */
  flushNext(): boolean {
    const barriers = this.#barriers
    if (this.#unanswered !== 0 && !this.#answer()) return true
    if (barriers.length === 0) return false
    this.working = this.scoutedFrom = -1
    const { first } = barriers
    if (first.step.flush(first, this) !== false) barriers.remove(first)
    return true
  }

  /** Gives the barriers that answer even without input their groups, some at once. True when all have theirs. */
  #answer(): boolean {
    const { answering } = this.plan
    if (this.#unanswered === -1) this.#unanswered = answering.length
    // From the last one on, so that each is put behind the others.
    for (let made = 0; this.#unanswered > 0 && made < AT_ONCE; made++) {
      const step = answering[--this.#unanswered]!
      if (step.index >= this.#stoppedBefore) this.#barriers.group(step, this.#loops)
    }
    return this.#unanswered === 0
  }

  // ---- children

  invoke(child: Plan, batch: Batch, mode: "exists" | "first", done: (result: ChildResult) => void): void {
    const { changes } = this.transaction
    if (child.isConstant && changes !== undefined) this.#invokeOnce(child, batch, mode, changes, done)
    else this.#start(new RunningActivation(this.run, child, this, batch.length, mode, null, done), batch)
  }

  /** Runs a child that is constant for one row, or for none where the run has its answer for the graph as it is now. */
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
      // What a scout reads may not be all that there is.
      if (this.scout === null) Object.assign(constant, { changes, result })
      done(forEachRow(result, batch.length))
    }
    this.#start(new RunningActivation(this.run, child, this, rows.length, mode, null, onDone), rows)
  }

  invokeAll(child: Plan, batch: Batch, onBatch: (batch: Batch) => void, done?: () => void): void {
    this.#start(new RunningActivation(this.run, child, this, batch.length, "all", onBatch, done ?? null), batch)
  }

  openStream(owner: StreamOwner, child: Plan, row: Batch, onBatch: (batch: Batch) => void, done: () => void): void {
    const activation = new RunningActivation(this.run, child, this, 1, "all", onBatch, () => {
      this.#streams!.delete(owner)
      done()
    })
    activation.#pace = { isPaused: false, given: 0, resumedAt: this.run.calls }
    this.#streams ??= new Map()
    this.#streams.set(owner, activation)
    this.#start(activation, row)
  }

  hasStream(owner: StreamOwner): boolean {
    return this.#streams?.has(owner) === true
  }

  resumeStream(owner: StreamOwner): void {
    const child = this.#streams!.get(owner)!
    child.#pace = { isPaused: false, given: 0, resumedAt: this.run.calls }
    this.run.enter(child)
  }

  closeStream(owner: StreamOwner): void {
    const child = this.#streams?.get(owner)
    if (child === undefined) return
    this.#streams!.delete(owner)
    child.stop()
  }

  /** Whether this is the child of a stream and pauses now: it has given something, and was at work for some time. */
  pausesNow(): boolean {
    const pace = this.#pace
    if (pace === null || pace.given === 0) return false
    const isDue =
      pace.given >= STREAM_ROWS ||
      this.run.calls - pace.resumedAt >= STREAM_CALLS ||
      this.plan.sequential ||
      this.parent!.satisfied
    if (isDue) pace.isPaused = true
    return isDue
  }

  invokeGroups(
    child: Plan,
    batch: Batch,
    groups: Int32Array,
    count: number,
    done: (result: ChildResult) => void
  ): void {
    const activation = new RunningActivation(this.run, child, this, count, "first", null, done)
    const start = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    start.origin = groups
    activation.#loops = batch.loops
    this.run.enter(activation)
    activation.push(child.firstIndex, start)
  }

  #start(activation: RunningActivation, batch: Batch): void {
    const start = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    start.bulk = null
    const origin = new Int32Array(batch.length)
    for (let i = 1; i < origin.length; i++) origin[i] = i
    start.origin = origin
    activation.#loops = batch.loops
    this.run.enter(activation)
    activation.push(activation.plan.firstIndex, start)
  }

  /** The activation is through: its parent gets the answer. */
  finish(): void {
    this.#onDone?.({ found: this.#found ?? NONE, values: this.#values })
  }
}

const NONE = new Uint8Array(0)
const NO_STOPS: readonly Uint8Array[] = []

/** Results, and calls of steps, after which the child of a stream pauses. */
const STREAM_ROWS = 4096
const STREAM_CALLS = 64

/** How the child of a stream goes. */
interface StreamPace {
  isPaused: boolean
  /** Rows that it gave since it was resumed. */
  given: number
  /** Calls of steps of the whole run up to then. */
  readonly resumedAt: number
}

const ignore = (): void => {}

const merged = (labels: readonly string[] | null, more: readonly string[]): readonly string[] =>
  labels === null ? more : [...labels, ...more.filter((label) => !labels.includes(label))]
