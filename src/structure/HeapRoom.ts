import { getHeapStatistics } from "node:v8"

/** Something that keeps objects on V8's heap for longer than a request, such as a graph in memory. */
export interface HeapOccupant {
  /** Bytes of its objects, about. */
  readonly heap: number
}

/** Of the heap limit, what V8 has for young objects, and what the server itself takes, bytes. */
const YOUNG_AND_OWN = 83_886_080

/** Share of the heap limit that occupants may have, as they estimate it. Requests need what is left. */
const MOST = 0.7
/** Share of the heap limit that may be in use, as V8 itself found it, before occupants with some share of it stop growing. */
const FULL = 0.8
/** Occupants with less than this share are not what fills the heap. */
const NOTEWORTHY = 0.35

/**
 * How much of the heap is left for what is kept: at the limit V8 ends the process. Estimates are set right by each full
 * collection, after which V8 knows what is in use.
 */
export class HeapRoom {
  /** Bytes of the heap for what requests and occupants have. */
  readonly limit: number
  readonly #occupants = new Set<HeapOccupant>()
  readonly #listeners = new Set<() => void>()
  /** What was in use after the last full collection and belongs to no request; and what of it was the occupants'. */
  #found = 0
  #foundKept = 0

  /** `heapLimit`: what V8 says, bytes. */
  constructor(heapLimit: number) {
    this.limit = Math.max(heapLimit / 8, heapLimit - YOUNG_AND_OWN)
  }

  add(occupant: HeapOccupant): void {
    this.#occupants.add(occupant)
  }

  remove(occupant: HeapOccupant): void {
    this.#occupants.delete(occupant)
  }

  /** Bytes that all occupants have, about. */
  get kept(): number {
    let bytes = 0
    for (const occupant of this.#occupants) bytes += occupant.heap
    return bytes
  }

  /** After a full collection: bytes in use, without those of requests. */
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

  /** Whether an occupant may grow by so many bytes. */
  hasRoomFor(bytes: number): boolean {
    const { kept, limit } = this
    const wanted = kept + bytes
    if (wanted < limit * NOTEWORTHY) return true
    return wanted <= limit * MOST && this.#found + wanted - this.#foundKept <= limit * FULL
  }
}

/** The heap of this process. */
export const heapRoom = new HeapRoom(getHeapStatistics().heap_size_limit)
