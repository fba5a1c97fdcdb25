import type { Ref } from "../../../structure/elements/Element.ts"
import { compareColumns, sameBytes } from "../cells/Cells.ts"
import type { Id } from "../format/Ids.ts"
import { storedEnds } from "../format/PartitionedVertices.ts"
import type { GraphIndex } from "../schema/Schema.ts"
import { after } from "../schema/SchemaRead.ts"
import type { ChangeLog, OwnRows } from "../transaction/ChangeLog.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import type { OwnColumn, OwnColumns } from "../transaction/OwnColumns.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import type { CellIndexChoice } from "./IndexChoice.ts"
import { entriesOf, fieldRow, type IndexEntry, type IndexedElement } from "./IndexEntries.ts"
import { isInside } from "./Ranges.ts"

/** An element that may be in the answer, and the row in which it was found. */
interface Candidate {
  readonly ref: Ref
  readonly row: Uint8Array
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
  readonly #log: ChangeLog
  /** The length of the log, and the number of edges, when the search began. */
  readonly #end: number
  readonly #edgesEnd: number
  /** The elements by rows of a composite index; undefined for other indexes. */
  readonly #rows: OwnRows | undefined
  #candidates: ReadonlyArray<Candidate> | undefined
  /** The sorted entries in the row of another index. Undefined for an index of words, which looks at each changed element. */
  readonly #columns: OwnColumns | undefined
  #areEntered = false
  /** The slice whose entries are looked at, the entries that follow, and where the next page of them begins. */
  #slice = 0
  #page: ReadonlyArray<OwnColumn> = []
  #from: Uint8Array | undefined
  #at = 0

  constructor(reading: TransactionView, own: Overlay, choice: CellIndexChoice, partitionBits: number) {
    const { index } = choice
    this.#reading = reading
    this.#own = own
    this.#choice = choice
    this.#partitionBits = partitionBits
    this.#log = index.element === "vertex" ? own.vertexLog : own.edgeLog
    this.#end = this.#log.mark()
    this.#edgesEnd = reading.edges.length
    this.#rows = index.kind === "equality" ? this.#log.rowsOf(index.id) : undefined
    const first = choice.slices[0]
    const isSorted = this.#rows === undefined && first !== undefined && !searchesWords(choice)
    this.#columns = isSorted ? this.#log.columnsOf(first.key) : undefined
    this.#from = first?.start
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
   * Looks at one changed element. Returns it if the search finds it, -1 if not, and undefined at the end. May return an element more
   * than once.
   */
  next(): Ref | undefined {
    if (this.#rows !== undefined) return this.#nextOfRows(this.#rows)
    return this.#columns === undefined ? this.#nextOfLog() : this.#nextOfColumns(this.#columns)
  }

  #nextOfLog(): Ref | undefined {
    if (this.#at >= this.#end) return undefined
    const ref = this.#log.refs[this.#at++]!
    return this.has(ref) && this.#entries(ref).some((entry) => this.#fits(entry)) ? ref : -1
  }

  #fits({ column, key }: IndexEntry): boolean {
    const { filter, slices } = this.#choice
    if (filter !== undefined && !filter(column)) return false
    return slices.some(({ key: row, start, end }) => sameBytes(row, key) && isInside({ start, end }, column))
  }

  #nextOfRows(rows: OwnRows): Ref | undefined {
    if (this.#candidates === undefined) {
      if (this.#enterNext(rows)) return -1
      this.#candidates = this.#choice.slices.flatMap(({ key }) =>
        Array.from(rows.of(key), (ref) => ({ ref, row: key }))
      )
    }
    const candidate = this.#candidates[this.#at++]
    if (candidate === undefined) return undefined
    const { ref, row } = candidate
    if (this.#entries(ref).some(({ key }) => sameBytes(key, row))) return this.has(ref) ? ref : -1
    if (rows.entered === this.#log.refs.length) rows.remove(row, ref)
    return -1
  }

  /** Enters the entries of one more changed element. Returns false if those of all are entered. */
  #enterNext(entries: OwnRows | OwnColumns): boolean {
    if (entries.entered >= this.#log.refs.length) return false
    const ref = this.#log.refs[entries.entered++]!
    // The element may change again before the next call.
    this.#log.mark()
    if (isChanged(this.#own, this.#choice.index, ref)) for (const entry of this.#entries(ref)) entries.add(entry, ref)
    return true
  }

  #nextOfColumns(columns: OwnColumns): Ref | undefined {
    if (!this.#areEntered && this.#enterNext(columns)) return -1
    this.#areEntered = true
    const candidate = this.#nextColumn(columns)
    if (candidate === undefined) return undefined
    const { column, ref } = candidate
    const { filter, slices } = this.#choice
    if (filter !== undefined && !filter(column)) return -1
    const row = slices[0]!.key
    const isCurrent = this.#entries(ref).some((entry) => sameBytes(entry.column, column) && sameBytes(entry.key, row))
    if (isCurrent) return this.has(ref) ? ref : -1
    if (columns.entered === this.#log.refs.length) columns.remove(column)
    return -1
  }

  /** The next entry in the slices; undefined at the end. Other searches may change the entries between two calls. */
  #nextColumn(columns: OwnColumns): OwnColumn | undefined {
    const { slices } = this.#choice
    while (this.#slice < slices.length) {
      if (this.#at >= this.#page.length) {
        this.#page = columns.page(this.#from)
        this.#at = 0
      }
      const entry = this.#page[this.#at++]
      const { end } = slices[this.#slice]!
      if (entry !== undefined && (end === undefined || compareColumns(entry.column, end) < 0)) {
        if (this.#at >= this.#page.length) this.#from = after(entry.column)
        return entry
      }
      this.#from = slices[++this.#slice]?.start
      this.#page = []
    }
    return undefined
  }

  /** The entries of the current state of an element; none for a removed one. */
  #entries(ref: Ref): ReadonlyArray<IndexEntry> {
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

/** True for a search in the words of a field: an element may have very many of them. */
const searchesWords = ({ index, slices }: CellIndexChoice): boolean =>
  index.kind === "mixed" &&
  index.fields.some(
    (key, at) => index.forms[at]!.includes("text") && sameBytes(fieldRow(index, key, "text"), slices[0]!.key)
  )

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
