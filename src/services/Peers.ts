import type { SlowRequest } from "./Dispatcher.ts"
import type { LogLevelName } from "./LogControl.ts"
import type { ActivityInterval, MetricFamily } from "./Metrics.ts"

/** Whose requests or loads are meant: those of a user, or all for null. */
export interface Owned {
  readonly user: string | null
}

/** A running request, as `/gremlin/status` lists it. */
export interface ListedRequest {
  readonly requestId: string
  readonly state: string
  readonly elapsed: number
  readonly user: string
  readonly step: string
  readonly request: string
  /** The worker that evaluates it; absent in a server of one process. */
  readonly worker?: number
  readonly queryId: string
  readonly queryString: string
  readonly queryEvalStats: { readonly waited: number; readonly elapsed: number; readonly cancelled: boolean }
}

/** A load of a file, as `/loader` lists it. */
export interface ListedLoad {
  readonly loadId: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly isRunning: boolean
  /** The answer about this load. */
  readonly payload: unknown
}

/** A graph of a worker that refuses requests or writes. */
export interface ListedFault {
  readonly name: string
  readonly isClosed: boolean
  readonly reason: string
}

/** What a worker did in the last ten minutes. */
export interface RecentActivity {
  readonly intervals: ReadonlyArray<ActivityInterval>
  readonly slow: ReadonlyArray<SlowRequest>
}

/** A request that is refused. */
export interface RefusedRequest {
  readonly key: string
  /** Until when, ms since 1970. Counts only without `forMs`, which processes of an earlier version do not send or know. */
  readonly until: number
  /** For how long from now on, ms. */
  readonly forMs?: number
}

/** What a worker asks the other workers of its server: what is asked, and the answer. Both are sent as JSON. */
export interface PeerQuestions {
  /** The metrics of the worker. */
  readonly metrics: readonly [null, ReadonlyArray<MetricFamily>]
  /** The graphs that do not work as configured. */
  readonly faults: readonly [null, ReadonlyArray<ListedFault>]
  readonly running: readonly [Owned, ReadonlyArray<ListedRequest>]
  /** The last ten minutes. The slow requests are those of the owner. */
  readonly recent: readonly [Owned, RecentActivity]
  /** Cancels requests with this id. The answer is their number. `reason`: for their clients. */
  readonly cancel: readonly [Owned & { readonly requestId: string; readonly reason: string }, number]
  readonly loads: readonly [Owned, ReadonlyArray<ListedLoad>]
  /** Cancels a load. The answer is false for a load that the worker does not have. */
  readonly cancelLoad: readonly [Owned & { readonly loadId: string }, boolean]
  /** The requests that are refused from now on. */
  readonly blocked: readonly [ReadonlyArray<RefusedRequest>, null]
  /**
   * The configurations of dynamic graphs have changed. `dropped`: a graph whose drop by the asking worker has ended. The answer comes
   * when the worker knows them.
   */
  readonly graphsChanged: readonly [{ readonly dropped?: string | undefined; readonly worker: number }, null]
  /**
   * Closes a dynamic graph that the asking worker drops, and does not open it again before the end of the drop. The answer comes when
   * it is closed. It is "dropping" when the worker drops the graph itself, and goes first.
   */
  readonly releaseGraph: readonly [{ readonly name: string; readonly worker: number }, "closed" | "dropping"]
  /** Changes the level of the log; null: to the configured one. */
  readonly logLevel: readonly [LogLevelName | null, null]
}

/**
 * What a worker that starts is told, too: it reads the configurations of dynamic graphs while it starts, and later changes must not pass
 * it by. It has nothing to answer.
 */
export const alsoStarting: ReadonlySet<keyof PeerQuestions> = new Set(["graphsChanged", "releaseGraph"])

/** What another worker answered, or why it did not answer. */
export type PeerAnswer<A> =
  | { readonly worker: number; readonly answer: A }
  | { readonly worker: number; readonly reason: string }

/** A dynamic graph that a worker drops. */
export interface GraphDrop {
  readonly worker: number
  readonly name: string
}

/** The other workers of the server. */
export interface Peers {
  /**
   * Asks all other workers that serve. Resolves when each has answered or failed to, at the latest after `answerMs` and a
   * second. A worker that is busy or dies has a reason in place of an answer. Rejects when the primary process does not answer.
   *
   * @param answerMs time that each worker has, default 3,000 ms
   */
  readonly ask: <N extends keyof PeerQuestions>(
    name: N,
    body: PeerQuestions[N][0],
    answerMs?: number
  ) => Promise<ReadonlyArray<PeerAnswer<PeerQuestions[N][1]>>>
  /** Answers the questions of this name. */
  readonly onAsk: <N extends keyof PeerQuestions>(
    name: N,
    answer: (body: PeerQuestions[N][0]) => PeerQuestions[N][1] | Promise<PeerQuestions[N][1]>
  ) => void
  /** Changes the level of the log in all other processes, also in workers that start later; null: to the configured one. */
  readonly changeLogLevel: (level: LogLevelName | null) => Promise<ReadonlyArray<PeerAnswer<null>>>
  /** The dynamic graphs that the other workers are dropping. The primary process knows them, so no busy worker delays the answer. */
  readonly graphDrops: () => Promise<ReadonlyArray<GraphDrop>>
  /** The metrics of the whole server: of all workers, and of those that have ended. */
  readonly metrics: () => Promise<ReadonlyArray<MetricFamily>>
  /** Tells the primary process the counts of this worker, which it keeps when the worker ends. */
  readonly counted: (counts: ReadonlyArray<MetricFamily>) => void
}
