import { getHeapStatistics } from "node:v8"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ActivityInterval, OperationName } from "../../services/Metrics.ts"

/** The length of an interval, ms. */
const INTERVAL_MS = 10_000
/** Intervals that are kept: ten minutes. */
const MAX_INTERVALS = 60

/** Gauges whose values are kept. In a server of several workers each is the sum of its workers. */
const kept: ReadonlySet<string> = new Set([
  "engine_server_pool_running",
  "engine_server_pool_queued",
  "engine_server_pool_lanes",
  "engine_server_run_queue",
  "engine_server_memory_held_bytes",
  "engine_server_sessions"
])

/** What happened since the start of the process, and the gauges now. */
export interface ActivityTotals {
  readonly operations: ReadonlyArray<{ readonly op: OperationName; readonly count: number; readonly seconds: number }>
  readonly gauges: ReadonlyArray<readonly [name: string, value: number]>
}

/** The last ten minutes of a process. A request costs nothing here: an interval is the difference of two readings of the counters. */
export class RecentIntervals {
  readonly #read: (names: ReadonlySet<string>) => ActivityTotals
  #intervals: ReadonlyArray<ActivityInterval> = []
  #before = new Map<OperationName, { readonly count: number; readonly seconds: number }>()

  /** @param read reads the counters, and the gauges of these names */
  constructor(read: (names: ReadonlySet<string>) => ActivityTotals) {
    this.#read = read
  }

  /** Ends an interval. `at`: when, ms since 1970. */
  end(at: number): void {
    const { gauges, operations } = this.#read(kept)
    const changed = operations.flatMap(({ count, op, seconds }) => {
      const before = this.#before.get(op) ?? { count: 0, seconds: 0 }
      this.#before.set(op, { count, seconds })
      return count === before.count
        ? []
        : [[op, { count: count - before.count, seconds: seconds - before.seconds }] as const]
    })
    const heap = ["nodejs_heap_size_used_bytes", getHeapStatistics().used_heap_size] as const
    const ended = { at, operations: Object.fromEntries(changed), gauges: Object.fromEntries([...gauges, heap]) }
    this.#intervals = [...this.#intervals.slice(1 - MAX_INTERVALS), ended]
  }

  /** The intervals that ended in the last ten minutes, the oldest first. `now`: ms since 1970. */
  list(now: number): ReadonlyArray<ActivityInterval> {
    return this.#intervals.filter(({ at }) => now - at < MAX_INTERVALS * INTERVAL_MS)
  }
}

/**
 * Ends an interval at each multiple of {@link INTERVAL_MS}, so that the intervals of all workers are the same. Returns a function
 * that reads them.
 */
export const recentActivity = (
  read: (names: ReadonlySet<string>) => ActivityTotals
): Effect.Effect<() => ReadonlyArray<ActivityInterval>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const intervals = new RecentIntervals(read)
    let timer: NodeJS.Timeout | undefined
    const wait = (): void => {
      const now = Date.now()
      const at = (Math.floor(now / INTERVAL_MS) + 1) * INTERVAL_MS
      timer = setTimeout(() => {
        // A timer may end a millisecond early: then the same interval would end twice.
        if (Date.now() >= at) intervals.end(Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS)
        wait()
      }, at - now).unref()
    }
    wait()
    yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(timer)))
    return () => intervals.list(Date.now())
  })
