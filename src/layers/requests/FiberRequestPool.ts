import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Scheduler from "effect/Scheduler"
import { Config } from "../../services/Config.ts"
import { ServerStopping } from "../../services/Errors.ts"
import { type FiberStatus, IllegalStateException, type PoolTask, RequestPool } from "../../services/RequestPool.ts"
import { RunQueue } from "../../services/RunQueue.ts"
import { WaitingTasks } from "./WaitingTasks.ts"

/** A lane made on demand ends after this time without a request (specification, section 8). */
const IDLE_LANE_MS = 60_000

/** The first version of Node.js with lanes on demand. It corresponds to the first JVM that does not pin virtual threads. */
const MIN_NODE_VERSION_FOR_LANES_ON_DEMAND = 24

/** Lets sockets and timers run before a fiber continues. The default scheduler yields to microtasks only. */
const scheduler = Scheduler.make((task) => void setImmediate(task))

/** Starts fibers of requests. The scheduler is part of the runtime, because passing it to each fork doubles the cost. */
export const forkOver = (
  runtime: Runtime.Runtime<never>
): (<A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>) =>
  Runtime.runFork(Runtime.setFiberRef(runtime, FiberRef.currentScheduler, scheduler))

/** A lane evaluates one request at a time. It corresponds to a thread of a pool. */
class Lane {
  readonly index: number
  readonly name: string
  task: PoolTask | null = null
  fiber: Fiber.RuntimeFiber<void> | null = null
  /** When the task began, or when the lane was first seen idle, `performance.now()` ms. */
  since = performance.now()
  /** A task has ended since the lane was last seen idle. */
  used = false
  /** Called by listings: the clock is not read at the end of each request. */
  seenIdle(now: number): void {
    if (this.used) this.since = now
    this.used = false
  }

  constructor(index: number) {
    this.index = index
    this.name = `engine-server-exec-${index + 1}`
  }
}

/** The size of a pool, and how its lanes are made. */
export interface PoolOptions {
  readonly size: number
  readonly queue: number
  readonly lanesOnDemand: boolean
  /** Time without a request after which a lane made on demand ends, ms. */
  readonly idleLane: number
}

class Pool {
  readonly #options: PoolOptions
  readonly #runQueue: typeof RunQueue.Service
  readonly #fork: (effect: Effect.Effect<void>) => Fiber.RuntimeFiber<void>
  /** By number. A gap is a lane that is not yet made, or that has ended. */
  readonly #lanes: Array<Lane | undefined> = []
  #laneCount = 0
  /** No lane below this number is free. */
  #lowestFree = 0
  #running = 0
  readonly #waiting = new WaitingTasks()
  #refused = 0
  #draining = false
  #idleSweep: NodeJS.Timeout | undefined

  constructor(options: PoolOptions, runQueue: typeof RunQueue.Service, runtime: Runtime.Runtime<never>) {
    this.#options = options
    this.#runQueue = runQueue
    this.#fork = forkOver(runtime)
    if (!options.lanesOnDemand) for (let i = 0; i < options.size; i++) this.#addLane(i)
  }

  submit(task: PoolTask): boolean {
    if (this.#waiting.length === 0 && this.#running < this.#options.size) {
      this.#start(task)
      return true
    }
    if (this.refuses()) return false
    this.#waiting.push(task)
    return true
  }

  refuses(): boolean {
    const { queue, size } = this.#options
    const isFull = this.#waiting.length >= queue && (this.#waiting.length > 0 || this.#running >= size)
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
      if (lane.task === null) lane.seenIdle(now)
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

  /** Refuses the waiting tasks, and interrupts the running ones. */
  cut(): void {
    this.#waiting.cancel(new ServerStopping())
    for (const lane of this.#lanes) {
      const fiber = lane?.fiber
      if (fiber) fiber.unsafeInterruptAsFork(fiber.id())
    }
  }

  close(): void {
    this.cut()
    clearTimeout(this.#idleSweep)
  }

  #start(task: PoolTask): void {
    const lane = this.#takeLane()
    lane.task = task
    this.#running++
    // Nearly every request ends here, in the turn of its arrival, and needs no fiber.
    if (task.begin()) {
      this.#release(lane)
      return
    }
    lane.since = performance.now()
    const fiber = this.#fork(task.rest)
    lane.fiber = fiber
    fiber.addObserver(() => {
      lane.fiber = null
      this.#release(lane)
      this.#drain()
    })
  }

  #release(lane: Lane): void {
    lane.task = null
    lane.used = true
    this.#running--
    if (lane.index < this.#lowestFree) this.#lowestFree = lane.index
    if (this.#options.lanesOnDemand && this.#idleSweep === undefined) this.#sweepIdleLanes()
  }

  /** Starts waiting tasks in the free lanes, in order, while this turn of the event loop has time for them. */
  #drain(): void {
    while (this.#waiting.length > 0 && this.#running < this.#options.size) {
      if (!this.#runQueue.hasTime()) {
        this.#drainNextTurn()
        return
      }
      const task = this.#waiting.shift()
      if (task !== undefined) this.#start(task)
    }
  }

  #drainNextTurn(): void {
    if (this.#draining) return
    this.#draining = true
    setImmediate(() => {
      this.#draining = false
      this.#drain()
    })
  }

  #takeLane(): Lane {
    let index = this.#lowestFree
    while (this.#lanes[index]?.task) index++
    this.#lowestFree = index + 1
    return this.#lanes[index] ?? this.#addLane(index)
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
  runQueue: typeof RunQueue.Service,
  runtime: Runtime.Runtime<never>
): typeof RequestPool.Service & { readonly close: () => void } => {
  const pool = new Pool(options, runQueue, runtime)
  return {
    submit: (task) => pool.submit(task),
    refuses: () => pool.refuses(),
    status: () => pool.status(),
    dump: () => pool.dump(),
    cut: () => pool.cut(),
    close: () => pool.close()
  }
}

/** The request pool of the server. */
export const layer: Layer.Layer<RequestPool, IllegalStateException, Config | RunQueue> = Layer.scoped(
  RequestPool,
  Effect.gen(function* () {
    const settings = yield* Config
    if (
      settings.enginePoolVirtualThreads &&
      Number.parseInt(process.versions.node, 10) < MIN_NODE_VERSION_FOR_LANES_ON_DEMAND
    ) {
      return yield* new IllegalStateException({
        message:
          `enginePoolVirtualThreads needs Node ${MIN_NODE_VERSION_FOR_LANES_ON_DEMAND} or later, and this is Node ${process.versions.node}. ` +
          "Start the server with a newer Node, or remove the setting."
      })
    }
    const options: PoolOptions = {
      size: settings.enginePool,
      queue: settings.maxWorkQueueSize,
      lanesOnDemand: settings.enginePoolVirtualThreads,
      idleLane: IDLE_LANE_MS
    }
    const runQueue = yield* RunQueue
    const runtime = yield* Effect.runtime<never>()
    return yield* Effect.acquireRelease(
      Effect.sync(() => makePool(options, runQueue, runtime)),
      (pool) => Effect.sync(pool.close)
    )
  })
)
