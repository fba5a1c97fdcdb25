import type { CellBatch, Page, SliceQuery } from "../cells/CellStore.ts"
import { RelationCells } from "../commit/RelationCells.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { storedEnds } from "../format/PartitionedVertices.ts"
import { edgeCell, propertyCell, type Relation } from "../format/Relations.ts"
import { vertexExists, vertexLabelEdge } from "../format/RelationTypes.ts"
import { adjacencyOf } from "../rows/Adjacency.ts"
import { headersOf } from "../rows/Headers.ts"
import { relationAt, stateOfGroup } from "../rows/PropertyCells.ts"
import { RowLoader } from "../rows/RowLoader.ts"
import type { RowSource } from "../rows/RowSource.ts"
import { type EdgeLabel, EXPIRES, type GraphIndex, type Schema } from "../schema/Schema.ts"
import { EdgeGroups } from "../transaction/EdgeGroups.ts"
import { entriesOf, type IndexEntry } from "./IndexEntries.ts"

/** Reads the entries that a vertex, or its out-edges, should have in an index. */
export class ElementEntries {
  readonly #loader: RowLoader
  readonly #schema: Schema
  readonly #partitionBits: number
  readonly #now: number
  readonly #cells: RelationCells
  readonly #secondsLeft: CellBatch["secondsLeft"]

  /**
   * `now`: ms since the epoch. Elements and properties that have expired by then have no entries. Absent: nothing expires. With
   * `secondsLeft`, entries live as long as the cells of their elements: see CellBatch.secondsLeft.
   */
  constructor(
    slice: (query: SliceQuery) => Page,
    schema: Schema,
    partitionBits: number,
    now: number = Number.NEGATIVE_INFINITY,
    secondsLeft?: CellBatch["secondsLeft"]
  ) {
    this.#loader = new RowLoader(slice, partitionBits)
    this.#schema = schema
    this.#partitionBits = partitionBits
    this.#now = now
    this.#cells = new RelationCells(schema, partitionBits)
    this.#secondsLeft = secondsLeft
  }

  /** Seconds until a relation in the row of a vertex expires; 0 if it does not, or if nobody asks. */
  #ttl(vertex: VertexId, relation: () => Relation): number {
    if (this.#secondsLeft === undefined || !this.#schema.hasTimesToLive) return 0
    const { column, key } = this.#cells.cell(vertex, relation())
    return this.#secondsLeft(key, column)
  }

  #hasExpired(end: unknown): boolean {
    return end !== undefined && Number(end) <= this.#now
  }

  /** All entries of a vertex, or of its out-edges. */
  of(index: GraphIndex, id: VertexId): ReadonlyArray<IndexEntry> {
    return [...this.each(index, id)]
  }

  /** Iterates over the entries without collecting them, because a vertex may have very many edges. */
  *each(index: GraphIndex, id: VertexId): Generator<IndexEntry> {
    const row = this.#loader.row(id)
    if (this.#loader.group(row, headersOf(vertexExists).out) === undefined) return
    yield* index.element === "vertex" ? this.#ofVertex(index, id) : this.#ofEdges(index, id)
  }

  #ofVertex(index: GraphIndex, id: VertexId): ReadonlyArray<IndexEntry> {
    const { expires } = this.#schema
    const row = this.#loader.row(id)
    const entries = (key: GraphIndex["fields"][number]) => {
      const group = this.#loader.group(row, headersOf(key).out)
      const all = group === undefined ? [] : stateOfGroup(group, key, this.#schema.type).entries
      return expires === undefined ? all : all.filter(({ meta }) => !this.#hasExpired(meta?.get(EXPIRES)))
    }
    if (expires !== undefined && entries(expires).some(({ value }) => this.#hasExpired(value))) return []
    const label = this.#loader.group(row, headersOf(vertexLabelEdge).out)
    return entriesOf(
      index,
      {
        kind: "vertex",
        id,
        label:
          label === undefined ? 0 : Number(relationAt(label.bytes, label.start, label.end, this.#schema.type).other),
        inline: (key) => {
          // The copy includes meta-properties and expired values, as the copies of commits do.
          const group = this.#loader.group(row, headersOf(key).out)
          return group && relationAt(group.bytes, group.start, group.end, this.#schema.type)
        }
      },
      (key) =>
        entries(key).map(({ id: relation, value }) => ({
          relation: relation as Id,
          value,
          ttl: this.#ttl(id, () => propertyCell(key, relation as Id, value))
        }))
    )
  }

  *#ofEdges(index: GraphIndex, id: VertexId): Generator<IndexEntry> {
    const rows: RowSource = {
      row: (vertex) => this.#loader.row(vertex),
      group: (row, header) => this.#loader.group(row, header),
      page: (vertex, start, end) => this.#loader.page(vertex, start, end),
      offer: () => undefined,
      release: () => undefined
    }
    const groups = new EdgeGroups(rows, this.#loader.row(id), false, null)
    for (let group = groups.current(); group !== null; group = groups.next()) {
      const type = this.#schema.type(group.typeId) as EdgeLabel | undefined
      if (type === undefined) continue
      const adjacency = adjacencyOf(group, type)
      for (let at = 0; at < adjacency.offsets.length; at++) {
        const { relation, other, properties } = relationAt(
          group.bytes,
          adjacency.offsets[at]!,
          group.end,
          this.#schema.type
        )
        if (this.#schema.expires !== undefined && this.#hasExpired(properties.get(this.#schema.expires))) continue
        const ends = storedEnds(type, relation, id, other!, this.#partitionBits)
        const ttl = (): number => this.#ttl(id, () => edgeCell(type, false, relation, other!, properties))
        yield* entriesOf(index, { kind: "edge", relation, label: type.id, ...ends }, (key) =>
          properties.has(key) ? [{ relation, value: properties.get(key), ttl: ttl() }] : []
        )
      }
    }
  }
}
