import type { AdjacencyReads, Cursor, EdgeRequest } from "../../structure/graph/GraphReads.ts"
import type { Run } from "./Run.ts"

/**
 * The places inside vertices at which the reads of edges of a run have stopped. A store may keep its edges as they are while a read may go
 * on. A run may end before its reads, and its transaction may go on: it then releases the places.
 */
export class OpenPlaces {
  readonly #transaction: AdjacencyReads
  readonly #open = new Set<Cursor>()

  constructor(transaction: AdjacencyReads) {
    this.#transaction = transaction
  }

  static #of(run: Run, transaction: AdjacencyReads): OpenPlaces {
    return run.sharedBy(OpenPlaces, () => {
      const places = new OpenPlaces(transaction)
      run.onClose(() => places.#leaveAll())
      return places
    })
  }

  /** Reads edges as {@link AdjacencyReads.expand} does. */
  static expand(run: Run, transaction: AdjacencyReads, request: EdgeRequest): boolean {
    const { cursor } = request
    const wasInside = cursor.offset !== 0
    const done = transaction.expand(request)
    const isInside = !done && cursor.offset !== 0
    if (wasInside !== isInside && transaction.leaves !== undefined) {
      const places = OpenPlaces.#of(run, transaction)
      if (isInside) places.#open.add(cursor)
      else places.#open.delete(cursor)
    }
    return done
  }

  /** Releases the place of a read that does not go on. */
  static leave(run: Run, transaction: AdjacencyReads, cursor: Cursor): void {
    if (cursor.offset === 0 || transaction.leaves === undefined) return
    OpenPlaces.#of(run, transaction).#open.delete(cursor)
    transaction.leaves(cursor)
  }

  #leaveAll(): void {
    for (const cursor of this.#open) this.#transaction.leaves?.(cursor)
    this.#open.clear()
  }
}
