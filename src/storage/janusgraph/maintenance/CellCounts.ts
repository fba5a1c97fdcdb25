import type { GraphCounts } from "../../../structure/graph/GraphReads.ts"
import type { CellSnapshot } from "../cells/CellStore.ts"
import { readCounts } from "../commit/Counters.ts"
import { DEFAULT_VERTEX_LABEL } from "../schema/Schema.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"

/** The element counts that a transaction sees: those of its snapshot with its own changes. */
export class CellCounts implements GraphCounts {
  readonly #reading: TransactionView
  readonly #snapshot: CellSnapshot
  readonly #kept: boolean

  /** `kept`: the store has element counts and answers at once. */
  constructor(reading: TransactionView, snapshot: CellSnapshot, kept: boolean) {
    this.#reading = reading
    this.#snapshot = snapshot
    this.#kept = kept
  }

  vertices(labels: readonly string[] | null): number | undefined {
    return this.#count("vertex", labels)
  }

  edges(labels: readonly string[] | null): number | undefined {
    return this.#count("edge", labels)
  }

  #count(kind: "vertex" | "edge", labels: readonly string[] | null): number | undefined {
    this.#reading.assertOpen()
    if (!this.#areKept()) return undefined
    const counts = readCounts(this.#snapshot, kind)
    const { own, schema } = this.#reading
    const changes = kind === "vertex" ? own?.vertexCounts : own?.edgeCounts
    let count = 0
    if (labels === null) {
      for (const each of counts.values()) count += each
      for (const change of changes?.values() ?? []) count += change
      return count
    }
    const types = kind === "vertex" ? schema.vertexLabels : schema.labels
    for (const name of new Set(labels)) {
      const id = kind === "vertex" && !types.has(name) ? 0 : types.get(name)?.id
      const known = id !== 0 || name === "vertex" ? counts.get(id ?? -1) : 0
      count += (known ?? 0) + (changes?.get(name) ?? 0)
    }
    return count
  }

  byLabel(kind: "vertex" | "edge"): ReadonlyMap<string, number> | undefined {
    this.#reading.assertOpen()
    if (!this.#areKept()) return undefined
    const { own, schema } = this.#reading
    const found = new Map<string, number>()
    for (const [id, count] of readCounts(this.#snapshot, kind)) {
      const label =
        kind === "edge" ? schema.type(id)?.name : id === 0 ? DEFAULT_VERTEX_LABEL : schema.vertexLabel(id)?.name
      if (label !== undefined) found.set(label, count)
    }
    for (const [label, change] of (kind === "vertex" ? own?.vertexCounts : own?.edgeCounts) ?? []) {
      const count = (found.get(label) ?? 0) + change
      if (count > 0) found.set(label, count)
      else found.delete(label)
    }
    return found
  }

  /** False in a graph with TTLs: elements that expire are not subtracted from the counts. */
  #areKept(): boolean {
    return this.#kept && this.#reading.schema.expires === undefined
  }
}
