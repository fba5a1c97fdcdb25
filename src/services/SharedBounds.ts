import * as Context from "effect/Context"

/** A count with a limit for the whole server, such as the open connections. */
export interface SharedCount {
  /** Takes one of the server's `bound` permits for this worker. False when all workers together have that many. */
  readonly take: (bound: number) => boolean
  /** Gives a permit back. */
  readonly release: () => void
  /** Permits that all workers have. */
  readonly total: () => number
}

/** Memory that counts against a bound of the whole server, bytes. It is counted in kilobytes. */
export interface SharedAmount {
  /** Sets what this worker holds. */
  readonly set: (bytes: number) => void
  /** Sets what this worker holds, unless all workers together would hold more than `bound`: then it changes nothing. */
  readonly trySet: (bytes: number, bound: number) => boolean
  /** What all workers hold. */
  readonly total: () => number
}

/** The memory that requests hold, in all workers. */
export interface SharedHeld extends SharedAmount {
  /** Sets how much the request of this worker that holds most memory holds, bytes. */
  readonly setLargest: (bytes: number) => void
  /** True if no request of another worker holds more. If workers are equal, it is true for the first of them only. */
  readonly hasLargest: () => boolean
}

/** The lanes and the queue of a request pool. */
export interface PoolBounds {
  /** Takes a lane for the pool. Returns the number of the lane, or -1 if none is available to this pool. */
  readonly takeLane: () => number
  /** Gives a lane back. */
  readonly releaseLane: (lane: number) => void
  /** Whether {@link takeLane} would return a lane. */
  readonly hasLane: () => boolean
  /** Adds a request to the queue; `waiting` requests of this pool are already in it. False if the queue is full. */
  readonly enterQueue: (waiting: number) => boolean
  /** Whether the queue is full; `waiting` requests of this pool are in it. */
  readonly isQueueFull: (waiting: number) => boolean
  /** Says how many requests of this pool wait, after some have left the queue. */
  readonly waiting: (count: number) => void
}

/**
 * The lanes and the queue of the whole server, as one worker sees them. A worker always gets a lane while it has fewer than its
 * share, the number of lanes divided by the number of workers, and any lane is free. It also gets lanes that no other worker
 * needs. When requests wait in several workers, a free lane goes to the worker that has the fewest lanes, and between equals to
 * the one that has waited longest.
 */
export interface SharedPool extends PoolBounds {
  /** How often a worker whose requests wait has to look for lanes that other workers have given back, ms. */
  readonly lookInterval: number
}

/** Names that a worker has, of which another worker can have none. */
export interface SharedNames {
  /** Takes a name. `elsewhere`: another worker has it. `full`: there is no room for further names. */
  readonly take: (name: string) => "taken" | "elsewhere" | "full"
  /** Gives a name back. */
  readonly giveBack: (name: string) => void
  /** Whether another worker has the name. */
  readonly isElsewhere: (name: string) => boolean
}

/** How the opening of a session ended. `full`: there are as many as allowed. `crowded`: there is no room for further names. */
export type SessionOpening = "opened" | "elsewhere" | "full" | "crowded"

/** The sessions of the whole server. */
export interface SharedSessions {
  /**
   * Takes a name and one of the server's `bound` places. `elsewhere`: another worker has a session of this name. `full`: all
   * workers together have that many sessions.
   */
  readonly open: (id: string, bound: number) => SessionOpening
  readonly close: (id: string) => void
  /** Whether another worker has a session of this name. */
  readonly isElsewhere: (id: string) => boolean
  /** Open sessions of all workers. */
  readonly total: () => number
}

/**
 * What a client loses without its knowledge: `changes` that it has not committed, the `outcome` of a commit, or only the `state` that it
 * reads, in a transaction that it has begun and that has no changes.
 */
export type Loss = "changes" | "outcome" | "state"

/** How long a lost transaction is known, ms: as long as a session may be idle by default. */
export const LOSS_KNOWN_MS = 28_800_000

/** What the server knows of the transaction of a session after the session, its connection or its worker has ended. */
export interface TransactionRecord {
  /** The transaction is open, or its commit is under way. If this worker dies now, the client has lost this. */
  readonly hold: (loss: Loss) => void
  /** The client knows how its transaction ended. */
  readonly forget: () => void
  /** The session ends, and its client has lost this. */
  readonly lose: (loss: Loss) => void
  /** What a client of these names has lost. */
  readonly loss: () => Loss | undefined
  /** What a client of these names has lost. It is forgotten with this call. */
  readonly takeLoss: () => Loss | undefined
}

/** The record of a user's session of this name. */
export type TransactionRecords = (user: string, session: string) => TransactionRecord

/** The token bucket of an address or a user. Each failed attempt to authenticate takes a token. */
export interface FailureBucket {
  /** Takes a token of a bucket that has `size` tokens and fills within a minute. Returns 0, or the time until the next token, ms. */
  readonly take: (size: number) => number
  readonly giveBack: (size: number) => void
  /** Attempts under way, which may give their tokens back. */
  readonly pending: () => number
  /** An attempt is under way. */
  readonly begin: () => void
  /** An attempt has its outcome. */
  readonly end: () => void
}

/** The version of the users, passwords and roles. */
export interface SharedVersion {
  /** What a cache has read is valid while this number is the same. */
  readonly current: () => number
  /** Something has changed: the caches of all workers are outdated. Call it before the change is acknowledged. */
  readonly changed: () => void
}

/**
 * What the workers of a server count together, so that limits are those of the server and not of each worker. A server in one
 * process does not have this service: its parts count by themselves.
 */
export class SharedBounds extends Context.Tag("engine-server/SharedBounds")<
  SharedBounds,
  {
    /** The largest `enginePool` that workers can share. */
    readonly maxLanes: number
    /** @param size lanes of the server. @param queue requests that may wait for a lane in the whole server */
    readonly pool: (size: number, queue: number) => SharedPool
    readonly connections: SharedCount
    readonly sessions: SharedSessions
    readonly transactions: TransactionRecords
    /** The ids with which clients name their requests. */
    readonly requests: SharedNames
    /** The files that are imported, each with its graph. */
    readonly imports: SharedNames
    readonly held: SharedHeld
    readonly arriving: SharedAmount
    /** Files of answers that are not sent yet. */
    readonly answers: SharedAmount
    /** Processes that serve, at least 1. */
    readonly workers: () => number
    /** The bucket of a key. */
    readonly failures: (key: string) => FailureBucket
    readonly users: SharedVersion
  }
>() {}
