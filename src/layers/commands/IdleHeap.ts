import { getHeapSpaceStatistics, type HeapSpaceInfo, setFlagsFromString } from "node:v8"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { heapRoom } from "../../structure/memory/HeapRoom.ts"
import { utilizationMeter } from "./UtilizationMeter.ts"

/** Milliseconds between two checks. */
const CHECK_MS = 1_000
/** The process is idle while it runs code for at most this share of the time. */
const IDLE_SHARE = 0.05
/** Checks in a row that find the process idle before the heap is reduced. */
const IDLE_CHECKS = 2
/** Checks after the last full collection for which V8 optimizes for size: it waits 8 seconds, then collects up to three times. */
const REDUCING_CHECKS = 30
/** Bytes of an old generation that is not reduced, because it could return little. */
const SMALL_HEAP_BYTES = 100 * 1_048_576
/** How V8 names the spaces of the young generation. */
const YOUNG_SPACES = "new_"

/** The process and its engine, as the reduction of the heap sees them. */
interface IdleHeapParts {
  /** Share of the time since the last call in which the process ran code, 0 to 1. */
  readonly utilization: () => number
  /** Bytes that V8 has reserved for the old generation. */
  readonly oldBytes: () => number
  /** Sets whether V8 optimizes for size rather than for speed. */
  readonly setReducing: (isReducing: boolean) => void
}

/**
 * Decides when V8 returns memory to the system: when the process is idle after a full collection and its old generation is large.
 * Checks begin with a full collection and end when the heap has been reduced. A small heap is left alone: a collection that reduces
 * it also drops the compiled code that knows objects of requests, because there is none of them in an idle process. The next
 * requests then take 1.2 s of CPU time to have about 200 functions compiled again.
 */
export class IdleHeap {
  readonly #parts: IdleHeapParts
  #idleChecks = 0
  #reducingChecks = 0
  #isReducing = false

  constructor(parts: IdleHeapParts) {
    this.#parts = parts
  }

  /** V8 has made a full collection. */
  collected(): void {
    this.#reducingChecks = 0
  }

  /** Checks once; called every {@link CHECK_MS} after a full collection. Returns false when no more checks are needed. */
  check(): boolean {
    const isIdle = this.#parts.utilization() < IDLE_SHARE
    this.#idleChecks = isIdle ? this.#idleChecks + 1 : 0
    if (!isIdle) this.#setReducing(false)
    if (this.#idleChecks < IDLE_CHECKS) return true
    const isDone = this.#isReducing
      ? ++this.#reducingChecks >= REDUCING_CHECKS
      : this.#parts.oldBytes() < SMALL_HEAP_BYTES
    if (isDone) this.end()
    else this.#setReducing(true)
    return !isDone
  }

  /** Lets V8 optimize for speed again. */
  end(): void {
    this.#setReducing(false)
    this.#idleChecks = 0
    this.#reducingChecks = 0
  }

  #setReducing(isReducing: boolean): void {
    if (isReducing !== this.#isReducing) this.#parts.setReducing(isReducing)
    this.#isReducing = isReducing
  }
}

/**
 * Bytes of the spaces of the old generation. The young one is large after any load, up to three times `--max-semi-space-size`, also
 * if little is live.
 */
export const oldGenerationBytes = (spaces: ReadonlyArray<Pick<HeapSpaceInfo, "space_name" | "space_size">>): number =>
  spaces.reduce((sum, space) => (space.space_name.startsWith(YOUNG_SPACES) ? sum : sum + space.space_size), 0)

/** The parts of this process. */
const ownParts = (): IdleHeapParts => ({
  utilization: utilizationMeter(),
  oldBytes: () => oldGenerationBytes(getHeapSpaceStatistics()),
  setReducing: (isReducing) => setFlagsFromString(isReducing ? "--optimize-for-size" : "--no-optimize-for-size")
})

/**
 * Returns memory to the system when the process is idle. V8 lets a heap grow to several times what was live in the last full
 * collection, and reduces the heap of an idle process only 40 to 100 seconds after it. While V8 optimizes for size it waits 8
 * seconds, and marks in small increments.
 */
export const reduceIdleHeap: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const idle = new IdleHeap(ownParts())
    let checking: NodeJS.Timeout | undefined
    const stop = (): void => {
      clearInterval(checking)
      checking = undefined
    }
    const forget = heapRoom.whenCollected(() => {
      idle.collected()
      checking ??= setInterval(() => {
        if (!idle.check()) stop()
      }, CHECK_MS).unref()
    })
    return () => {
      forget()
      stop()
      idle.end()
    }
  }),
  (end) => Effect.sync(end)
)
