import { getHeapStatistics } from "node:v8"

/** An owner of objects on V8's heap that live longer than a request, such as a graph in memory. */
export interface HeapOccupant {
  /** Estimated bytes of its objects. */
  readonly heap: number
}

/** The part of the heap limit that V8 uses for young objects and that the server itself uses. */
const YOUNG_AND_SERVER_BYTES = 83_886_080

/** Share of the heap limit that occupants may use, by their own estimates. Requests need the rest. */
const MAX_OCCUPANTS_SHARE = 0.7
/** If V8 reports more than this share of the heap limit as used, occupants stop growing. */
const FULL_SHARE = 0.8
/** If all occupants together hold less than this share of the heap limit, they may always grow. */
const MIN_REFUSED_SHARE = 0.35

/**
 * Decides whether long-lived objects may take more of the heap. V8 ends the process when the heap reaches its limit. Each full garbage
 * collection corrects the estimates, because V8 then knows the size of all live objects.
 */
export class HeapRoom {
  /** Bytes of the heap for requests and occupants. */
  readonly limit: number
  readonly #occupants = new Set<HeapOccupant>()
  readonly #listeners = new Set<() => void>()
  /** Bytes in use after the last full collection, without those of requests. */
  #found = 0
  /** Estimated bytes of all occupants at that time. */
  #foundKept = 0

  /** `heapLimit`: V8's heap limit in bytes. */
  constructor(heapLimit: number) {
    this.limit = Math.max(heapLimit / 8, heapLimit - YOUNG_AND_SERVER_BYTES)
  }

  add(occupant: HeapOccupant): void {
    this.#occupants.add(occupant)
  }

  remove(occupant: HeapOccupant): void {
    this.#occupants.delete(occupant)
  }

  /** Estimated bytes of all occupants. */
  get kept(): number {
    let bytes = 0
    for (const occupant of this.#occupants) bytes += occupant.heap
    return bytes
  }

  /** Reports the bytes in use after a full collection, without those of requests. */
  collected(bytes: number): void {
    this.#found = bytes
    this.#foundKept = this.kept
    for (const listener of this.#listeners) listener()
  }

  /** Calls the listener after each full collection. The function that it returns removes the listener. */
  whenCollected(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Whether an occupant may grow by this number of bytes. */
  hasRoomFor(bytes: number): boolean {
    const { kept, limit } = this
    const wanted = kept + bytes
    if (wanted < limit * MIN_REFUSED_SHARE) return true
    return wanted <= limit * MAX_OCCUPANTS_SHARE && this.#found + wanted - this.#foundKept <= limit * FULL_SHARE
  }
}

/** The heap of this process. */
export const heapRoom = new HeapRoom(getHeapStatistics().heap_size_limit)
