import * as Context from "effect/Context"
import type { FailureBucket } from "./LoginFailures.ts"
import type { SharedAmount, SharedCount, SharedHeld, SharedPool } from "./SharedLimits.ts"
import type { SharedNames, SharedSessions } from "./TakenNames.ts"
import type { TransactionRecords } from "./TransactionRecords.ts"
import type { SharedVersion } from "./UsersVersion.ts"

/**
 * What the workers of a server have together: counts, so that limits are those of the server and not of each worker, names, lost
 * transactions, and the version of the users. A server in one process does not have this service: its parts count by themselves.
 */
export class SharedState extends Context.Tag("engine-server/SharedState")<
  SharedState,
  {
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
