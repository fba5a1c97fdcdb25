import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Config, type ServerSettings } from "../../services/Config.ts"
import { ServerStopping } from "../../services/Errors.ts"
import { refuseImpossiblePool } from "../../services/PoolRequirements.ts"
import { type FiberStatus, type IllegalStateException, type PoolTask, RequestPool } from "../../services/RequestPool.ts"
import { RunQueue } from "../../services/RunQueue.ts"
import type { PoolBounds, SharedPool } from "../../services/SharedLimits.ts"
import { SharedState } from "../../services/SharedState.ts"
import { Lane } from "./Lane.ts"
import { OwnBounds } from "./OwnBounds.ts"
import { WaitingTasks } from "./WaitingTasks.ts"

/** A lane made on demand ends after this time without a request, as a virtual thread of JanusGraph Server's pool does. */
const IDLE_LANE_MS = 60_000

/** Lanes that a pool makes before its first request. Those of a larger pool are made when they are needed, and stay. */
const EARLY_LANES = 1_024

/** The size of a pool, and how its lanes are made. */
export interface PoolOptions {
  readonly size: number
  readonly queue: number
  readonly lanesOnDemand: boolean
  /** Time without a request after which a lane made on demand ends, ms. */
  readonly idleLane: number
  /** The lanes and the queue that the workers of a server share; absent in a server of one process. */
  readonly shared?: SharedPool
}

class Pool {
  readonly #options: PoolOptions
  readonly #runQueue: typeof RunQueue.Service
  /** By number. A gap is a lane that is not yet made, or that has ended. */
  readonly #lanes: Array<Lane | undefined> = []
  #laneCount = 0
  readonly #bounds: PoolBounds
  #running = 0
  readonly #waiting = new WaitingTasks()
  #refused = 0
  #draining = false
  #idleSweep: NodeJS.Timeout | undefined
  /** Looks for lanes that other workers have given back. */
  #look: NodeJS.Timeout | undefined

  constructor(options: PoolOptions, runQueue: typeof RunQueue.Service) {
    this.#options = options
    this.#runQueue = runQueue
    this.#bounds = options.shared ?? new OwnBounds(options)
    if (!options.lanesOnDemand) for (let i = 0; i < Math.min(options.size, EARLY_LANES); i++) this.#addLane(i)
  }

  submit(task: PoolTask): boolean {
    const waiting = this.#waiting.length
    const lane = waiting === 0 ? this.#bounds.takeLane() : -1
    if (lane >= 0) {
      this.#start(task, lane)
      return true
    }
    if (!this.#bounds.enterQueue(waiting)) {
      this.#refused++
      return false
    }
    this.#waiting.push(task)
    this.#lookForLanes()
    return true
  }

  refuses(): boolean {
    const waiting = this.#waiting.length
    const isFull = (waiting > 0 || !this.#bounds.hasLane()) && this.#bounds.isQueueFull(waiting)
    if (isFull) this.#refused++
    return isFull
  }

  status() {
    return {
      size: this.#options.size,
      running: this.#running,
      queued: this.#waiting.length,
      lanes: this.#laneCount,
      refused: this.#refused
    }
  }

  dump(): Array<FiberStatus> {
    const rows: Array<FiberStatus> = []
    const now = performance.now()
    for (const lane of this.#lanes) {
      if (lane === undefined) continue
      if (lane.task === null) {
        // Another worker may use this lane now.
        if (this.#options.shared !== undefined) continue
        lane.seenIdle(now)
      }
      const description = lane.task?.describe()
      rows.push({
        name: lane.name,
        state: description?.state ?? "idle",
        requestId: lane.task?.requestId ?? "",
        request: description?.request ?? "",
        step: description?.step ?? "",
        user: description?.user ?? "",
        elapsed: now - lane.since
      })
    }
    return rows
  }

  /** Ends the waiting tasks and the running ones. */
  cut(): void {
    this.#waiting.cancel(new ServerStopping("new"))
    for (const lane of this.#lanes) lane?.task?.cancel(new ServerStopping("running"))
  }

  close(): void {
    this.cut()
    clearTimeout(this.#idleSweep)
    clearTimeout(this.#look)
  }

  #start(task: PoolTask, number: number): void {
    const lane = this.#lanes[number] ?? this.#addLane(number)
    lane.task = task
    this.#running++
    // Nearly every request ends here, in the turn of its arrival.
    if (task.begin()) {
      this.#release(lane)
      return
    }
    lane.since = performance.now()
    // A fiber would cost a short request that waits for storage a fifth of its CPU time.
    task.goOn(() => {
      this.#release(lane)
      if (this.#waiting.length > 0) this.#drainNextTurn()
    })
  }

  #release(lane: Lane): void {
    lane.task = null
    lane.used = true
    this.#running--
    this.#bounds.releaseLane(lane.index)
    if (this.#options.lanesOnDemand && this.#idleSweep === undefined) this.#sweepIdleLanes()
  }

  /** Starts waiting tasks in the free lanes, in order, while this turn of the event loop has time for them. */
  #drain(): void {
    while (this.#waiting.length > 0 && this.#bounds.hasLane()) {
      if (!this.#runQueue.hasTime()) {
        this.#drainNextTurn()
        return
      }
      const lane = this.#bounds.takeLane()
      if (lane < 0) return
      const task = this.#waiting.shift()
      this.#bounds.waiting(this.#waiting.length)
      if (task === undefined) this.#bounds.releaseLane(lane)
      else this.#start(task, lane)
    }
  }

  /** While requests wait, other workers may give lanes back, of which this one hears nothing. */
  #lookForLanes(): void {
    const { shared } = this.#options
    if (shared === undefined || this.#look !== undefined) return
    this.#look = setTimeout(() => {
      this.#look = undefined
      this.#drain()
      shared.waiting(this.#waiting.length)
      if (this.#waiting.length > 0) this.#lookForLanes()
    }, shared.lookInterval)
  }

  #drainNextTurn(): void {
    if (this.#draining) return
    this.#draining = true
    setImmediate(() => {
      this.#draining = false
      this.#drain()
    })
  }

  #addLane(index: number): Lane {
    const lane = new Lane(index)
    this.#lanes[index] = lane
    this.#laneCount++
    return lane
  }

  #sweepIdleLanes(): void {
    this.#idleSweep = setTimeout(() => {
      this.#idleSweep = undefined
      const now = performance.now()
      for (let i = 0; i < this.#lanes.length; i++) {
        const lane = this.#lanes[i]
        if (lane === undefined || lane.task !== null) continue
        lane.seenIdle(now)
        if (now - lane.since < this.#options.idleLane) continue
        this.#lanes[i] = undefined
        this.#laneCount--
      }
      if (this.#laneCount > 0) this.#sweepIdleLanes()
    }, this.#options.idleLane / 4)
    this.#idleSweep.unref()
  }
}

/** A request pool. close() ends it. */
export const makePool = (
  options: PoolOptions,
  runQueue: typeof RunQueue.Service
): typeof RequestPool.Service & { readonly close: () => void } => {
  const pool = new Pool(options, runQueue)
  return {
    submit: (task) => pool.submit(task),
    refuses: () => pool.refuses(),
    status: () => pool.status(),
    dump: () => pool.dump(),
    cut: () => pool.cut(),
    close: () => pool.close()
  }
}

/** With several workers the lanes are those of the server, and a worker makes the lanes that it uses. */
const poolOptions = (settings: ServerSettings): Effect.Effect<PoolOptions, IllegalStateException> =>
  Effect.gen(function* () {
    const { enginePool, enginePoolVirtualThreads, maxWorkQueueSize } = settings
    const options = { size: enginePool, queue: maxWorkQueueSize, idleLane: IDLE_LANE_MS }
    const bounds = Option.getOrUndefined(yield* Effect.serviceOption(SharedState))
    yield* refuseImpossiblePool(settings, bounds !== undefined)
    if (bounds === undefined) return { ...options, lanesOnDemand: enginePoolVirtualThreads }
    return { ...options, lanesOnDemand: true, shared: bounds.pool(enginePool, maxWorkQueueSize) }
  })

/** The request pool of the server. */
export const layer: Layer.Layer<RequestPool, IllegalStateException, Config | RunQueue> = Layer.scoped(
  RequestPool,
  Effect.gen(function* () {
    const options = yield* poolOptions(yield* Config)
    const runQueue = yield* RunQueue
    return yield* Effect.acquireRelease(
      Effect.sync(() => makePool(options, runQueue)),
      (pool) => Effect.sync(pool.close)
    )
  })
)
