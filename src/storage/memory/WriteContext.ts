import type { ElementLookup, PropertyReads } from "../../structure/GraphReads.ts"
import { heapRoom } from "../../structure/HeapRoom.ts"
import { MemoryLimitExceeded, ReadOnlyTransaction, UnsupportedValue } from "../../structure/StoreErrors.ts"
import type { TransactionViews } from "./Application.ts"
import type { GraphData } from "./GraphData.ts"

/** What handles of elements read: the transaction. */
type HandleSource = PropertyReads & ElementLookup

/** What the writes of one transaction have in common: where they go, and whether they are allowed. */
export class WriteContext {
  readonly transaction: HandleSource
  readonly data: GraphData
  readonly views: TransactionViews
  readonly #readOnly: boolean
  /** How often the transaction changed the graph. */
  changes = 0
  #bytes = 0

  constructor(transaction: HandleSource, data: GraphData, views: TransactionViews, readOnly: boolean) {
    this.transaction = transaction
    this.data = data
    this.views = views
    this.#readOnly = readOnly
  }

  /** Estimated bytes that the transaction adds. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Begins a write that adds about so many bytes. Throws StorageFailure for a closed graph, ReadOnlyTransaction, or
   * MemoryLimitExceeded.
   */
  begin(bytes: number): void {
    this.changes++
    this.views.vertices.assertOpen()
    this.data.assertTakesWrites()
    if (this.#readOnly) throw new ReadOnlyTransaction("This transaction only reads; write in another one.")
    this.#bytes += bytes
    if (bytes > 0) this.assertRoom()
  }

  /** Throws MemoryLimitExceeded when what the transaction adds does not fit. */
  assertRoom(): void {
    if (this.#bytes === 0) return
    const { maxBytes, name } = this.data.options
    if (maxBytes !== undefined && this.data.meter.used + this.#bytes > maxBytes) {
      throw new MemoryLimitExceeded(name, maxBytes)
    }
    if (!heapRoom.hasRoomFor(this.#bytes)) throw new MemoryLimitExceeded(name, undefined)
  }

  /** True when the client gave an id; throws UnsupportedValue when the graph takes no ids for `what`. */
  isIdGiven(id: unknown, allowed: boolean, what: string): boolean {
    if (id === undefined || id === null) return false
    if (allowed) return true
    throw new UnsupportedValue(
      `The graph ${this.data.options.name} makes the id of each ${what} itself: leave the id out, or keep your own id in a property.`
    )
  }
}
