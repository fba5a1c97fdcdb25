import type { CellSnapshot, Page, RowPage, SliceQuery, Table } from "../CellStore.ts"
import { CellCursor, type Cells } from "../Cells.ts"
import { ByteReader } from "../codec/ByteReader.ts"
import { ByteWriter } from "../codec/ByteWriter.ts"
import { claimColumn, claimKey, readClaim } from "../codec/IdBlocks.ts"
import { canonicalId, isSchemaId, partitionOf, type VertexId } from "../codec/Ids.ts"
import { readEdgeEntry } from "../codec/IndexCells.ts"
import { decodeRelation, edgeCell, encodeRelation, type Relation, UnknownType } from "../codec/Relations.ts"
import {
  prefixes,
  schemaCategory,
  schemaName,
  systemType,
  vertexExists,
  vertexLabelEdge
} from "../codec/RelationTypes.ts"
import { idOfRowKey, rowKey } from "../codec/RowKeys.ts"
import { type CountedKind, readCounts } from "../commit/Counters.ts"
import type { GraphCore } from "../GraphCore.ts"
import { headersOf } from "../Headers.ts"
import { ElementEntries } from "../indexes/ElementEntries.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"
import { PARTITION } from "../StoreClaims.ts"
import { type EdgeLabel, type GraphIndex, isWritten, type Schema } from "../schema/Schema.ts"
import { after, lastColumn } from "../schema/SchemaReading.ts"
import { type CellState, copyOf, type Finding, type FindingKind, sameValue, valueAt } from "./Findings.ts"

/** How many elements were looked at. */
export interface Verified {
  readonly rows: number
  readonly cells: number
  readonly vertices: number
  readonly edges: number
  readonly entries: number
}

const existsHeader = headersOf(vertexExists).out
const writer = new ByteWriter(512)

/** Of a unique index, edges of one vertex have the same entry where the time of all but one is over. */
type EntriesByName = ReadonlyMap<string, ReadonlyArray<IndexEntry>>

/** Entries of vertices that are kept, for the entries of the same vertex that follow. */
const KEPT = 256

/**
 * Looks at every cell of a graph, as of one moment: whether it can be read, both ends of each edge, every entry that an
 * index should have and every entry that it has, and the numbers of elements. Only for stores that answer at once.
 */
export class CellVerifier {
  readonly #core: GraphCore
  readonly #snapshot: CellSnapshot
  readonly #schema: Schema
  readonly #bits: number
  readonly #entries: ElementEntries
  readonly #find: (finding: Finding) => void
  readonly #counts = { vertex: new Map<number, number>(), edge: new Map<number, number>() }
  readonly #kept = new Map<string, EntriesByName>()
  #highestVertex = 0
  #highestRelation = 0
  #rows = 0
  #cells = 0
  #found = 0

  constructor(core: GraphCore, snapshot: CellSnapshot, find: (finding: Finding) => void) {
    this.#core = core
    this.#snapshot = snapshot
    this.#schema = core.schemaOf(snapshot)
    this.#bits = core.options.partitionBits
    this.#entries = new ElementEntries((query) => snapshot.slice(query), this.#schema, this.#bits)
    this.#find = find
  }

  get verified(): Verified {
    const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
    return {
      rows: this.#rows,
      cells: this.#cells,
      vertices: sum(this.#counts.vertex),
      edges: sum(this.#counts.edge),
      entries: this.#found
    }
  }

  /** Looks at some rows at a time; done when it returns false. */
  *work(): Generator<"vertices" | "entries"> {
    for (const rows of this.#scan("edgestore")) {
      for (const row of rows) this.#row(row)
      yield "vertices"
    }
    for (const table of ["graphindex", "engine_ranges"] as const) {
      for (const rows of this.#scan(table)) {
        for (const row of rows) this.#indexRow(table, row)
        yield "entries"
      }
    }
    if (this.#core.keepsCounts) for (const kind of ["vertex", "edge"] as const) this.#checkCounts(kind)
    this.#checkClaims()
  }

  *#scan(table: Table): Generator<ReadonlyArray<RowPage>> {
    const scan = this.#snapshot.scan(table)
    for (let rows = scan.next(64); rows.length > 0; rows = scan.next(64)) {
      this.#rows += rows.length
      yield rows
    }
  }

  /** All cells of a row, piece by piece. */
  *#pieces(table: Table, { cells, key, more }: RowPage): Generator<Cells> {
    yield cells
    const query: SliceQuery = { table, key }
    for (let page: Page = { cells, more }; page.more; ) {
      page = this.#snapshot.slice({ ...query, start: after(lastColumn(page.cells)) })
      yield page.cells
    }
  }

  #tell(kind: FindingKind, where: string, seen: ReadonlyArray<CellState>, repair: ReadonlyArray<CellState>): void {
    this.#find({ kind, where, seen, repair })
  }

  // Rows of vertices

  #row(row: RowPage): void {
    // What a scan answers with may be overwritten by the next read.
    const key = copyOf(row.key)
    const id = idOfRowKey(key, this.#bits)
    const schemaRow = isSchemaId(id)
    let exists = false
    let label = 0
    const cells: Array<CellState> = []
    const relations: Array<readonly [CellState, Relation]> = []
    for (const piece of this.#pieces("edgestore", { ...row, key })) {
      const cursor = new CellCursor().over(piece)
      while (cursor.next()) {
        this.#cells++
        const [column, value] = [copyOf(cursor.column()), copyOf(cursor.value())]
        const cell: CellState = { table: "edgestore", key, column, value }
        const relation = this.#decoded(cell, `row of ${shown(id)}`)
        if (relation?.type === vertexExists) exists = true
        if (relation?.type === vertexLabelEdge) label = this.#label(cell, relation, id)
        if (schemaRow) continue
        if (!exists) cells.push(cell)
        if (relation !== undefined) relations.push([cell, relation])
        // Rows of many edges are looked at in pieces.
        if (relations.length >= 4096 && exists) this.#relations(id, relations.splice(0))
      }
    }
    if (schemaRow || canonicalId(id, this.#bits) !== id) return
    if (!exists) {
      const gone = cells.map((cell) => ({ ...cell, value: null }))
      this.#tell("cells of a vertex that does not exist", shown(id), cells, gone)
      return
    }
    this.#relations(id, relations)
    add(this.#counts.vertex, label)
    if (typeof id === "number" && partitionOf(id, this.#bits) === PARTITION) {
      this.#highestVertex = Math.max(this.#highestVertex, Math.floor(id / 2 ** (3 + this.#bits)))
    }
    for (const index of this.#schema.indexes) if (index.status === "ENABLED") this.#checkEntries(index, id)
  }

  #decoded(cell: CellState, where: string): Relation | undefined {
    const bytes = Buffer.concat([cell.column, cell.value!])
    try {
      return decodeRelation(bytes, 0, cell.column.length, bytes.length, this.#schema.type)
    } catch (error) {
      const kind: FindingKind =
        error instanceof UnknownType ? "a cell of a type that the schema does not have" : "a cell that cannot be read"
      this.#tell(kind, `${where}: ${hex(cell.column)} = ${hex(cell.value!)}`, [cell], [{ ...cell, value: null }])
      return undefined
    }
  }

  #label(cell: CellState, { other }: Relation, id: VertexId): number {
    const label = Number(other)
    if (this.#schema.vertexLabel(label) !== undefined) return label
    this.#tell("a vertex label that the schema does not have", shown(id), [cell], [{ ...cell, value: null }])
    return 0
  }

  #relations(id: VertexId, relations: ReadonlyArray<readonly [CellState, Relation]>): void {
    for (const [cell, relation] of relations) {
      if (typeof relation.relation === "number" && relation.relation % 2 ** this.#bits === PARTITION) {
        this.#highestRelation = Math.max(this.#highestRelation, Math.floor(relation.relation / 2 ** this.#bits))
      }
      if (relation.prefix === prefixes.edge) this.#edge(id, cell, relation)
      if (relation.prefix === prefixes.edge || relation.prefix === prefixes.property) this.#copies(id, cell, relation)
      else if (relation.prefix === prefixes.edgeCopy || relation.prefix === prefixes.propertyCopy) {
        this.#copy(id, cell, relation)
      }
    }
  }

  /** An edge as one of its vertices has it: the other must have it too. */
  #edge(id: VertexId, cell: CellState, relation: Relation): void {
    const type = relation.type as EdgeLabel
    const other = relation.other!
    if (!relation.isIn) add(this.#counts.edge, type.id)
    const where = `${type.name} of ${shown(id)} ${relation.isIn ? "from" : "to"} ${shown(other)}`
    // The in-vertex does not know of the edge, which is therefore left when that vertex is removed.
    if (type.unidirected) return
    const mirror = this.#cell(other, edgeCell(type, !relation.isIn, relation.relation, id, relation.properties))
    const there = valueAt(this.#snapshot, mirror)
    if (sameValue(there, mirror.value)) return
    const seen = [cell, { ...mirror, value: there }]
    if (there !== null) {
      // What the out-vertex has counts; it is told where that row is looked at.
      if (relation.isIn) return
      this.#tell("an edge that its vertices have with different properties", where, seen, [mirror])
    } else if (this.#exists(other)) {
      this.#tell("an edge that only one of its vertices has", where, seen, [mirror])
      // Once it is mended it counts.
      if (relation.isIn) add(this.#counts.edge, type.id)
    } else {
      this.#gone(cell, where, other)
      if (!relation.isIn) add(this.#counts.edge, type.id, -1)
    }
  }

  #gone(cell: CellState, where: string, other: VertexId): void {
    const exists: CellState = {
      table: "edgestore",
      key: rowKey(other, this.#bits),
      column: existsHeader.bytes,
      value: null
    }
    this.#tell("an edge to a vertex that does not exist", where, [cell, exists], [{ ...cell, value: null }])
  }

  #exists(id: VertexId): boolean {
    const key = rowKey(id, this.#bits)
    const { bytes: start, end } = existsHeader
    return !this.#snapshot.slice({ table: "edgestore", key, start, end, limit: 1 }).cells.isEmpty
  }

  #cell(id: VertexId, relation: Relation): CellState & { readonly value: Uint8Array } {
    const columnEnd = encodeRelation(writer.reset(), relation)
    return {
      table: "edgestore",
      key: rowKey(id, this.#bits),
      column: writer.copy(0, columnEnd),
      value: writer.copy(columnEnd)
    }
  }

  /** The copies that vertex-centric indexes should have of a relation. */
  #copies(id: VertexId, cell: CellState, relation: Relation): void {
    for (const { direction, status, type } of this.#schema.copiesOf(relation.type.id)) {
      if (status !== "ENABLED" || direction === (relation.isIn ? "OUT" : "IN")) continue
      const prefix = relation.type.isKey ? prefixes.propertyCopy : prefixes.edgeCopy
      const copy = this.#cell(id, { ...relation, prefix, type })
      const there = valueAt(this.#snapshot, copy)
      if (sameValue(there, copy.value)) continue
      const where = `${relation.type.name} of ${shown(id)}, relation ${relation.relation}`
      this.#tell("a missing entry of a vertex-centric index", where, [cell, { ...copy, value: there }], [copy])
    }
  }

  /** A copy must be one of a relation that is there. */
  #copy(id: VertexId, cell: CellState, relation: Relation): void {
    const index = this.#schema.relationIndexes.find(({ type }) => type.id === relation.type.id)
    const base = index === undefined ? undefined : this.#schema.type(index.base)
    // Copies of an index that is not kept up to date are nobody's.
    if (index !== undefined && !isWritten(index.status)) return
    if (base !== undefined) {
      const prefix = base.isKey ? prefixes.property : prefixes.edge
      const original = this.#cell(id, { ...relation, prefix, type: base })
      const there = valueAt(this.#snapshot, original)
      if (sameValue(there, original.value)) return
      // In the place of the right copy it is told, and mended, with the relation.
      if (there !== null && this.#isPlaceOf(id, { ...original, value: there }, relation, cell)) return
    }
    const where = `${relation.type.name} of ${shown(id)}, relation ${relation.relation}`
    this.#tell("a stale entry of a vertex-centric index", where, [cell], [{ ...cell, value: null }])
  }

  /** Whether the copy that a relation should have stands where a copy is. */
  #isPlaceOf(id: VertexId, original: CellState, { prefix, type }: Relation, copy: CellState): boolean {
    const bytes = Buffer.concat([original.column, original.value!])
    try {
      const relation = decodeRelation(bytes, 0, original.column.length, bytes.length, this.#schema.type)
      return sameValue(this.#cell(id, { ...relation, prefix, type }).column, copy.column)
    } catch {
      // The cell that cannot be read is a finding of its own.
      return false
    }
  }

  // Indexes

  /** Every entry that an element should have must be there. */
  #checkEntries(index: GraphIndex, id: VertexId): void {
    for (const entry of [...this.#entriesOf(index, id).values()].flat()) {
      const there = valueAt(this.#snapshot, entry)
      if (sameValue(there, entry.value)) continue
      // What has outlived its time may have lost its place to another element, or never had one in a younger index.
      if (this.#hasEnded(entry, id)) continue
      const where = `index ${index.name}, ${shown(id)}`
      const seen = { ...entry, value: there }
      if (there !== null && index.unique && this.#isRight(entry, there)) {
        this.#tell("a value that two elements have under a unique index", where, [], [])
      } else this.#tell("a missing entry of an index", where, [seen], [entry])
    }
  }

  #hasEnded(entry: IndexEntry, id: VertexId): boolean {
    if (this.#schema.expires === undefined) return false
    const read = (query: SliceQuery): Page => this.#snapshot.slice(query)
    const living = new ElementEntries(read, this.#schema, this.#bits, this.#core.options.clock())
    const name = nameOf(entry)
    return living.of(entry.index, id).every((other) => nameOf(other) !== name || !sameValue(other.value, entry.value))
  }

  /** Entries by their names; none where the element cannot be read. */
  #entriesOf(index: GraphIndex, id: VertexId): EntriesByName {
    const name = `${index.id} ${typeof id} ${id}`
    const known = this.#kept.get(name)
    if (known !== undefined) return known
    const entries = new Map<string, Array<IndexEntry>>()
    try {
      for (const entry of this.#entries.of(index, id)) {
        const known = entries.get(nameOf(entry))
        if (known === undefined) entries.set(nameOf(entry), [entry])
        else known.push(entry)
      }
    } catch {
      // The cell that cannot be read is a finding of its own.
    }
    if (this.#kept.size >= KEPT) this.#kept.clear()
    this.#kept.set(name, entries)
    return entries
  }

  #indexRow(table: Table, row: RowPage): void {
    const key = copyOf(row.key)
    const id = Number(new ByteReader(key).varint())
    if (id === schemaName.id || id === schemaCategory.id || systemType(id) !== undefined) return
    const index = this.#schema.indexes.find((each) => each.id === id)
    for (const piece of this.#pieces(table, { ...row, key })) {
      const cursor = new CellCursor().over(piece)
      while (cursor.next()) {
        this.#cells++
        this.#found++
        const [column, value] = [copyOf(cursor.column()), copyOf(cursor.value())]
        this.#entry(index, { table, key, column, value })
      }
    }
  }

  /** Every entry must be that of an element that is there, with that value. */
  #entry(index: GraphIndex | undefined, cell: CellState & { readonly value: Uint8Array }): void {
    const repair = [{ ...cell, value: null }]
    if (index === undefined) {
      this.#tell("an entry of an index that does not exist", hex(cell.key), [cell], repair)
      return
    }
    // Entries of an index that is not kept up to date are nobody's.
    if (!isWritten(index.status) || index.element === "property") return
    if (this.#isRightOf(index, cell, cell.value)) return
    this.#tell("a stale entry of an index", `index ${index.name}, ${hex(cell.key)} ${hex(cell.column)}`, [cell], repair)
  }

  #isRight(entry: IndexEntry, value: Uint8Array): boolean {
    return this.#isRightOf(entry.index, entry, value)
  }

  #isRightOf(index: GraphIndex, cell: Pick<CellState, "table" | "key" | "column">, value: Uint8Array): boolean {
    try {
      const reader = new ByteReader(value)
      const id = index.element === "vertex" ? reader.vertexId() : readEdgeEntry(reader).out
      const expected = this.#entriesOf(index, id).get(nameOf(cell)) ?? []
      return expected.some((entry) => sameValue(entry.value, value))
    } catch {
      return false
    }
  }

  // Numbers

  #checkCounts(kind: CountedKind): void {
    const kept = readCounts(this.#snapshot, kind)
    const counted = this.#counts[kind]
    for (const label of new Set([...kept.keys(), ...counted.keys()])) {
      const by = (counted.get(label) ?? 0) - (kept.get(label) ?? 0)
      if (by === 0) continue
      const type = kind === "vertex" ? this.#schema.vertexLabel(label) : this.#schema.type(label)
      const where = `${kind} label ${type?.name ?? (label === 0 ? "vertex" : label)}: ${kept.get(label) ?? 0} kept, ${counted.get(label) ?? 0} found`
      this.#find({ kind: "a wrong number of elements", where, seen: [], repair: [], counter: { kind, label, by } })
    }
  }

  /** No id may be in use that is not behind the claims of ids. */
  #checkClaims(): void {
    const highest = {
      vertex: this.#core.options.userVertexIds ? 0 : this.#highestVertex,
      relation: this.#highestRelation
    }
    for (const kind of ["vertex", "relation"] as const) {
      const key = claimKey(kind, PARTITION, this.#bits)
      const cursor = new CellCursor().over(this.#snapshot.slice({ table: "janusgraph_ids", key, limit: 1 }).cells)
      const claim = cursor.next() ? copyOf(cursor.column()) : undefined
      if (claim === undefined && highest[kind] === 0) continue
      if (claim !== undefined && readClaim(claim).end > BigInt(highest[kind])) continue
      const end = BigInt(highest[kind]) + 1n
      const column = claimColumn({ end, time: BigInt(Date.now()) * 1000n, instance: "verify" })
      const cell = { table: "janusgraph_ids", key } as const
      const empty = new Uint8Array(0)
      const seen = claim === undefined ? [] : [{ ...cell, column: claim, value: empty }]
      const removed = seen.map((old) => ({ ...old, value: null }))
      const where = `${kind} ids up to ${highest[kind]}`
      this.#tell("ids in use that could be given out again", where, seen, [
        ...removed,
        { ...cell, column, value: empty }
      ])
    }
  }
}

const add = (counts: Map<number, number>, label: number, by = 1): void => {
  counts.set(label, (counts.get(label) ?? 0) + by)
}

const hex = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.subarray(0, 40)).toString("hex")
  return bytes.length > 40 ? `${text}...` : text
}

const shown = (id: VertexId): string => `v[${id}]`

const nameOf = ({ column, key, table }: Pick<CellState, "table" | "key" | "column">): string =>
  `${table} ${Buffer.from(key).toString("latin1")} ${Buffer.from(column).toString("latin1")}`
