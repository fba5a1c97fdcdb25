import type { Ref } from "../../../structure/elements/Element.ts"
import { type Entry, type PropertyState, stateWith } from "../../shared/Properties.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { parseRelationId, type RelationIdentifier } from "../format/RelationIds.ts"
import type { Relation } from "../format/Relations.ts"
import { prefixes } from "../format/RelationTypes.ts"
import { vertexIdOf } from "../ids/VertexIds.ts"
import { Searches } from "../indexes/Searches.ts"
import type { CellGraphOptions } from "../Options.ts"
import { adjacencyOf } from "../rows/Adjacency.ts"
import type { Adjacency } from "../rows/DecodedEdges.ts"
import { exactColumn } from "../rows/EdgeColumns.ts"
import { EdgeTable } from "../rows/EdgeTable.ts"
import { headersOf } from "../rows/Headers.ts"
import { relationAt, stateOfGroup } from "../rows/PropertyCells.ts"
import { VertexRefs } from "../rows/Refs.ts"
import { type Group, groupsOf, type VertexRow } from "../rows/Row.ts"
import type { RowSource } from "../rows/RowSource.ts"
import { labelIdOf, rowExists } from "../rows/SystemCells.ts"
import { DEFAULT_VERTEX_LABEL, type EdgeLabel, EXPIRES, type PropertyKey, type Schema } from "../schema/Schema.ts"
import { after } from "../schema/SchemaRead.ts"
import { EdgeGroups } from "./EdgeGroups.ts"
import type { EdgeSource } from "./Expander.ts"
import type { Overlay } from "./Overlay.ts"
import { Seen } from "./Seen.ts"

/** The state that a transaction reads: its snapshot with its own changes. */
export class TransactionView implements EdgeSource {
  readonly rows: RowSource
  /** The schema of the snapshot. In a store that answers later, the newest known schema until the snapshot's schema is fetched. */
  schema: Schema
  readonly vertexRefs: VertexRefs
  edges = new EdgeTable()
  readonly textIds: boolean
  /** The changes of the transaction; null while there are none. */
  own: Overlay | null = null
  /** Results of searches that were fetched from a store that answers later. */
  readonly searches = new Searches()
  /** Ids of edges that were requested from a store that answers later. Those that exist are in {@link edges}. */
  readonly #fetchedEdges = new Seen<Id>(this.searches)
  /** When the transaction began, ms since the epoch. Elements that expired before then are invisible. */
  readonly now: number
  /** The options of the transaction that its commit and its writes need. */
  options: { readonly joinsStaticVertices?: boolean; readonly userLog?: string | undefined } = {}
  #ended = false

  constructor(rows: RowSource, schema: Schema, { partitionBits, textVertexIds }: CellGraphOptions, now: number) {
    this.now = now
    this.vertexRefs = new VertexRefs(partitionBits)
    this.rows = rows
    this.schema = schema
    this.textIds = textVertexIds
  }

  assertOpen(): void {
    if (this.#ended) throw new Error("The transaction was used after its end; begin another one.")
  }

  get isEnded(): boolean {
    return this.#ended
  }

  end(): void {
    this.#ended = true
  }

  // ---- vertices

  row(ref: Ref): VertexRow {
    return this.rows.row(this.vertexRefs.id(ref))
  }

  /** The ref of an existing vertex, or -1. */
  vertexRef(value: unknown): Ref {
    const id = vertexIdOf(value, this.textIds)
    return id === undefined ? -1 : this.existing(id)
  }

  /** The ref of the vertex with this id if it exists, or -1. */
  existing(id: VertexId): Ref {
    this.assertOpen()
    const ref = this.vertexRefs.of(id)
    const own = this.own?.vertices.get(ref)
    if (own?.removed) return -1
    if (own?.isNew) return ref
    const row = this.row(ref)
    return rowExists(this.rows, row) && !this.hasExpired(row) ? ref : -1
  }

  /** When a vertex expires, ms since the epoch; undefined when it does not. */
  expiryOfVertex(ref: Ref): bigint | undefined {
    const { expires } = this.schema
    return expires === undefined ? undefined : (this.state(ref, expires.name)?.entries[0]?.value as bigint | undefined)
  }

  /** True for the row of an expired vertex. */
  hasExpired(row: VertexRow): boolean {
    const { expires, hasExpiringVertices } = this.schema
    if (expires === undefined || !hasExpiringVertices) return false
    const [entry] = this.committedState(row, expires)?.entries ?? []
    return entry !== undefined && Number(entry.value) <= this.now
  }

  /** True for the cell of an expired edge. */
  hasEdgeExpired(group: Group, at: number): boolean {
    const { expires } = this.schema
    if (expires === undefined) return false
    const end = relationAt(group.bytes, at, group.end, this.schema.type).properties.get(expires)
    return end !== undefined && Number(end) <= this.now
  }

  /** The values of a property key of a vertex, without expired ones. */
  liveState(ref: Ref, name: string): PropertyState | undefined {
    const state = this.state(ref, name)
    const { expires } = this.schema
    if (expires === undefined || state === undefined) return state
    const isExpired = ({ meta }: Entry): boolean =>
      Number(meta?.get(expires.name) ?? Number.POSITIVE_INFINITY) <= this.now
    return state.entries.some(isExpired) ? stateWith(state.entries.filter((entry) => !isExpired(entry))) : state
  }

  hasVertex(ref: Ref): boolean {
    this.assertOpen()
    return ref !== -1 && !(this.own?.vertices.get(ref)?.removed ?? false)
  }

  vertexLabel(ref: Ref): string {
    this.assertOpen()
    const own = this.own?.vertices.get(ref)
    return own?.isNew ? own.label : this.labelOfRow(this.row(ref))
  }

  labelOfRow(row: VertexRow): string {
    const id = labelIdOf(this.rows, row)
    return id === 0 ? DEFAULT_VERTEX_LABEL : (this.schema.vertexLabel(id)?.name ?? DEFAULT_VERTEX_LABEL)
  }

  /** The values of a property key of a vertex, including expired ones. */
  state(ref: Ref, name: string): PropertyState | undefined {
    this.assertOpen()
    if (this.own !== null) {
      const own = this.own.vertices.get(ref)
      if (own !== undefined) {
        const change = own.changes.get(name)
        if (change !== undefined) return change.state
        if (own.isNew) return undefined
      }
    }
    const key = this.schema.keys.get(name)
    return key === undefined ? undefined : this.committedState(this.row(ref), key)
  }

  /** The values of a property key in a row of the snapshot. */
  committedState(row: VertexRow, key: PropertyKey): PropertyState | undefined {
    const group = this.rows.group(row, headersOf(key).out)
    return group === undefined ? undefined : stateOfGroup(group, key, this.schema.type)
  }

  /** The names of the property keys of a vertex, those of the snapshot first. */
  vertexKeys(ref: Ref): ReadonlyArray<string> {
    this.assertOpen()
    const own = this.own?.vertices.get(ref)
    const names = own?.isNew ? [] : this.#committedKeys(this.row(ref))
    if (this.schema.expires === undefined && (own === undefined || own.changes.size === 0)) return names
    const all = own === undefined ? names : [...new Set([...names, ...own.changes.keys()])]
    return all.filter((name) => name !== EXPIRES && this.liveState(ref, name) !== undefined)
  }

  #committedKeys(row: VertexRow): Array<string> {
    const names: Array<string> = []
    for (const group of this.propertyGroups(row)) {
      const key = this.schema.type(group.typeId)
      if (key !== undefined) names.push(key.name)
    }
    return names
  }

  /** The groups of all properties of a row. */
  propertyGroups(row: VertexRow): ReadonlyArray<Group> {
    this.rows.readProperties?.(row)
    // A store that answers later may have fetched the cells of each key.
    if (!row.knowsProperties) for (const key of this.schema.keys.values()) this.rows.group(row, headersOf(key).out)
    return row.groups.filter(({ prefix }) => prefix === prefixes.property)
  }

  // ---- edges

  /** The ref of an existing edge, or -1. */
  edgeRef(value: unknown): Ref {
    this.assertOpen()
    const id = typeof value === "string" ? parseRelationId(value) : undefined
    return id === undefined ? -1 : this.edgeOf(id)
  }

  /** The ref of the edge with this id if it exists, or -1. */
  edgeOf(given: RelationIdentifier): Ref {
    const id = this.canonicalEdge(given)
    if (id.into === undefined) return -1
    const known = this.edges.find(id.relation)
    if (known !== -1) return this.own?.removedEdges.has(known) ? -1 : known
    if (this.#fetchedEdges.has(id.relation)) return -1
    const type = this.schema.type(id.type)
    if (type === undefined) return this.#findAmongAll(id)
    return type.isKey ? -1 : this.#find(id, type as EdgeLabel)
  }

  /** Notes that an edge was requested from a store that answers later. */
  requestedEdge(relation: Id): void {
    this.#fetchedEdges.add(relation)
  }

  /** Forgets the edges that were read, unless the transaction has changes, which refer to them. */
  forgetEdges(): void {
    if (this.own !== null) return
    this.edges = new EdgeTable()
    this.#fetchedEdges.clear()
  }

  /** The id of an edge with the canonical ids of its ends. */
  canonicalEdge(id: RelationIdentifier): RelationIdentifier {
    const { into, out } = id
    const { vertexRefs } = this
    return { ...id, out: vertexRefs.canonical(out), into: into === undefined ? into : vertexRefs.canonical(into) }
  }

  /** Finds an edge whose id has an unknown label. Two transactions had created the label at once, and that of the other one was kept. */
  #findAmongAll(id: RelationIdentifier): Ref {
    const row = this.rows.row(id.out)
    const groups = new EdgeGroups(this.rows, row, false, null)
    for (let group = groups.current(); group !== null; group = groups.next()) {
      const type = this.schema.type(group.typeId)
      const ref = type === undefined ? -1 : this.internFrom(group, id, type as EdgeLabel)
      if (ref !== -1) return ref
    }
    return -1
  }

  #find(id: RelationIdentifier, type: EdgeLabel): Ref {
    const out = this.vertexRefs.of(id.out)
    if (this.own?.vertices.get(out)?.isNew) return -1
    const row = this.rows.row(id.out)
    const header = headersOf(type).out
    let group: Group | undefined
    const column = row.knows(header) ? undefined : exactColumn(id, type)
    if (column === undefined) group = this.rows.group(row, header)
    else group = groupsOf(this.rows.page(id.out, column, after(column)).cells)[0]
    return this.internFrom(group, id, type)
  }

  /** The ref of the edge with this id among the cells of a group, or -1. */
  internFrom(first: Group | undefined, id: RelationIdentifier, type: EdgeLabel): Ref {
    for (let group: Group | null | undefined = first; group; group = group.next) {
      const adjacency: Adjacency = adjacencyOf(group, type)
      for (let at = 0; at < adjacency.relations.length; at++) {
        if (adjacency.relation(at) !== id.relation || this.vertexRefs.canonical(adjacency.other(at)) !== id.into)
          continue
        if (this.hasEdgeExpired(group, adjacency.offsets[at]!)) return -1
        const into = this.vertexRefs.of(adjacency.other(at))
        return this.edges.intern(id.relation, type, this.vertexRefs.of(id.out), into, group, adjacency.offsets[at]!)
      }
    }
    return -1
  }

  hasEdge(ref: Ref): boolean {
    this.assertOpen()
    return ref >= 0 && ref < this.edges.length && !(this.own?.removedEdges.has(ref) ?? false)
  }

  /** The cell of an edge in the snapshot; undefined for an edge that the transaction made. */
  committedEdge(ref: Ref): Relation | undefined {
    const group = this.edges.group(ref)
    if (group === null) return undefined
    const cell = relationAt(group.bytes, this.edges.offset(ref), group.end, this.schema.type)
    // The cell may be a copy for a vertex-centric index.
    return group.prefix === prefixes.edge ? cell : { ...cell, prefix: prefixes.edge, type: this.edges.type(ref) }
  }

  edgeValue(ref: Ref, name: string): unknown {
    this.assertOpen()
    const change = this.own?.edgeChanges.get(ref)?.get(name)
    if (change !== undefined) return change.value
    const key = this.schema.keys.get(name)
    return key === undefined ? undefined : this.committedEdge(ref)?.properties.get(key)
  }

  /** All properties of an edge. */
  edgeValues(ref: Ref): ReadonlyMap<string, unknown> {
    this.assertOpen()
    const values = new Map<string, unknown>()
    for (const [key, value] of this.committedEdge(ref)?.properties ?? []) values.set(key.name, value)
    for (const [name, { value }] of this.own?.edgeChanges.get(ref) ?? []) {
      if (value === undefined) values.delete(name)
      else values.set(name, value)
    }
    values.delete(EXPIRES)
    return values
  }
}
