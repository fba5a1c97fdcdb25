import type { Pending } from "../../scheduling/Pending.ts"
import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import type { GraphTransaction, Reads } from "../../structure/GraphStore.ts"
import type { GraphFormats } from "../../structure/GraphStream.ts"
import type { TraversalMetrics } from "../../structure/Metrics.ts"
import type { ParameterValues } from "../language/Operand.ts"
import type { Service } from "../language/Service.ts"
import type { Accumulator } from "../scalars/Accumulator.ts"
import type { Scratch } from "./Scratch.ts"

/** The place of a step in a linked plan. */
export interface StepPlace {
  /** Place in the plan's array of steps. */
  readonly index: number
  /** Place of the step that follows; -1: the plan's output. */
  readonly nextIndex: number
  /** Labels of as(). */
  readonly labels: readonly string[]
}

/** Where io() reads and writes. */
export interface DataFolder {
  /** Absolute path: files below it, and no others. */
  readonly path: string
  /** Files that are closed to io() wherever they lie, by their paths without links: those that the server itself lives by. */
  readonly closed: ReadonlySet<string>
}

/** What the server gives each run beside plan and transaction. */
export interface RunEnvironment {
  /** Bytes that barriers, side effects and waiting rows may hold, about; Infinity = no limit. */
  readonly maxBytes: number
  /** Services of call(), user-registered ones included. */
  readonly services: ReadonlyMap<string, Service>
  /** Where io() may read and write; null refuses io(). */
  readonly dataFolder: DataFolder | null
  /** Formats of the files that io() reads and writes; null refuses io(). */
  readonly formats: GraphFormats | null
  /** True when results will be written with the properties of elements: stores that answer later must fetch them. */
  readonly materializeProperties: boolean
}

/** A side effect as the plan knows it: its key, its first value in each run, and how values are merged into it. */
export interface SideEffectSpec {
  readonly key: string
  readonly initial: (run: Run) => unknown
  /** True when `initial` makes a new collection each time; false for a value of the plan. */
  readonly owned: boolean
  /** The Operator of withSideEffect(key, value, operator); null = the step that writes decides. */
  readonly operator: EnumValue | null
}

/** The side effects of one run, as steps and predicates see them. */
export interface SideEffects {
  has(key: string): boolean
  /** The accumulator that a step adds to. Throws TraversalError when there is none of this key. */
  at(key: string): Accumulator
  /** The value for a look that keeps no reference to it, such as a test. Throws TraversalError as {@link at} does. */
  look(key: string): unknown
  /** The value as traversers get it. It goes on growing until {@link settle}. */
  read(key: string): unknown
  /** The same as {@link read}, in pieces: there may be measurements of thousands of steps. */
  readInPieces(key: string): Task<unknown>
  /** The operator given with withSideEffect(), or null. */
  operator(key: string): EnumValue | null
  /** Collections that traversers have stay as they are from now on. */
  settle(): void
  /** Tells that a value is about to become a part of a side effect. */
  takes(value: unknown): void
}

/** What a traversal with profile() measures. */
export interface Measurements {
  /** Notes a finding about a step; several values of one name are joined. */
  annotate(step: StepPlace, name: string, value: string): void
  /** What was measured so far, with a yield after some of the steps. */
  pieces(): Task<TraversalMetrics>
}

/** One execution of a plan over a transaction, as steps see it. */
export interface Run extends ParameterValues {
  readonly transaction: GraphTransaction
  readonly environment: RunEnvironment
  readonly sideEffects: SideEffects
  /** The time that the run has before others run; steps ask whether it is over. */
  readonly slice: TimeSlice
  /** Buffers that the steps of the run share. */
  readonly scratch: Scratch
  /** Measurements, when the traversal has profile(). */
  readonly profile: Measurements | null
  /** The seed of SeedStrategy, or null. */
  readonly seed: bigint | null
  /** False after withBulk(false): equal traversers that meet at a barrier become one that counts once. */
  readonly bulk: boolean
  /** How the sacks of equal traversers merge at a barrier; null keeps the traversers apart. */
  readonly sackMerge: EnumValue | null
  /** Nodes of paths that were made so far; who makes some adds them. */
  pathNodes: number
  /** Whether a scout is at work: nothing that it does may have an effect. */
  readonly isScouting: boolean
  /** The sack that withSack() gives each traverser that starts. */
  initialSack(): unknown
  /** What a step remembers over the whole run, in whichever activations it runs. */
  shared<S>(step: StepPlace, make: () => S): S
  /** The same under any key of the program's own. */
  sharedBy<S>(key: object, make: () => S): S
  /** Counts bytes that the run holds (barriers, side effects); negative when released. Throws LimitExceeded. */
  hold(bytes: number): void
  /** True when what the reads need is here; else the run waits for it, and the step must return false. */
  fetched(reads: readonly Reads[]): boolean
  /**
   * Inside a step's run() or flush() that returns false then: the run stops until `later` is there, and the step is
   * called again. An error of it ends the run.
   */
  waitFor(later: Pending): void
  /** Calls back when the run ends, however it does; at once when it has. */
  onClose(callback: () => void): void
}
