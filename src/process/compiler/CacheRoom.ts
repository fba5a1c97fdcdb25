import { heapRoom } from "../../structure/HeapRoom.ts"

/** Heap that the largest of these caches are made for, bytes; with a smaller one they are smaller. */
const FULL_SIZE = 4_294_967_296

/**
 * How large a cache that clients fill may be. A step of a traversal is a few characters of a script, and a kilobyte and a half
 * once its tree, its template and its plan are kept: with a small heap, such caches alone would fill it.
 */
export const cacheRoom = (most: number, heapLimit = heapRoom.limit): number =>
  Math.ceil(most * Math.min(1, heapLimit / FULL_SIZE))
