import { heapRoom } from "../../structure/memory/HeapRoom.ts"

/** Heap limit from which on caches have their full size. */
const FULL_SIZE_HEAP_BYTES = 4_294_967_296

/**
 * The size of a cache that clients fill: `most`, or proportionally less with a smaller heap. A step is a few characters of a
 * script, but 1.5 kB in the caches (syntax tree, template and plan), which could fill a small heap.
 */
export const cacheRoom = (most: number, heapLimit = heapRoom.limit): number =>
  Math.ceil(most * Math.min(1, heapLimit / FULL_SIZE_HEAP_BYTES))
