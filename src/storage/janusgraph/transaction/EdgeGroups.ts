import { prefixes } from "../format/RelationTypes.ts"
import { EDGES_END, EDGES_START } from "../rows/Headers.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import { type Group, groupsOf, type VertexRow } from "../rows/Row.ts"
import type { RowSource } from "../rows/RowSource.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"

/**
 * Iterates over the groups of edges of a vertex in one direction. Groups that are not cached are read page by page and
 * not kept, so that a vertex with a million edges takes no more memory than one with few.
 */
export class EdgeGroups {
  readonly #rows: RowSource
  readonly #row: VertexRow
  readonly #isIn: boolean
  readonly #labels: CellLabelSet | null
  /** Groups that were read; the next labels, or the next page, follow them. */
  #ready: ReadonlyArray<Group>
  #at = 0
  #chained: Group | null = null
  /** Index of the next label to read. */
  #label = 0
  #from: Uint8Array | undefined
  #end: Uint8Array = EDGES_END
  /** The number of edges in the groups before the current one. */
  passed = 0

  constructor(rows: RowSource, row: VertexRow, isIn: boolean, labels: CellLabelSet | null) {
    this.#rows = rows
    this.#row = row
    this.#isIn = isIn
    this.#labels = labels
    if (labels === null) {
      const isComplete = row.complete || row.hasAllEdges
      this.#ready = isComplete
        ? row.groups.filter((group) => group.prefix === prefixes.edge && group.isIn === isIn)
        : []
      this.#from = isComplete ? undefined : EDGES_START
    } else {
      this.#ready = []
      this.#advanceLabel()
    }
  }

  /** The current group, null at the end. */
  current(): Group | null {
    while (this.#at >= this.#ready.length) if (!this.#read()) return null
    return this.#chained ?? this.#ready[this.#at]!
  }

  /** Moves to the next group and returns it; null at the end. */
  next(): Group | null {
    const group = this.#chained ?? this.#ready[this.#at]!
    this.passed += group.count
    this.#chained = group.next
    if (this.#chained === null) this.#at++
    return this.current()
  }

  /** True when the current group is the last one. */
  get isLast(): boolean {
    const group = this.#chained ?? this.#ready[this.#at]!
    const more = group.next !== null || this.#at + 1 < this.#ready.length || this.#from !== undefined
    return !more && (this.#labels === null || this.#label >= this.#labels.known.length)
  }

  /** Reads more groups; false at the end. */
  #read(): boolean {
    if (this.#from !== undefined) {
      this.#readPage()
      return true
    }
    if (this.#labels === null || this.#label >= this.#labels.known.length) return false
    this.#advanceLabel()
    return true
  }

  /** Goes to the next label: takes its group where the row has it, and reads the first page of its cells otherwise. */
  #advanceLabel(): void {
    const headers = this.#labels!.known[this.#label++]
    this.#at = 0
    this.#ready = []
    if (headers === undefined) return
    const header = this.#isIn ? headers.in : headers.out
    if (this.#row.knows(header)) {
      const group = this.#row.find(header.key)
      if (group !== undefined) this.#ready = [group]
      return
    }
    const copies = this.#isIn ? headers.inCopies : headers.outCopies
    if (copies !== undefined) {
      this.#from = copies.start
      this.#end = copies.end
      this.#readPage()
      return
    }
    const page = this.#rows.page(this.#row.id, header.bytes, header.end)
    if (!page.more) {
      this.#row.addGroup(header, [page.cells])
      const group = this.#row.find(header.key)
      if (group !== undefined) this.#ready = [group]
      return
    }
    this.#ready = groupsOf(page.cells)
    this.#from = after(lastColumn(page.cells))
    this.#end = header.end
  }

  #readPage(): void {
    const page = this.#rows.page(this.#row.id, this.#from!, this.#end)
    this.#at = 0
    this.#ready = groupsOf(page.cells).filter(({ isIn }) => isIn === this.#isIn)
    this.#from = page.more ? after(lastColumn(page.cells)) : undefined
  }
}
