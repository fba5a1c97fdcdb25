import { MemoryLimitExceeded, ReadOnlyTransaction, UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { ElementLookup, PropertyReads } from "../../structure/graph/GraphReads.ts"
import { heapRoom } from "../../structure/memory/HeapRoom.ts"
import type { TransactionViews } from "./Application.ts"
import type { GraphData } from "./GraphData.ts"

/** The reads that handles of elements need; the transaction implements them. */
type HandleSource = PropertyReads & ElementLookup

/** The state that all writes of one transaction share. It checks that each write is allowed and fits into memory. */
export class WriteContext {
  readonly transaction: HandleSource
  readonly data: GraphData
  readonly views: TransactionViews
  readonly #readOnly: boolean
  /** Number of writes that the transaction began. */
  changes = 0

  constructor(transaction: HandleSource, data: GraphData, views: TransactionViews, readOnly: boolean) {
    this.transaction = transaction
    this.data = data
    this.views = views
    this.#readOnly = readOnly
  }

  /**
   * Begins a write that adds an estimated number of bytes. Throws StorageFailure if the graph is closed,
   * ReadOnlyTransaction if the transaction cannot write, and MemoryLimitExceeded if the bytes do not fit.
   */
  begin(bytes: number): void {
    this.changes++
    this.views.vertices.assertOpen()
    this.data.assertTakesWrites()
    if (this.#readOnly) throw new ReadOnlyTransaction("This transaction is read-only. Write in another transaction.")
    if (bytes === 0) return
    this.views.vertices.journal.count(bytes)
    this.assertRoom()
  }

  /** Throws MemoryLimitExceeded if the bytes of the transaction exceed the graph's limit or the free heap. */
  assertRoom(): void {
    const { bytes, changeBytes } = this.views.vertices.journal
    if (bytes === 0) return
    const { maxBytes, name } = this.data.options
    // The graph does not get the records of how changes are undone.
    const used = this.data.meter.used + changeBytes
    if (maxBytes !== undefined && used > maxBytes) throw new MemoryLimitExceeded(name, maxBytes)
    if (!heapRoom.hasRoomFor(bytes)) throw new MemoryLimitExceeded(name, undefined)
  }

  /** True if the client gave an id. Throws UnsupportedValue if ids are not `allowed` for elements of the kind `what`. */
  isIdGiven(id: unknown, allowed: boolean, what: string): boolean {
    if (id === undefined || id === null) return false
    if (allowed) return true
    throw new UnsupportedValue(
      `The graph ${this.data.options.name} assigns the id of each ${what} itself: leave the id out, or keep your own id in a property.`
    )
  }
}
