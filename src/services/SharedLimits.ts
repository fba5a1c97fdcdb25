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
  /**
   * True if no request of another worker holds more. If workers are equal, it is true for the first of them only. A worker that does
   * not end its largest request in time does not count: it is busy or stopped. To be called again and again while there is too much.
   */
  readonly hasLargest: () => boolean
  /** What the workers hold that did not count in the last {@link hasLargest}, bytes. */
  readonly lateBytes: () => number
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
