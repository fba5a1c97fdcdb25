import { getHeapStatistics } from "node:v8"

/** An owner of objects on V8's heap that live longer than a request, such as a graph in memory. */
export interface HeapOccupant {
  /** Estimated bytes of its objects. */
  readonly heap: number
}

/** Bytes of the heap limit that V8 uses for young objects, and that the server itself uses. */
const YOUNG_AND_OWN = 83_886_080

/** Share of the heap limit that occupants may use, by their own estimates. Requests need the rest. */
const MOST = 0.7
/** Share of the heap limit that V8 may report as used before occupants stop growing. */
const FULL = 0.8
/** Occupants with less than this share do not fill the heap: they may still grow. */
const NOTEWORTHY = 0.35

/**
 * Tells how much of the heap is left for long-lived objects: at the limit V8 ends the process. Each full garbage collection
 * corrects the estimates, because V8 then knows what is in use.
 */
export class HeapRoom {
  /** Bytes of the heap for requests and occupants. */
  readonly limit: number
  readonly #occupants = new Set<HeapOccupant>()
  readonly #listeners = new Set<() => void>()
  /** Bytes in use after the last full collection, without those of requests; and the occupants' part of them. */
  #found = 0
  #foundKept = 0

  /** `heapLimit`: V8's heap limit in bytes. */
  constructor(heapLimit: number) {
    this.limit = Math.max(heapLimit / 8, heapLimit - YOUNG_AND_OWN)
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

  /** True when an occupant may grow by so many bytes. */
  hasRoomFor(bytes: number): boolean {
    const { kept, limit } = this
    const wanted = kept + bytes
    if (wanted < limit * NOTEWORTHY) return true
    return wanted <= limit * MOST && this.#found + wanted - this.#foundKept <= limit * FULL
  }
}

/** The heap of this process. */
export const heapRoom = new HeapRoom(getHeapStatistics().heap_size_limit)
