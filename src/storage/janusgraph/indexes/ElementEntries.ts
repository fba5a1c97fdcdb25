import type { Page, SliceQuery } from "../cells/CellStore.ts"
import { RelationCells } from "../commit/RelationCells.ts"
import { ByteReader } from "../format/ByteReader.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { readEdgeEntry } from "../format/IndexCells.ts"
import { storedEnds } from "../format/PartitionedVertices.ts"
import { vertexExists, vertexLabelEdge } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import { adjacencyOf } from "../rows/Adjacency.ts"
import { exactColumn } from "../rows/EdgeColumns.ts"
import { headersOf } from "../rows/Headers.ts"
import { columnAt, columnsOf, relationAt, stateOfGroup } from "../rows/PropertyCells.ts"
import { type Group, groupsOf, type VertexRow } from "../rows/Row.ts"
import { RowLoader } from "../rows/RowLoader.ts"
import type { RowSource } from "../rows/RowSource.ts"
import { type EdgeLabel, EXPIRES, type GraphIndex, type PropertyKey, type Schema } from "../schema/Schema.ts"
import { after } from "../schema/SchemaRead.ts"
import { EdgeGroups } from "../transaction/EdgeGroups.ts"
import { entriesOf, type IndexEntry, type IsDated } from "./IndexEntries.ts"
import type { SourceTimes } from "./SourceTimes.ts"

/** Reads the entries that a vertex, or its out-edges, should have in an index. */
export class ElementEntries {
  readonly #loader: RowLoader
  readonly #schema: Schema
  readonly #partitionBits: number
  readonly #now: number
  readonly #cells: RelationCells
  readonly #times: SourceTimes | undefined

  /**
   * `now`: ms since the epoch. Elements and properties that have expired by then have no entries. Absent: nothing expires. With
   * `times`, entries live as long as the cells of their elements.
   */
  constructor(
    slice: (query: SliceQuery) => Page,
    schema: Schema,
    partitionBits: number,
    now: number = Number.NEGATIVE_INFINITY,
    times?: SourceTimes
  ) {
    this.#loader = new RowLoader(slice, partitionBits)
    this.#schema = schema
    this.#partitionBits = partitionBits
    this.#now = now
    this.#cells = new RelationCells(schema, partitionBits)
    this.#times = times
  }

  #hasExpired(end: unknown): boolean {
    return end !== undefined && Number(end) <= this.#now
  }

  /**
   * Iterates over the entries of a vertex, or of its out-edges, without collecting them, because a vertex may have very many edges. Yields
   * undefined for an edge without an entry, so that the caller can let others run. The times to live are those of the entries for which
   * `isDated` is true.
   */
  *each(index: GraphIndex, id: VertexId, isDated?: IsDated): Generator<IndexEntry | undefined> {
    const row = this.#loader.row(id)
    if (this.#loader.group(row, headersOf(vertexExists).out) === undefined) return
    yield* index.element === "vertex" ? this.#ofVertex(index, id, isDated) : this.#ofEdges(index, id, isDated)
  }

  /**
   * The entries of one out-edge, by its ids, without the other edges of its vertex; undefined where the ids do not determine the cell of
   * the edge.
   */
  ofEdge(index: GraphIndex, { into, out, relation, type: typeId }: EdgeIds): ReadonlyArray<IndexEntry> | undefined {
    const type = this.#schema.type(typeId)
    if (type === undefined || type.isKey) return []
    const column = exactColumn({ relation, out, into, type: typeId }, type as EdgeLabel)
    if (column === undefined) return undefined
    const exists = headersOf(vertexExists).out
    if (this.#loader.page(out, exists.bytes, exists.end).cells.isEmpty) return []
    const [group] = groupsOf(this.#loader.page(out, column, after(column)).cells)
    return group === undefined ? [] : this.#ofCell(index, out, group, group.start)
  }

  /** The entries of the element in the value of an entry. They may include those of other edges of the same vertex. */
  ofOwner(index: GraphIndex, value: Uint8Array): Iterable<IndexEntry | undefined> {
    const reader = new ByteReader(value)
    if (index.element !== "edge") return this.each(index, reader.vertexId())
    const edge = readEdgeEntry(reader)
    return this.ofEdge(index, edge) ?? this.each(index, edge.out)
  }

  /** Reads how long the value of a relation lives; undefined when values of the key do not expire. */
  #valueTimes(row: VertexRow, key: PropertyKey, label: number): ((relation: Id) => number) | undefined {
    const times = this.#times
    if (!times?.mayExpire(key.id, label)) return undefined
    const { out } = headersOf(key)
    const group = this.#loader.group(row, out)
    const columns = group === undefined || key.cardinality === "SINGLE" ? undefined : columnsOf(group, key)
    const rowId = rowKey(row.id, this.#partitionBits)
    return (relation) => times.left({ type: key.id, label, key: rowId, column: columns?.get(relation) ?? out.bytes })
  }

  #ofVertex(index: GraphIndex, id: VertexId, isDated?: IsDated): ReadonlyArray<IndexEntry> {
    const { expires } = this.#schema
    const row = this.#loader.row(id)
    const entries = (key: GraphIndex["fields"][number]) => {
      const group = this.#loader.group(row, headersOf(key).out)
      const all = group === undefined ? [] : stateOfGroup(group, key, this.#schema.type).entries
      return expires === undefined ? all : all.filter(({ meta }) => !this.#hasExpired(meta?.get(EXPIRES)))
    }
    if (expires !== undefined && entries(expires).some(({ value }) => this.#hasExpired(value))) return []
    const label = storedLabel(this.#loader, row, this.#schema)
    return entriesOf(
      index,
      {
        kind: "vertex",
        id,
        label,
        inline: (key) => {
          // The copy includes meta-properties and expired values, as the copies of commits do.
          const group = this.#loader.group(row, headersOf(key).out)
          return group && relationAt(group.bytes, group.start, group.end, this.#schema.type)
        }
      },
      (key) => {
        const left = this.#valueTimes(row, key, label)
        return entries(key).map((entry) => {
          const relation = entry.id as Id
          return left === undefined
            ? { relation, value: entry.value }
            : { relation, value: entry.value, ttl: () => left(relation) }
        })
      },
      isDated
    )
  }

  *#ofEdges(index: GraphIndex, id: VertexId, isDated?: IsDated): Generator<IndexEntry | undefined> {
    const rows: RowSource = {
      row: (vertex) => this.#loader.row(vertex),
      group: (row, header) => this.#loader.group(row, header),
      page: (vertex, start, end) => this.#loader.page(vertex, start, end),
      offer: () => undefined,
      heldBytes: 0,
      cellBytes: 0,
      release: () => undefined
    }
    const groups = new EdgeGroups(rows, this.#loader.row(id), false, null)
    for (let group = groups.current(); group !== null; group = groups.next()) {
      const type = this.#schema.type(group.typeId) as EdgeLabel | undefined
      if (type === undefined) continue
      for (const at of adjacencyOf(group, type).offsets) {
        const entries = this.#ofCell(index, id, group, at, isDated)
        if (entries.length === 0) yield undefined
        else yield* entries
      }
    }
  }

  /** The entries of the out-edge whose cell is at an offset of a group. */
  #ofCell(
    index: GraphIndex,
    id: VertexId,
    { bytes, end }: Group,
    at: number,
    isDated?: IsDated
  ): ReadonlyArray<IndexEntry> {
    const edge = relationAt(bytes, at, end, this.#schema.type)
    const { relation, other, properties } = edge
    const type = edge.type as EdgeLabel
    if (this.#schema.expires !== undefined && this.#hasExpired(properties.get(this.#schema.expires))) return []
    const ends = storedEnds(type, relation, id, other!, this.#partitionBits)
    const times = this.#times?.mayExpire(type.id) ? this.#times : undefined
    const ttl =
      times &&
      (() => times.left({ type: type.id, key: this.#cells.rowKey(id, edge), column: columnAt(bytes, at, end) }))
    const has = (key: PropertyKey) =>
      properties.has(key) ? [{ relation, value: properties.get(key), ...(ttl && { ttl }) }] : []
    return entriesOf(index, { kind: "edge", relation, label: type.id, ...ends }, has, isDated)
  }
}

/** The ids of an edge, as its entry has them. */
type EdgeIds = ReturnType<typeof readEdgeEntry>

/** The id of the label of a vertex; 0 for the default label. */
export const storedLabel = (loader: RowLoader, row: VertexRow, { type }: Schema): number => {
  const group = loader.group(row, headersOf(vertexLabelEdge).out)
  return group === undefined ? 0 : Number(relationAt(group.bytes, group.start, group.end, type).other)
}
