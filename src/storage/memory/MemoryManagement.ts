import { nextTurn } from "../../scheduling/NextTurn.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { GraphManagement, IndexCallOptions, NewIndexOptions } from "../../structure/graph/GraphStore.ts"
import { notUnique } from "./Conflicts.ts"
import type { ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { HashIndex, indexKeys } from "./HashIndex.ts"

/** Milliseconds of one slice of an index build; between two slices the event loop serves others. */
const SLICE_MS = 2

/** Creates and drops the indexes of a graph in memory. */
export class MemoryManagement implements GraphManagement {
  readonly #data: GraphData
  readonly #building = new Map<HashIndex, Promise<void>>()

  constructor(data: GraphData) {
    this.#data = data
  }

  async createIndex(key: string, element: "vertex" | "edge", options: NewIndexOptions = {}): Promise<void> {
    this.#data.assertOpen()
    if (key === "") throw new UnsupportedValue("The key for the index cannot be an empty string")
    if (this.#data.commits.isBusy) {
      await this.#wholeCommits()
      this.#data.assertOpen()
    }
    const table = this.#table(element)
    const existing = table.indexes.get(key)
    if (existing !== undefined) return this.#building.get(existing)
    const index = new HashIndex(key, options.unique ?? false, this.#data.clock.version, this.#data.meter)
    table.indexes.set(key, index)
    const column = table.column(key)
    if (column !== undefined) column.index = index
    const building = this.#build(table, index)
      .catch((error: unknown) => {
        // An index that is not being built must not be found by later calls.
        if (table.indexes.get(key) === index) this.#remove(table, index)
        throw error
      })
      .finally(() => this.#building.delete(index))
    this.#building.set(index, building)
    options.goesOn?.()
    return building
  }

  /**
   * While a long commit is made, only some of its changes are applied: two elements that exchange their values have the same
   * one for some time, and its checks were made without the new index.
   */
  async #wholeCommits(): Promise<void> {
    while (this.#data.commits.isBusy) await this.#data.commits.free()
  }

  /** Adds all elements of the newest state, in slices; commits that are made meanwhile update the index themselves. */
  async #build(table: ElementTable, index: HashIndex): Promise<void> {
    const slice = new TimeSlice(performance.now() + SLICE_MS)
    for (let slot = 0; slot < table.high; slot++) {
      if (slice.isOver()) {
        await nextTurn()
        await this.#wholeCommits()
        if (table.indexes.get(index.key) !== index) return
        slice.restart(performance.now() + SLICE_MS)
      }
      if (!table.isAlive(slot)) continue
      const value = table.column(index.key)?.values.get(slot)
      for (const key of indexKeys(value)) {
        if (index.unique && this.#isTaken(table, index, key, slot)) throw notUnique(index, key)
        index.add(key, slot)
      }
    }
    index.ready = true
  }

  #isTaken(table: ElementTable, index: HashIndex, key: unknown, except: number): boolean {
    const found = new Int32Array(Math.max(1, index.size(key)))
    const count = index.read(key, -1, found.length, found, 0)
    return found.subarray(0, count).some((slot) => {
      if (slot === except || !table.isAlive(slot)) return false
      return index.holds(key, table.column(index.key)?.values.get(slot))
    })
  }

  dropIndex(key: string, element: "vertex" | "edge", options: IndexCallOptions = {}): Promise<void> {
    const table = this.#table(element)
    const index = table.indexes.get(key)
    if (index !== undefined) {
      this.#remove(table, index)
      options.goesOn?.()
    }
    return Promise.resolve()
  }

  #remove(table: ElementTable, index: HashIndex): void {
    index.discard()
    table.indexes.delete(index.key)
    const column = table.column(index.key)
    if (column !== undefined) column.index = null
  }

  /** Keys whose index can be used. */
  indexedKeys(element: "vertex" | "edge"): readonly string[] {
    return [...this.#table(element).indexes.values()].filter(({ ready }) => ready).map(({ key }) => key)
  }

  #table(element: "vertex" | "edge"): ElementTable {
    return element === "vertex" ? this.#data.vertices : this.#data.edges
  }
}
