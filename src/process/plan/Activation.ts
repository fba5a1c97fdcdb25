import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Cursor, GraphTransaction } from "../../structure/GraphStore.ts"
import type { Batch, Data, Kind, LoopFrame } from "./Batch.ts"
import type { Run, StepPlace } from "./Run.ts"

/** What a plan must carry with its rows. Steps raise it while a plan is linked; it never sinks. */
export interface Needs {
  /** 0 none, 1 only labelled objects, 2 every object. */
  path: 0 | 1 | 2
  sack: boolean
  /** Rows must be worked one by one, depth first: order or laziness is observable. */
  sequential: boolean
  /** The traversal changes the graph. */
  writes: boolean
  /** The traversal gives vertices computed properties (pageRank()...), which the steps behind see. */
  computes: boolean
}

/** What a step knows of a linked plan, its own or that of a child. */
export interface PlanSummary extends Readonly<Needs> {
  /** Where input enters; -1 for a traversal without steps. */
  readonly firstIndex: number
  /** A child that gives the same for every row as long as the graph stays the same, such as V().hasLabel('a').count(). */
  readonly isConstant: boolean
}

/** What a barrier has collected in one round of its loops. */
export interface BarrierGroup {
  readonly loops: LoopFrame | null
  /** One entry for each origin; undefined where nothing came. The step decides what is in it. */
  readonly cells: Array<unknown>
  /** The place of a flush that gives out its rows in several batches. */
  cursor: number
  /** In a branch: 1 for each origin that entered it, the only ones to answer for. Null = all (the main line). */
  entered: Uint8Array | null
}

/** What to keep of a child traversal run for the rows of a batch. */
export type ChildMode =
  /** Whether there is any result: the rest of a row's work is dropped at its first. */
  | "exists"
  /** The first result of each row. */
  | "first"
  /** Every result, handed over batch by batch; `origin` of its rows is the row of the parent's batch. */
  | "all"

/** Answer of a child in mode "exists" or "first". */
export interface ChildResult {
  /** 1 for each row of the parent's batch that had a result. */
  readonly found: Uint8Array
  /** First results as values; empty in mode "exists". */
  readonly values: ReadonlyArray<unknown>
}

/** Who runs a child as a stream: a step, or a part of one that has several streams at once. */
export interface StreamOwner {
  /** Index of the step. */
  readonly index: number
}

/** A branch of a step: a traversal whose steps are part of the same plan. */
export interface Branch {
  readonly first: StepPlace | undefined
}

/**
 * One execution of a plan over some rows, as its steps see it: the root of a run, or a child traversal over a batch of its
 * parent. Plans of children come from planOf().
 */
export interface Activation {
  readonly run: Run
  readonly plan: PlanSummary
  /** Null at the root of a run. */
  readonly parent: object | null
  /** Rows of the parent's batch; 1 at the root. */
  readonly origins: number
  /** The time slice of the run: a step that works for long on a batch asks it. */
  readonly slice: TimeSlice
  readonly transaction: GraphTransaction
  /** The scout that this is an execution of; null where rows are worked in earnest. */
  readonly scout: object | null
  /** True when each row of the parent's batch has its answer: the rest of the work is dropped. */
  readonly satisfied: boolean

  /** What `step` remembers in this activation; made on first use. */
  state<S>(step: StepPlace, make: () => S): S
  /** What `step` remembers for one row of the parent's batch (limits, dedup): inside a child each row starts anew. */
  originState<S>(step: StepPlace, origin: number, loops: LoopFrame | null, make: () => S): S
  /** The place inside the batch at hand of a step that is called again for it; starts at row 0, offset 0. */
  cursor(step: StepPlace): Cursor
  /** The row at which a step goes on with the batch at hand; 0 when it has not begun it. */
  begunRow(step: StepPlace): number
  /** Whether a step has begun the batch in front of it. */
  isBegun(step: StepPlace): boolean
  /** Whether what comes of a row before a step is still wanted. */
  isWanted(step: StepPlace, row: Batch): boolean

  /**
   * Puts rows before the step with this index; -1 is the plan's output. `goesFirst`: before those of other rounds that
   * wait there, behind those of their own.
   */
  push(index: number, batch: Batch, goesFirst?: boolean): void
  /**
   * Puts rows into a branch of `step`. Barriers on the branch answer for those who entered, even if none reaches them.
   * `goesFirst` as in {@link push}.
   */
  enterBranch(step: StepPlace, branch: Branch, batch: Batch, goesFirst?: boolean): void
  /** Takes everything away that waits before a step in the same round as the batch in front, which stays. */
  takeRound(step: StepPlace): ReadonlyArray<Batch>
  /** Puts another batch in the place of the one in front of a step, which must not be begun. */
  replaceFront(step: StepPlace, batch: Batch): void
  /** Drops everything that waits before `step`: its limit is reached. Only for steps on the main line of the plan. */
  stopUpstream(step: StepPlace): void
  /** Rows of an origin in a round, of which the limit that `step` is has passed all it may, are dropped before it. */
  stopOrigin(step: StepPlace, loops: LoopFrame | null, origin: number): void

  /** Filters and side effects: some rows of the batch go on as they are. `rows` may be scratch; null = all. */
  emitRows(step: StepPlace, batch: Batch, rows: ArrayLike<number> | null, length: number): void
  /** Rows that stay the objects they were go to the next step, taking the step's labels. */
  pass(step: StepPlace, out: Batch): void
  /**
   * New objects: row i comes from row `rows[i]` of the batch (null: from row i). The column is kept: it must be fresh.
   */
  emitData(step: StepPlace, batch: Batch, rows: ArrayLike<number> | null, kind: Kind, data: Data, length: number): void
  /** A finished batch of new objects whose path is still that of the objects they come from. */
  emit(step: StepPlace, out: Batch): void

  /** The group in which `step` collects rows of these loops; made on first use. */
  group(step: StepPlace, loops: LoopFrame | null): BarrierGroup

  /** Runs a child over all rows of a batch; `done` is called when it is through, before this activation goes on. */
  invoke(child: PlanSummary, batch: Batch, mode: "exists" | "first", done: (result: ChildResult) => void): void
  /** Runs a child over all rows of a batch and hands over everything it gives, as it comes. */
  invokeAll(child: PlanSummary, batch: Batch, onBatch: (batch: Batch) => void, done?: () => void): void
  /** Runs a child over rows parted in groups: `groups[row]` is the origin of a row. Its barriers reduce per group. */
  invokeGroups(
    child: PlanSummary,
    batch: Batch,
    groups: Int32Array,
    count: number,
    done: (result: ChildResult) => void
  ): void
  /**
   * Runs a child over one row and hands over everything it gives, as it comes. It pauses now and then when it has given
   * something, so that this activation works on that: then the step is called again, and resumes or closes the stream.
   */
  openStream(
    owner: StreamOwner,
    child: PlanSummary,
    row: Batch,
    onBatch: (batch: Batch) => void,
    done: () => void
  ): void
  /** Whether a stream is open: the child has more to do for its row. */
  hasStream(owner: StreamOwner): boolean
  /** Lets the child of a stream go on. */
  resumeStream(owner: StreamOwner): void
  /** Drops what the child of a stream would still do. */
  closeStream(owner: StreamOwner): void
}
