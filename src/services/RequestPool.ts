import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** One evaluation as the pool and the listings see it. */
export interface PoolTask {
  readonly requestId: string
  /**
   * Gives the task its first slice, which is all that nearly every request needs. True: it has ended and its answer is
   * given. False: it goes on, as {@link rest}.
   */
  begin(): boolean
  /**
   * What the task's fiber runs when the first slice was not enough. It answers the request itself: it never fails, and
   * when it is interrupted it answers too.
   */
  readonly rest: Effect.Effect<void>
  /** `performance.now()` ms when the request is too old to be evaluated; Infinity when it has no limit. */
  readonly deadline: number
  /** The deadline passed before a lane was free: the task answers and will not be run. */
  expire(): void
  /**
   * Ends the task, wherever it is, with this error as the answer; nothing when it has ended. While the task {@link settles},
   * it goes on until the outcome is known, which is its answer.
   */
  cancel(error: Error): void
  /** A commit of the task is under way, or it takes its changes back. */
  readonly settles: boolean
  /** True when the task needs no lane any more: its client is gone, or it was cancelled while it waited. */
  readonly abandoned: boolean
  /** Where the task waits for a lane; set and cleared by the pool. Who sets `abandoned` gives the place back here. */
  waitsIn: { forget(): void } | null
  /** For listings: the script or bytecode cut to a readable length, and the step at work. */
  describe(): TaskDescription
}

/** A request in the words of the thread dump. */
export interface TaskDescription {
  /** Script text or bytecode, cut to `scriptLogLength`. */
  readonly request: string
  /** Name of the step at work, empty before the first. */
  readonly step: string
  /** `running`, `queued` (for its next slice), or what it waits for: `storage`, `client`, `committing`, `rolling back`. */
  readonly state: string
  readonly user: string
}

/** One row of the dump: a lane or a session's fiber. */
export interface FiberStatus {
  /** `engine-server-exec-<n>`, or `session-<id>`. */
  readonly name: string
  /** `idle`, `running`, `queued`, `storage` or `client`. */
  readonly state: string
  readonly requestId: string
  readonly request: string
  readonly step: string
  readonly user: string
  /** Time in the state of having this request (or of being idle), ms. */
  readonly elapsed: number
}

/** The pool's numbers. */
export interface PoolStatus {
  readonly size: number
  readonly running: number
  readonly queued: number
  /** Lanes that exist; fewer than `size` only when they are made on demand. */
  readonly lanes: number
  readonly refused: number
}

/** The setting `enginePoolVirtualThreads` on a runtime that cannot have it. */
export class IllegalStateException extends Data.TaggedError("IllegalStateException")<{ readonly message: string }> {}

/**
 * At most `enginePool` requests evaluate at once, each in a lane that it keeps while it waits; at most `maxWorkQueueSize`
 * wait in order; anything more is refused at once.
 */
export class RequestPool extends Context.Tag("engine-server/RequestPool")<
  RequestPool,
  {
    /** False when pool and queue are full: the caller answers with the refusal. */
    readonly submit: (task: PoolTask) => boolean
    /**
     * True when pool and queue are full: asked before a task is made of a request, so that a refusal costs next to nothing. The
     * request counts as refused.
     */
    readonly refuses: () => boolean
    readonly status: () => PoolStatus
    /** One row a lane, by number. */
    readonly dump: () => ReadonlyArray<FiberStatus>
    /** Interrupts what runs and refuses what waits. */
    readonly cut: () => void
  }
>() {}
