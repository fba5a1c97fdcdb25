import type { SharedPool } from "../../services/SharedLimits.ts"
import { header, slotWords } from "./RegionLayout.ts"
import { sharedCount } from "./SharedCounts.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/**
 * How long a worker leaves a free lane to another one whose requests wait. A worker that does not take it within this time is
 * busy with something else.
 */
const COURTESY_MS = 10

/** How often a worker whose requests wait looks for free lanes. */
const LOOK_INTERVAL_MS = 1

/** The state of another worker when this one left a free lane to it. */
interface Neighbour {
  lanes: number
  since: number
  /** When the other worker was first seen in this state, ms of the shared clock. */
  seenAt: number
}

/**
 * The lanes of the server: a word for each lane has the worker that uses it. A worker takes a lane by one atomic exchange, so no
 * lane has two requests, and the lanes of a dead worker are found by its number. Each worker begins its search at another
 * lane, so that two workers rarely try the same lane.
 */
export class LanesOfServer implements SharedPool {
  readonly lookInterval = LOOK_INTERVAL_MS
  readonly #region: SharedRegion
  readonly #slot: number
  readonly #size: number
  readonly #queue: number
  /** The clock of all workers, ms. It wraps around at 2^31. */
  readonly #now: () => number
  readonly #places: ReturnType<typeof sharedCount>
  readonly #neighbours = new Map<number, Neighbour>()
  /** Lanes of this worker. */
  #lanes = 0
  #isWaiting = false

  constructor(region: SharedRegion, slot: number, options: { size: number; queue: number; now: () => number }) {
    this.#region = region
    this.#slot = slot
    this.#size = options.size
    this.#queue = options.queue
    this.#now = options.now
    this.#places = sharedCount(region, slot, slotWords.waiting)
  }

  readonly takeLane = (): number => {
    if (!this.#mayTake()) return -1
    const { lanes } = this.#region
    for (let i = 0, lane = this.#first(); i < this.#size; i++) {
      if (lanes[lane] === 0 && Atomics.compareExchange(lanes, lane, 0, this.#slot + 1) === 0) {
        this.#region.setOf(this.#slot, slotWords.lanes, ++this.#lanes)
        // A lane that another worker did not take in time is offered to it again when this one gives it back.
        if (this.#neighbours.size > 0) this.#neighbours.clear()
        if (this.#isWaiting) this.#beginWait()
        return lane
      }
      lane = lane + 1 < this.#size ? lane + 1 : 0
    }
    return -1
  }

  readonly releaseLane = (lane: number): void => {
    Atomics.store(this.#region.lanes, lane, 0)
    this.#region.setOf(this.#slot, slotWords.lanes, --this.#lanes)
  }

  readonly hasLane = (): boolean => {
    const { lanes } = this.#region
    for (let i = 0, lane = this.#first(); i < this.#size; i++) {
      if (lanes[lane] === 0) return this.#mayTake()
      lane = lane + 1 < this.#size ? lane + 1 : 0
    }
    return false
  }

  readonly enterQueue = (waiting: number): boolean => {
    this.waiting(waiting)
    if (!this.#places.take(this.#queue)) return false
    if (waiting === 0) this.#beginWait()
    this.#isWaiting = true
    return true
  }

  readonly waiting = (count: number): void => {
    this.#isWaiting = count > 0
    this.#region.setOf(this.#slot, slotWords.waiting, count)
  }

  readonly isQueueFull = (waiting: number): boolean => {
    this.waiting(waiting)
    return this.#places.total() >= this.#queue
  }

  /** From now on this worker waits for its next lane. */
  #beginWait(): void {
    this.#region.setOf(this.#slot, slotWords.waitingSince, this.#region.add(header.turns, 1))
  }

  /** The first lane to look at. */
  #first(): number {
    return Math.floor((this.#slot * this.#size) / this.#region.slots) % this.#size
  }

  /** Whether no other worker should get a free lane before this one. */
  #mayTake(): boolean {
    const { slots, workers } = this.#region
    if (this.#lanes < Math.floor(this.#size / workers)) return true
    for (let other = 0; other < slots; other++) if (other !== this.#slot && this.#isBefore(other)) return false
    return true
  }

  #isBefore(other: number): boolean {
    if (this.#region.of(other, slotWords.waiting) === 0) return false
    const lanes = this.#region.of(other, slotWords.lanes)
    if (lanes > this.#lanes) return false
    const since = this.#region.of(other, slotWords.waitingSince)
    if (lanes === this.#lanes && this.#isWaiting && !this.#hasWaitedLonger(since)) return false
    return this.#isCourteous(other, lanes, since)
  }

  /** Whether a worker whose wait has this number has waited longer than this one. The numbers wrap around at 2^31. */
  #hasWaitedLonger(since: number): boolean {
    return ((this.#region.of(this.#slot, slotWords.waitingSince) - since) | 0) > 0
  }

  /** Whether this worker still leaves free lanes to the other one: the other one has not failed to take one in time. */
  #isCourteous(other: number, lanes: number, since: number): boolean {
    const now = this.#now()
    const known = this.#neighbours.get(other)
    if (known === undefined || known.lanes !== lanes || known.since !== since) {
      this.#neighbours.set(other, { lanes, since, seenAt: now })
      return true
    }
    return ((now - known.seenAt) | 0) < COURTESY_MS
  }
}
