import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Cursor } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { Batch, Data, Kind, LoopFrame } from "./Batch.ts"
import type { Run, StepPosition } from "./Run.ts"

/** What the rows of a plan must carry. Steps add to it while a plan is linked, and never take away. */
export interface Needs {
  /** Objects that paths keep: 0 none, 1 only labelled objects, 2 every object. */
  path: 0 | 1 | 2
  sack: boolean
  /** Merging equal rows does more than add their bulks: their sacks merge, or, after withBulk(false), they count once. */
  mergingShows: boolean
  /** Rows are processed one by one, depth first, because their order or laziness is observable. */
  sequential: boolean
  /** The traversal changes the graph. */
  writes: boolean
  /** The traversal computes properties of vertices, as pageRank() does, which later steps see. */
  computes: boolean
}

/** The needs of rows that carry only their objects. */
export const NO_NEEDS: Readonly<Needs> = Object.freeze({
  path: 0,
  sack: false,
  mergingShows: false,
  sequential: false,
  writes: false,
  computes: false
})

/** What a step knows about a linked plan: the plan that it belongs to, or the plan of a child. */
export interface PlanSummary extends Readonly<Needs> {
  /** Index of the step that takes the input; -1 for a traversal without steps. */
  readonly firstIndex: number
  /** True for a child that has the same results for every row while the graph is unchanged, such as V().hasLabel('a').count(). */
  readonly isConstant: boolean
}

/** The rows that a barrier has collected in one round of its loops. */
export interface BarrierGroup {
  readonly loops: LoopFrame | null
  /** One entry for each origin; undefined without rows. The step defines its content. */
  readonly cells: Array<unknown>
  /** The position of a flush that emits its rows in several batches. */
  cursor: number
  /** In a branch: 1 for each origin that entered it. The barrier answers only for these. Null = all (the main line). */
  entered: Uint8Array | null
}

/** Which results of a child traversal are kept for the rows of a batch. */
export type ChildMode =
  /** Whether a row has a result. After its first result the remaining work of a row is dropped. */
  | "exists"
  /** The first result of each row. */
  | "first"
  /** Every result, passed on batch by batch. The `origin` of a result is a row of the parent's batch. */
  | "all"

/** The answer of a child in mode "exists" or "first". */
export interface ChildResult {
  /** 1 for each row of the parent's batch that had a result. */
  readonly found: Uint8Array
  /** First results as values; empty in mode "exists". */
  readonly values: ReadonlyArray<unknown>
}

/** The owner of a stream: a step, or a part of a step that has several streams at the same time. */
export interface StreamOwner {
  /** Index of the step. */
  readonly index: number
}

/** A task that completes a side effect. The activation runs its children. */
export type Completion = (activation: Activation) => Task

/** A branch of a step: a traversal whose steps belong to the same plan. */
export interface Branch {
  /** Its first step; undefined for an empty branch. */
  readonly first: StepPosition | undefined
}

/**
 * One execution of a plan over some rows, as its steps see it: the root of a run, or a child traversal over a batch of its
 * parent. planOf() returns the plan of a child.
 */
export interface Activation {
  readonly run: Run
  readonly plan: PlanSummary
  /** Null at the root of a run. */
  readonly parent: object | null
  /** Rows of the parent's batch; 1 at the root. */
  readonly origins: number
  /** The time slice of the run. Steps check it during long work on a batch. */
  readonly slice: TimeSlice
  readonly transaction: GraphTransaction
  /** The scout that this is an execution of; null for the regular execution. */
  readonly scout: object | null
  /** True when each row of the parent's batch has its answer. The remaining work is dropped. */
  readonly satisfied: boolean

  /** What `step` remembers in this activation; made on first use. */
  state<S>(step: StepPosition, make: () => S): S
  /** What `step` remembers for one row of the parent's batch, as limits and dedup() do: in a child each row has a new state. */
  originState<S>(step: StepPosition, origin: number, loops: LoopFrame | null, make: () => S): S
  /** The position of a step in its current batch, kept between calls for the same batch. Starts at row 0, offset 0. */
  cursor(step: StepPosition): Cursor
  /** The row at which a step continues with its current batch; 0 before it has begun. */
  begunRow(step: StepPosition): number
  /** Whether a step has begun its current batch. */
  isBegun(step: StepPosition): boolean
  /** The rows of a batch before a step whose origins still need an answer and that no limit has stopped; undefined = none. */
  wanted(step: StepPosition, batch: Batch): Batch | undefined
  /** Whether the results of a row that waits before a step are still wanted. */
  isWanted(step: StepPosition, row: Batch): boolean

  /**
   * Queues rows before the step with this index; -1 is the plan's output. `goesFirst`: ahead of waiting rows of other
   * rounds, after those of the same round.
   */
  push(index: number, batch: Batch, goesFirst?: boolean): void
  /**
   * Queues rows in a branch of `step`. Barriers of the branch answer for every origin that entered, even if none of its rows
   * reaches them. `goesFirst` as in {@link push}.
   */
  enterBranch(step: StepPosition, branch: Branch, batch: Batch, goesFirst?: boolean): void
  /** Removes and returns the batches that wait before a step in the same round as its current batch, which stays. */
  takeRound(step: StepPosition): ReadonlyArray<Batch>
  /** Replaces the current batch of a step, which must not have begun it. */
  replaceFront(step: StepPosition, batch: Batch): void
  /** Drops all rows that wait before `step`, because its limit is reached. Only for steps on the main line of the plan. */
  stopUpstream(step: StepPosition): void
  /** From now on drops rows of one origin and round before `step`, because its limit for them is reached. */
  stopOrigin(step: StepPosition, loops: LoopFrame | null, origin: number): void

  /** Passes some rows of the batch on unchanged, for filters and side effects. `rows` may be a scratch buffer; null = all. */
  emitRows(step: StepPosition, batch: Batch, rows: ArrayLike<number> | null, length: number): void
  /** Passes rows with unchanged objects on to the next step. They get the labels of `step`. */
  pass(step: StepPosition, out: Batch): void
  /**
   * Emits new objects. Row i comes from row `rows[i]` of the batch (null: from row i). The caller must not use `data` again.
   */
  emitData(
    step: StepPosition,
    batch: Batch,
    rows: ArrayLike<number> | null,
    kind: Kind,
    data: Data,
    length: number
  ): void
  /** Emits a batch of new objects. Its paths are still those of the objects that they come from. */
  emit(step: StepPosition, out: Batch): void

  /** Keeps a task that completes a side effect: until {@link completed} or, at the latest, the end of the run. */
  completeLater(key: string, complete: Completion): void
  /** Completes a side effect. */
  completed(key: string): Task

  /** The group in which `step` collects rows of these loops; made on first use. */
  group(step: StepPosition, loops: LoopFrame | null): BarrierGroup

  /** Runs a child over all rows of a batch. `done` is called when the child has ended, before this activation continues. */
  invoke(child: PlanSummary, batch: Batch, mode: "exists" | "first", done: (result: ChildResult) => void): void
  /** Runs a child over all rows of a batch and passes all results to `onBatch` as they come. */
  invokeAll(child: PlanSummary, batch: Batch, onBatch: (batch: Batch) => void, done?: () => void): void
  /** Runs a child over rows in groups: `groups[row]` is the origin of a row. Barriers of the child reduce each group. */
  invokeGroups(
    child: PlanSummary,
    batch: Batch,
    groups: Int32Array,
    count: number,
    done: (result: ChildResult) => void
  ): void
  /**
   * Runs a child over one row and passes all results to `onBatch` as they come. The child pauses after some results, so that
   * this activation processes them. Then the step is called again, and resumes or closes the stream.
   */
  openStream(
    owner: StreamOwner,
    child: PlanSummary,
    row: Batch,
    onBatch: (batch: Batch) => void,
    done: () => void
  ): void
  /** Whether a stream is open: its child has not ended. */
  hasStream(owner: StreamOwner): boolean
  /** Continues the child of a stream. */
  resumeStream(owner: StreamOwner): void
  /** Drops the remaining work of the child of a stream. */
  closeStream(owner: StreamOwner): void
}
