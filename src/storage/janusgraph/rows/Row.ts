import type { PropertyState } from "../../shared/Properties.ts"
import { CellCursor, type Cells, compareBytes } from "../cells/Cells.ts"
import type { Slab } from "../cells/Slab.ts"
import type { VertexId } from "../format/Ids.ts"
import { prefixes, typeIdOfHeader } from "../format/RelationTypes.ts"
import type { Adjacency } from "./DecodedEdges.ts"
import { type Header, headerKey, PROPERTIES_END } from "./Headers.ts"

/** The cells of one row with the same header: the properties of one key, or the edges of one label and direction. */
export class Group {
  readonly key: number
  readonly prefix: number
  readonly isIn: boolean
  readonly bytes: Uint8Array
  /** The range of the cells in {@link bytes}. */
  readonly start: number
  end: number
  /** The number of cells in the range. */
  count = 0
  /** Further cells of the same header, from the next page of the row. */
  next: Group | null = null
  /** The decoded edges; null until they are needed. */
  adjacency: Adjacency | null = null
  /** The decoded values of a property key; null until they are needed. */
  state: PropertyState | null = null
  /** The edges were read once without being kept; the next read decodes and keeps them. */
  wasRead = false
  /** The ref of the edge for which the first table of edges counted the group; -1 before. Several transactions share cached groups. */
  countedFor = -1

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

/** Estimated bytes of a row in memory, besides its cells. */
export const ROW_BYTES = 300

/** A row with more groups has a table of them: to search them all for each key of a vertex would take quadratic time. */
const FEW_GROUPS = 32

const cursor = new CellCursor()

/** The first cell of a range and the cells after it with the same header. */
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

/** Splits packed cells into groups, in the order of their columns. */
export const groupsOf = ({ bytes, start, end }: Cells): Array<Group> => {
  if (start >= end) return []
  const first = groupAt(bytes, start, end)
  // Mostly the only one. Adding to an empty array would reserve places for seventeen.
  const groups = [first]
  for (let at = first.end; at < end; ) {
    const group = groupAt(bytes, at, end)
    groups.push(group)
    at = group.end
  }
  return groups
}

/** The part of a vertex's row that was read so far. */
export class VertexRow {
  readonly id: VertexId
  /** The groups that were found in the cells so far. */
  #groups: Array<Group> = []
  #cells: Cells
  /** Where the cells begin that are not split into groups yet. Most readers of a row need only one or two groups. */
  #unsplit: number
  /** True when all cells of the row were read. */
  complete: boolean
  /** All cells before this column were read; null when no such column is known. */
  readonly knownTo: Uint8Array | null
  /** True when all cells of properties were read. */
  hasAllProperties = false
  /** True when all cells of edges were read. */
  hasAllEdges = false
  /** The id of the vertex's label; 0 for the default label; -1 until it was read. */
  label = -1
  /** Keys of the headers whose groups were read separately: mostly few, and a Set in each row would be a large part of a request. */
  #loaded: Array<number> | Set<number> | null = null
  /** The groups by their keys, if there are many. The first one of a key wins. */
  #byKey: Map<number, Group> | null = null

  /** `knownTo` is for a row that is not complete; see the field. */
  constructor(id: VertexId, cells: Cells, complete: boolean, knownTo: Uint8Array | null) {
    this.id = id
    this.#cells = cells
    this.#unsplit = cells.start
    this.complete = complete
    this.knownTo = knownTo
  }

  /** The size of the cells of the first read, in bytes. */
  get bytes(): number {
    return this.#cells.end - this.#cells.start
  }

  /**
   * All groups that were read. Groups that were read separately come last; the others are in the order of their
   * columns.
   */
  get groups(): ReadonlyArray<Group> {
    while (this.#unsplit < this.#cells.end) this.#split()
    return this.#groups
  }

  #split(): Group {
    const { bytes, end } = this.#cells
    const group = groupAt(bytes, this.#unsplit, end)
    this.#unsplit = group.end
    this.#push(group)
    return group
  }

  #push(group: Group): void {
    this.#groups.push(group)
    if (this.#byKey !== null && !this.#byKey.has(group.key)) this.#byKey.set(group.key, group)
  }

  #replaceGroups(groups: Array<Group>): void {
    this.#groups = groups
    this.#byKey = null
  }

  /**
   * Replaces the cells by a copy in the slab, so that the buffer of the read can be freed or reused. A row with groups
   * that were read separately keeps its cells.
   */
  moveTo(slab: Slab): void {
    if (this.#loaded !== null || this.hasAllProperties || this.hasAllEdges) return
    const { bytes, start, end } = this.#cells
    this.#cells = slab.copy(bytes, start, end)
    this.#unsplit = this.#cells.start
    this.#replaceGroups([])
  }

  /**
   * The group with this header key. Undefined means that the row has no such group only if {@link knows} is true for the header.
   */
  find(key: number): Group | undefined {
    const groups = this.#groups
    if (groups.length > FEW_GROUPS) return this.#findAmongMany(key)
    for (let i = 0; i < groups.length; i++) if (groups[i]!.key === key) return groups[i]
    while (this.#unsplit < this.#cells.end) {
      const group = this.#split()
      if (group.key === key) return group
      // Groups are sorted by prefix first: the group cannot follow one with a larger prefix.
      if (group.prefix > key % 8) return undefined
    }
    return undefined
  }

  #findAmongMany(key: number): Group | undefined {
    const { groups } = this
    if (this.#byKey === null) {
      this.#byKey = new Map()
      for (const group of groups) if (!this.#byKey.has(group.key)) this.#byKey.set(group.key, group)
    }
    return this.#byKey.get(key)
  }

  /** True when all cells of properties were read, also as the beginning of the row. */
  get knowsProperties(): boolean {
    if (this.complete || this.hasAllProperties) return true
    const known = this.knownTo
    return known !== null && compareBytes(known, 0, known.length, PROPERTIES_END, 0, PROPERTIES_END.length) >= 0
  }

  /** True when all cells with this header were read. */
  knows(header: Header): boolean {
    if (this.complete) return true
    if (this.knownTo !== null && isBefore(header.bytes, this.knownTo)) return true
    const prefix = header.key % 8
    if (this.hasAllProperties && prefix < prefixes.edge) return true
    if (this.hasAllEdges && prefix === prefixes.edge) return true
    return this.#hasLoaded(header.key)
  }

  /** Adds all cells with a header, which were read separately as pages. */
  addGroup(header: Header, pages: ReadonlyArray<Cells>): void {
    this.#forget(header)
    this.#addPages(pages)
    this.#noteLoaded(header)
  }

  /** Adds all cells with one of the headers, which were read separately as pages. */
  addGroups(headers: ReadonlyArray<Header>, pages: ReadonlyArray<Cells>): void {
    for (const header of headers) this.#forget(header)
    this.#addPages(pages)
    for (const header of headers) this.#noteLoaded(header)
  }

  #forget({ key }: Header): void {
    // Mostly the row has no such group. All groups are split, because those that are read separately come last.
    if (this.groups.length > 0 && this.find(key) !== undefined) {
      this.#replaceGroups(this.#groups.filter((group) => group.key !== key))
    }
  }

  #hasLoaded(key: number): boolean {
    const loaded = this.#loaded
    return loaded !== null && (Array.isArray(loaded) ? loaded.includes(key) : loaded.has(key))
  }

  #noteLoaded({ key }: Header): void {
    if (this.#loaded === null) this.#loaded = [key]
    else if (this.#hasLoaded(key)) return
    else if (!Array.isArray(this.#loaded)) this.#loaded.add(key)
    else if (this.#loaded.push(key) > FEW_GROUPS) this.#loaded = new Set(this.#loaded)
  }

  /** Adds all cells of properties. */
  addProperties(cells: Cells): void {
    if (this.hasAllProperties) return
    this.hasAllProperties = true
    if (this.#groups.length === 0 && this.#unsplit === this.#cells.end) {
      // The first cells of the row: they are split when they are needed.
      this.#cells = cells
      this.#unsplit = cells.start
      return
    }
    this.#replaceGroups([...groupsOf(cells), ...this.groups.filter(({ prefix }) => prefix >= prefixes.edge)])
  }

  /** Adds all cells of edges. */
  addEdges(cells: Cells): void {
    if (this.hasAllEdges) return
    this.#replaceGroups([...this.groups.filter(({ prefix }) => prefix !== prefixes.edge), ...groupsOf(cells)])
    this.hasAllEdges = true
  }

  #addPages(pages: ReadonlyArray<Cells>): void {
    let last: Group | undefined
    for (const cells of pages) {
      for (const group of groupsOf(cells)) {
        if (last !== undefined && last.key === group.key) last.next = group
        else this.#push(group)
        last = group
      }
    }
  }
}

/** True when all columns with the header sort before the column. */
const isBefore = (header: Uint8Array, column: Uint8Array): boolean => {
  if (compareBytes(header, 0, header.length, column, 0, column.length) >= 0) return false
  const length = Math.min(header.length, column.length)
  return compareBytes(header, 0, header.length, column, 0, length) !== 0
}
