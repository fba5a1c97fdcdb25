import type { Ref } from "../../../structure/elements/Element.ts"
import type { Id } from "../format/Ids.ts"
import { storedEnds } from "../format/PartitionedVertices.ts"
import type { GraphIndex } from "../schema/Schema.ts"
import type { ChangeLog } from "../transaction/ChangeLog.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import { type OwnEntries, textOf } from "../transaction/OwnEntries.ts"
import type { OwnEntry, TextRange } from "../transaction/OwnRow.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import type { CellIndexChoice } from "./IndexChoice.ts"
import { entriesOf, type IndexEntry, type IndexedElement } from "./IndexEntries.ts"

/** Maximum number of own entries that one step of a search reads, without and with a filter. */
const ENTRIES_PER_STEP = 256
const FILTERED_PER_STEP = 8

/** A slice of a search: the name of its row, and its range of columns. */
interface OwnSlice extends TextRange {
  readonly row: string
}

/**
 * The elements that a transaction had changed when a search of an index began: their entries in the snapshot are outdated. Returns
 * those of them that the search would find in their current state.
 */
export class ChangedElements {
  readonly #reading: TransactionView
  readonly #own: Overlay
  readonly #choice: CellIndexChoice
  readonly #partitionBits: number
  readonly #entries: OwnEntries
  readonly #slices: ReadonlyArray<OwnSlice>
  /** When the search began (see {@link ChangeLog}), and the number of edges then. */
  readonly #end: number
  readonly #edgesEnd: number
  /** The own entries in the slices that were read so far. */
  #found: Array<OwnEntry> = []
  /** The slice that is being read. The first one is read when all changes are entered. */
  #slice = -1
  /** The last entry of the slice that was read. */
  #last: OwnEntry | undefined
  /** The version of the entries when the first slice was begun. */
  #version = 0
  #at = 0

  constructor(reading: TransactionView, own: Overlay, choice: CellIndexChoice, partitionBits: number) {
    const { index, slices } = choice
    this.#reading = reading
    this.#own = own
    this.#choice = choice
    this.#partitionBits = partitionBits
    this.#slices = slices.map(({ key, start, end }) => ({
      row: textOf(key),
      start: start && textOf(start),
      end: end && textOf(end)
    }))
    const log = index.element === "vertex" ? own.vertexLog : own.edgeLog
    // A search reads one of the rows of a mixed index.
    const row = index.kind === "mixed" ? this.#slices[0]?.row : undefined
    this.#entries = log.entriesOf(index, row, () => changedElements(reading, index))
    this.#end = log.mark()
    this.#edgesEnd = reading.edges.length
  }

  /** True if an element of the index had been changed when the search began. */
  has(ref: Ref): boolean {
    const { index } = this.#choice
    if (index.element === "edge" && this.#own.newEdgeSet.has(ref)) return ref < this.#edgesEnd
    const vertex = index.element === "vertex" ? this.#own.vertices.get(ref) : undefined
    if (vertex !== undefined && (vertex.removed || vertex.isNew)) return vertex.removed || vertex.since < this.#end
    const changes = index.element === "vertex" ? vertex?.changes : this.#own.edgeChanges.get(ref)
    if (changes === undefined) return false
    for (const { name } of index.fields) if ((changes.get(name)?.since ?? this.#end) < this.#end) return true
    return false
  }

  /**
   * Does one step of the search. Returns an element that it finds, -1 if it finds none in this step, and undefined at the end. May
   * return an element more than once.
   */
  next(): Ref | undefined {
    if (this.#slice < this.#slices.length) {
      if (!this.#isBegun()) return -1
      this.#readSlice()
      return -1
    }
    const found = this.#found[this.#at++]
    if (found === undefined) return undefined
    const { ref } = found
    if (!this.has(ref)) return -1
    if (this.#entries.isOutdated(ref)) this.#enter(ref)
    const entries = this.#entries.of(ref)
    // An element that was entered again has other entries.
    if (entries.includes(found)) return ref
    return this.#slices.some((slice) => entries.some((entry) => isIn(slice, entry) && this.#passes(entry))) ? ref : -1
  }

  /** Enters one changed element, or begins with the slices again if entries that were read may have moved. False before the slices. */
  #isBegun(): boolean {
    if (this.#slice === -1) {
      const ref = this.#entries.nextOutdated()
      if (ref !== undefined) {
        this.#enter(ref)
        return false
      }
    } else if (this.#version === this.#entries.version) return true
    this.#version = this.#entries.version
    this.#slice = 0
    this.#last = undefined
    this.#found = []
    return true
  }

  #readSlice(): void {
    const max = this.#choice.filter === undefined ? ENTRIES_PER_STEP : FILTERED_PER_STEP
    const slice = this.#slices[this.#slice]
    const row = slice && this.#entries.rowNamed(slice.row)
    const read = row?.read(slice!, this.#last, max) ?? []
    for (const entry of read) if (this.#passes(entry)) this.#found.push(entry)
    this.#last = read.at(-1)
    if (read.length === max) return
    this.#slice++
    this.#last = undefined
  }

  #passes({ column }: OwnEntry): boolean {
    return this.#choice.filter?.(Buffer.from(column, "latin1")) ?? true
  }

  #enter(ref: Ref): void {
    this.#entries.enter(ref, isChanged(this.#own, this.#choice.index, ref) ? this.#cells(ref) : [])
  }

  /** The entries of the current state of an element; none for a removed one. */
  #cells(ref: Ref): ReadonlyArray<IndexEntry> {
    const reading = this.#reading
    const { index } = this.#choice
    const isVertex = index.element === "vertex"
    if (!(isVertex ? reading.hasVertex(ref) : reading.hasEdge(ref))) return []
    return entriesOf(index, this.#element(ref), (key) => {
      if (isVertex) {
        const entries = reading.state(ref, key.name)?.entries ?? []
        return entries.map(({ id, value }) => ({ relation: id as Id, value }))
      }
      const value = reading.edgeValue(ref, key.name)
      return value === undefined ? [] : [{ relation: 0, value }]
    })
  }

  #element(ref: Ref): IndexedElement {
    const { edges, schema, vertexRefs } = this.#reading
    if (this.#choice.index.element === "vertex") {
      const label = schema.vertexLabels.get(this.#reading.vertexLabel(ref))?.id ?? 0
      return { kind: "vertex", id: vertexRefs.id(ref), label, inline: () => undefined }
    }
    const [out, into] = [vertexRefs.id(edges.out(ref)), vertexRefs.id(edges.in(ref))]
    const [relation, type] = [edges.relation(ref), edges.type(ref)]
    return { kind: "edge", relation, label: type.id, ...storedEnds(type, relation, out, into, this.#partitionBits) }
  }
}

const isIn = ({ end, row: name, start }: OwnSlice, { column, row }: OwnEntry): boolean =>
  row.name === name && (start === undefined || column >= start) && (end === undefined || column < end)

/** True if a transaction created or removed the element, or changed a field of the index. */
const isChanged = (own: Overlay, { element, fields }: GraphIndex, ref: Ref): boolean => {
  const vertex = element === "vertex" ? own.vertices.get(ref) : undefined
  if (element === "edge" ? own.newEdgeSet.has(ref) : vertex?.isNew || vertex?.removed) return true
  const changes = element === "vertex" ? vertex?.changes : own.edgeChanges.get(ref)
  return changes !== undefined && fields.some(({ name }) => changes.has(name))
}

/** The elements that the transaction created, the vertices that it removed, and elements with a changed field of the index. */
export function* changedElements({ own }: TransactionView, index: GraphIndex): Generator<Ref, void> {
  if (own === null) return
  if (index.element === "vertex") {
    for (const ref of own.vertices.keys()) if (isChanged(own, index, ref)) yield ref
    return
  }
  yield* own.newEdges
  for (const ref of own.edgeChanges.keys()) if (!own.newEdgeSet.has(ref) && isChanged(own, index, ref)) yield ref
}

/** True if the transaction has changed an element of the index. */
export const hasChangedElements = (reading: TransactionView, index: GraphIndex): boolean =>
  changedElements(reading, index).next().done !== true
