import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** A task of the request pool. */
export interface PoolTask {
  readonly requestId: string
  /**
   * Gives the task its first slice, which is enough for nearly every request. True: it has ended, and is answered. False:
   * {@link goOn} or {@link rest} must follow.
   */
  begin(): boolean
  /** Lets the task do the rest of its work. `ended` is called once, in a later call, when the request is answered. */
  goOn(ended: () => void): void
  /**
   * As {@link goOn}, for a fiber. It never fails. It answers the request, also when it is interrupted.
   */
  readonly rest: Effect.Effect<void>
  /** When the request is too old to be evaluated, `performance.now()` ms; Infinity = no limit. */
  readonly deadline: number
  /** The deadline passed before a lane was free: the task answers, and never begins. */
  expire(): void
  /**
   * Ends the task with this error as its answer. Does nothing when the task has ended. While the task {@link settles}, its
   * outcome is awaited, and is the answer.
   */
  cancel(error: Error): void
  /** Whether a commit or a rollback of the task is under way. */
  readonly settles: boolean
  /**
   * The place in a queue in which the task waits. The queue sets and clears it. A task that ends while it waits, because it is cancelled
   * or its client closes the connection, calls forget() once: then the queue does not hold it any more.
   */
  waitsIn: { forget(): void } | null
  /** The task in listings. */
  describe(): TaskDescription
}

/**
 * What a request does: it waits for a lane (`waiting`), works, waits for its next slice (`queued`), for the store (`storage`) or for its
 * client to read (`client`), commits, rolls back, or is answered (`ended`).
 */
export type TaskState =
  | "waiting"
  | "running"
  | "queued"
  | "storage"
  | "client"
  | "committing"
  | "rolling back"
  | "ended"

/** A request in the thread dump. */
export interface TaskDescription {
  /** Script text or bytecode, cut to `scriptLogLength`. */
  readonly request: string
  /** Name of the step at work, empty before the first. */
  readonly step: string
  readonly state: TaskState
  readonly user: string
}

/** One row of the dump: a lane or a session's fiber. */
export interface FiberStatus {
  /** `engine-server-exec-<n>`, or `session-<id>`. */
  readonly name: string
  /** The state of its request. Without a request it is idle; `idle in transaction` is a session with an open transaction. */
  readonly state: TaskState | "idle" | "idle in transaction"
  readonly requestId: string
  readonly request: string
  readonly step: string
  readonly user: string
  /** Time since the request began, or since the lane became idle, ms. */
  readonly elapsed: number
}

/** The counts of the request pool. */
export interface PoolStatus {
  readonly size: number
  readonly running: number
  readonly queued: number
  /** Lanes that exist. They are fewer than `size` if they are made on demand, or if the pool is too large to make all of them early. */
  readonly lanes: number
  readonly refused: number
}

/**
 * A request pool that cannot be made: `enginePoolVirtualThreads` on a version of Node.js that does not support it, or more lanes than
 * workers can share.
 */
export class IllegalStateException extends Data.TaggedError("IllegalStateException")<{ readonly message: string }> {}

/**
 * Runs at most `enginePool` requests at a time. Each has a lane, which it keeps while it waits for storage or the client. At
 * most `maxWorkQueueSize` requests wait in order, and further ones are refused at once.
 */
export class RequestPool extends Context.Tag("engine-server/RequestPool")<
  RequestPool,
  {
    /** False when the pool and its queue are full: the caller answers with the refusal. */
    readonly submit: (task: PoolTask) => boolean
    /**
     * True when the pool and its queue are full; the request counts as refused then. Call it before a task is made, so that
     * a refusal costs next to nothing.
     */
    readonly refuses: () => boolean
    readonly status: () => PoolStatus
    /** One row a lane, by number. */
    readonly dump: () => ReadonlyArray<FiberStatus>
    /** Cancels the running tasks, and refuses the waiting ones. */
    readonly cut: () => void
  }
>() {}
