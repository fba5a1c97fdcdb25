import type { Pending } from "../../scheduling/Pending.ts"
import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Reads } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { GraphFormats } from "../../structure/graph/GraphStream.ts"
import type { TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import type { Closure, ClosureBinder, ClosureSource, Combiner } from "../language/Closure.ts"
import type { ParameterValues } from "../language/Operand.ts"
import type { Service } from "../language/Service.ts"
import type { Accumulator } from "../scalars/Accumulator.ts"
import type { Scratch } from "./Scratch.ts"

/** The position of a step in a linked plan. */
export interface StepPosition {
  /** Index in the plan's array of steps. */
  readonly index: number
  /** Index of the next step; -1 = the plan's output. */
  readonly nextIndex: number
  /** Labels of as(). */
  readonly labels: readonly string[]
}

/** The folder in which io() reads and writes. */
export interface DataFolder {
  /** Absolute path. io() has no access to files outside this folder. */
  readonly path: string
  /**
   * Files of the server itself that io() must not use, by their paths with links resolved. A last part such as `*.groovy` stands for
   * all files of the folder with this ending, also those that do not exist yet.
   */
  readonly closed: ReadonlySet<string>
}

/** What the server provides to each run besides plan and transaction. */
export interface RunEnvironment {
  /** Approximate limit of the bytes that barriers, side effects and waiting rows hold; Infinity = no limit. */
  readonly maxBytes: number
  /** Services of call(), including those of users. */
  readonly services: ReadonlyMap<string, Service>
  /** The folder of io(); null refuses io(). */
  readonly dataFolder: DataFolder | null
  /** File formats of io(); null refuses io(). */
  readonly formats: GraphFormats | null
  /** Results are serialized with the properties of elements, so stores that answer later must fetch them. */
  readonly materializeProperties: boolean
  /** Buffers that all runs of a server share. Absent: each run allocates its own. */
  readonly scratch?: Scratch
}

/** The declaration of a side effect in a plan. */
export interface SideEffectSpec {
  readonly key: string
  /** The first value in a run. */
  readonly initial: (run: Run) => unknown
  /** True when `initial` makes a new collection each time; false when it returns a value of the plan. */
  readonly owned: boolean
  /** The third argument of withSideEffect(key, value, operator); null = the writing step decides. */
  readonly operator: Combiner | null
}

/** The side effects of one run, as steps and predicates see them. */
export interface SideEffects {
  has(key: string): boolean
  /** The accumulator that a step adds to. Throws TraversalError for an unknown key. */
  at(key: string): Accumulator
  /** The value, for callers that keep no reference to it, such as predicates. Throws TraversalError for an unknown key. */
  look(key: string): unknown
  /** The value for a traverser. It may grow until the next {@link settle}. */
  read(key: string): unknown
  /** The same as {@link read}, with yields: profile() may have measurements of thousands of steps. */
  readTask(key: string): Task<unknown>
  /** Whether a step declares the side effect, and not withSideEffect(). */
  isOfStep(key: string): boolean
  /** Whether one step declares the side effect, and neither another step nor withSideEffect() does. */
  isOfOneStep(key: string): boolean
  /** The operator or closure given with withSideEffect(), or null. */
  operator(key: string): EnumValue | Closure | null
  /** From now on the collections that traversers have read do not change. */
  settle(): void
  /** To be called before a value becomes a part of a side effect. */
  takes(value: unknown): void
}

/** The measurements of a traversal with profile(). */
export interface Measurements {
  /** Records an annotation of a step. Several values of one name are joined. */
  annotate(step: StepPosition, name: string, value: string): void
  /** The measurements so far, with yields. */
  metricsTask(): Task<TraversalMetrics>
}

/** The closures of a run. */
export interface ClosureAccess {
  /** The closure, bound to the request. Throws LambdaNotSupported where closures cannot run. */
  of(source: ClosureSource): Closure
  /** True if a closure gives each traverser its first sack. */
  readonly givesSacks: boolean
  /** The closure that copies a sack; null = traversers share sacks. */
  readonly sackSplitter: Closure | null
}

/** One execution of a plan over a transaction, as steps see it. */
export interface Run extends ParameterValues {
  readonly transaction: GraphTransaction
  readonly environment: RunEnvironment
  /** Binds closures to their request; undefined where a traversal has none. */
  readonly binder: ClosureBinder | undefined
  readonly closures: ClosureAccess
  readonly sideEffects: SideEffects
  /** The current time slice. Steps check whether it is over. */
  readonly slice: TimeSlice
  /** Buffers for the rows and refs of one call of a step. */
  readonly scratch: Scratch
  /** Measurements; null without profile(). */
  readonly profile: Measurements | null
  /** The seed of SeedStrategy, or null. */
  readonly seed: bigint | null
  /** False after withBulk(false): equal traversers that merge at a barrier count once. */
  readonly bulk: boolean
  /** What merges the sacks of equal traversers at a barrier; null = such traversers do not merge. */
  readonly sackMerge: EnumValue | Closure | null
  /** Number of path nodes that were made so far. Code that makes nodes adds their number. */
  pathNodes: number
  /** Whether a scout is working. Its work must not have an effect. */
  readonly isScouting: boolean
  /** The first value of each traverser's sack. */
  initialSack(): unknown
  /** What a step remembers in the whole run, in all activations of its plan; made on first use. */
  shared<S>(step: StepPosition, make: () => S): S
  /** What {@link shared} keeps, under any object as key. */
  sharedBy<S>(key: object, make: () => S): S
  /** Adds to the bytes that the run holds in barriers and side effects; negative to release. Throws LimitExceeded. */
  hold(bytes: number): void
  /** True when the data of the reads is fetched. Otherwise the run waits for it, and the step must return false. */
  fetched(reads: readonly Reads[]): boolean
  /**
   * Makes the run wait for `later`, and then call the step again. Only in run() or flush(), which must return false. An error
   * of `later` ends the run.
   */
  waitFor(later: Pending): void
  /** Calls back when the run ends for any reason; immediately if it has ended. */
  onClose(callback: () => void): void
}
