import type { PropertyState } from "../../shared/Properties.ts"
import { CellCursor, type Cells, compareBytes } from "../cells/Cells.ts"
import type { Slab } from "../cells/Slab.ts"
import type { VertexId } from "../format/Ids.ts"
import { prefixes, typeIdOfHeader } from "../format/RelationTypes.ts"
import type { Adjacency } from "./DecodedEdges.ts"
import { type Header, headerKey } from "./Headers.ts"

/** Cells of one row that begin with the same header: properties under one key, or edges of one label and direction. */
export class Group {
  readonly key: number
  readonly prefix: number
  readonly isIn: boolean
  readonly bytes: Uint8Array
  /** Where the first cell begins and the last one ends. */
  readonly start: number
  end: number
  count = 0
  /** Further cells of the same group, from another piece of the row. */
  next: Group | null = null
  /** Decoded when asked for: edges, or what is under a property key (null: not decoded). */
  adjacency: Adjacency | null = null
  state: PropertyState | null = null
  /** Edges were given out of the cells themselves before: who asks again has them decoded. */
  wasRead = false

  constructor(prefix: number, number: number, bytes: Uint8Array, start: number) {
    this.key = headerKey(prefix, number)
    this.prefix = prefix
    this.isIn = number % 2 === 1
    this.bytes = bytes
    this.start = start
    this.end = start
  }

  get typeId(): number {
    return typeIdOfHeader(this.prefix, (this.key - this.prefix) / 8)
  }
}

const cursor = new CellCursor()

/** The cells with the same header as the first one of these. */
const groupAt = (bytes: Uint8Array, start: number, end: number): Group => {
  cursor.within(bytes, start, end).next()
  let at = cursor.columnStart
  const first = bytes[at++]!
  let number = first & 15
  if ((first & 16) !== 0) {
    let byte: number
    do {
      byte = bytes[at++]!
      number = number * 128 + (byte & 127)
    } while (byte < 128)
  }
  const header = cursor.columnStart
  const length = at - header
  const group = new Group(first >> 5, number, bytes, start)
  do {
    group.count++
    group.end = cursor.following
  } while (cursor.next() && hasHeader(bytes, cursor.columnStart, header, length))
  return group
}

const hasHeader = (bytes: Uint8Array, column: number, header: number, length: number): boolean => {
  for (let i = 0; i < length; i++) if (bytes[column + i] !== bytes[header + i]) return false
  return true
}

/** Cuts packed cells into groups, in the order of their columns. */
export const groupsOf = ({ bytes, start, end }: Cells): Array<Group> => {
  const groups: Array<Group> = []
  for (let at = start; at < end; ) {
    const group = groupAt(bytes, at, end)
    groups.push(group)
    at = group.end
  }
  return groups
}

/** As much of a vertex's row as was read. */
export class VertexRow {
  readonly id: VertexId
  /** Those that were cut out of the cells so far. */
  #groups: Array<Group> = []
  #cells: Cells
  /** Where the cells begin that were not cut into groups yet: most rows are asked for one or two groups. */
  #uncut: number
  /** True when the row has no other cells. */
  complete: boolean
  /** Everything before this column is here; null when that says nothing. */
  readonly knownTo: Uint8Array | null
  /** All cells of properties, and of all edges, are here. */
  propertiesHere = false
  edgesHere = false
  /** Id of the vertex's label, 0 without one; -1 while it was not read. */
  label = -1
  /** Groups that were read one by one. */
  #loaded: Set<number> | null = null

  /** `knownTo`: see there; of a row that is not complete. */
  constructor(id: VertexId, cells: Cells, complete: boolean, knownTo: Uint8Array | null) {
    this.id = id
    this.#cells = cells
    this.#uncut = cells.start
    this.complete = complete
    this.knownTo = knownTo
  }

  /** What the cells take that were read first. */
  get bytes(): number {
    return this.#cells.end - this.#cells.start
  }

  /** In the order of their columns, as far as read in one piece. */
  get groups(): ReadonlyArray<Group> {
    while (this.#uncut < this.#cells.end) this.#cut()
    return this.#groups
  }

  #cut(): Group {
    const { bytes, end } = this.#cells
    const group = groupAt(bytes, this.#uncut, end)
    this.#uncut = group.end
    this.#groups.push(group)
    return group
  }

  /** Goes over to a copy of its cells, unless others were read by themselves: those that it has may be of many bytes. */
  moveTo(slab: Slab): void {
    if (this.#loaded !== null || this.propertiesHere || this.edgesHere) return
    const { bytes, start, end } = this.#cells
    this.#cells = slab.copy(bytes, start, end)
    this.#uncut = this.#cells.start
    this.#groups = []
  }

  /** The cells with this header, undefined when there are none; ask {@link knows} first. */
  find(key: number): Group | undefined {
    const groups = this.#groups
    for (let i = 0; i < groups.length; i++) if (groups[i]!.key === key) return groups[i]
    while (this.#uncut < this.#cells.end) {
      const group = this.#cut()
      if (group.key === key) return group
      // Columns begin with their prefix: nothing behind a larger one is it.
      if (group.prefix > key % 8) return undefined
    }
    return undefined
  }

  /** True when every cell with this header is here. */
  knows(header: Header): boolean {
    if (this.complete) return true
    if (this.knownTo !== null && isBefore(header.bytes, this.knownTo)) return true
    const prefix = header.key % 8
    if (this.propertiesHere && prefix < prefixes.edge) return true
    if (this.edgesHere && prefix === prefixes.edge) return true
    return this.#loaded?.has(header.key) ?? false
  }

  /** Adds all cells with a header that were read by themselves. */
  addGroup(header: Header, pieces: ReadonlyArray<Cells>): void {
    this.#groups = this.groups.filter(({ key }) => key !== header.key)
    this.#addPieces(pieces)
    this.#loaded ??= new Set()
    this.#loaded.add(header.key)
  }

  /** Adds all cells of properties. */
  addProperties(cells: Cells): void {
    if (this.propertiesHere) return
    this.#groups = [...groupsOf(cells), ...this.groups.filter(({ prefix }) => prefix >= prefixes.edge)]
    this.propertiesHere = true
  }

  /** Adds all cells of edges. */
  addEdges(cells: Cells): void {
    if (this.edgesHere) return
    this.#groups = [...this.groups.filter(({ prefix }) => prefix !== prefixes.edge), ...groupsOf(cells)]
    this.edgesHere = true
  }

  #addPieces(pieces: ReadonlyArray<Cells>): void {
    let last: Group | undefined
    for (const cells of pieces) {
      for (const group of groupsOf(cells)) {
        if (last !== undefined && last.key === group.key) last.next = group
        else this.#groups.push(group)
        last = group
      }
    }
  }
}

/** True when all columns with the header are before the column. */
const isBefore = (header: Uint8Array, column: Uint8Array): boolean => {
  if (compareBytes(header, 0, header.length, column, 0, column.length) >= 0) return false
  const length = Math.min(header.length, column.length)
  return compareBytes(header, 0, header.length, column, 0, length) !== 0
}
