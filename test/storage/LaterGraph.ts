import type { Pending } from "../../src/scheduling/Pending.ts"
import type { Task } from "../../src/scheduling/Task.ts"
import type { TimeSlice } from "../../src/scheduling/TimeSlice.ts"
import { lookupKey } from "../../src/storage/shared/LookupKey.ts"
import { keyOf } from "../../src/structure/collections/Equivalence.ts"
import { Edge, Property, type Ref, Vertex, VertexProperty } from "../../src/structure/elements/Element.ts"
import { NotFetched } from "../../src/structure/errors/StoreErrors.ts"
import { ForwardingTransaction } from "../../src/structure/graph/ForwardingTransaction.ts"
import type {
  DirectionName,
  EdgeRequest,
  GraphCounts,
  IndexChoice,
  IndexQuery,
  LabelSet,
  PropertyReader,
  Reads,
  RefColumn,
  RefScan
} from "../../src/structure/graph/GraphReads.ts"
import type { BeginOptions, GraphTransaction } from "../../src/structure/graph/GraphStore.ts"
import type { VertexPropertyOptions } from "../../src/structure/graph/GraphWrites.ts"
import type { EnumValue } from "../../src/structure/scalars/Enums.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { ForwardingGraph } from "./ForwardingGraph.ts"

/**
 * A store that answers later, as a wrapper of a store that answers at once. It checks prefetches: a read that was not
 * requested with {@link GraphTransaction.prefetch} throws an error with its name. A traversal that passes over this
 * store therefore never reads data that a distributed store would not have fetched. Prefetched data is kept until the
 * transaction ends.
 *
 * The result of an index search is kept too: a later equal search returns the rows that the first one has fetched. A
 * full scan is kept when it is complete and not too large.
 *
 * These reads need no prefetch: ids, the ends and the label of a known edge, elements that the transaction made, the
 * existence of known elements, and the choice of an index. Writes need no prefetch, with two exceptions: removing a
 * vertex needs its edges (adjacent, BOTH, every label, edges), and setting a vertex property needs the properties of
 * its key. An `adjacent` prefetch with edges includes the one without edges. One of every label includes each label,
 * and BOTH includes each direction.
 */
export class LaterGraph extends ForwardingGraph {
  /** The number of asynchronous prefetches of all transactions. Commits are not counted. */
  roundTrips = 0
  #waiting: Array<() => void> = []

  override begin(options: BeginOptions = {}): LaterTransaction {
    return new LaterTransaction(this, this.inner.begin(options))
  }

  /** Runs a callback in a later turn of the event loop, together with all others that wait. */
  answerLater(answer: () => void): void {
    this.#waiting.push(answer)
    if (this.#waiting.length > 1) return
    setImmediate(() => {
      const waiting = this.#waiting
      this.#waiting = []
      for (const each of waiting) each()
    })
  }
}

/** A transaction of a {@link LaterGraph}. */
export class LaterTransaction extends ForwardingTransaction {
  readonly #store: LaterGraph
  /** The number of asynchronous prefetches of this transaction. */
  roundTrips = 0
  readonly #vertices = new Answers("vertex")
  readonly #edges = new Answers("edge")
  readonly #adjacent = new Map<Ref, Set<string>>()
  readonly #vertexIds = new Set<unknown>()
  readonly #edgeIds = new Set<unknown>()
  readonly #searched = new Map<string, Searched>()

  constructor(store: LaterGraph, inner: GraphTransaction) {
    super(inner)
    this.#store = store
  }

  override get store(): LaterGraph {
    return this.#store
  }

  override get answersLater(): boolean {
    return true
  }

  override get counts(): GraphCounts {
    return { vertices: () => undefined, edges: () => undefined }
  }

  override prefetch(reads: readonly Reads[]): Pending | undefined {
    const answers: Array<() => void> = []
    for (const read of reads) this.#missing(read, answers)
    if (answers.length === 0) return undefined
    this.roundTrips++
    this.store.roundTrips++
    return {
      onDone: (resume) =>
        this.store.answerLater(() => {
          try {
            for (const answer of answers) answer()
          } catch (error) {
            resume(error as Error)
            return
          }
          resume(undefined)
        })
    }
  }

  /** Adds the data that a read needs. */
  #missing(read: Reads, answers: Array<() => void>): void {
    switch (read.kind) {
      case "vertex":
      case "edge": {
        const known = read.kind === "vertex" ? this.#vertices : this.#edges
        const refs = read.refs.slice(0, read.length)
        if (!known.hasAll(refs, read.keys)) answers.push(() => known.add(refs, read.keys))
        return
      }
      case "ends":
        return
      case "adjacent": {
        const wanted: Array<readonly [Ref, string]> = []
        for (const ref of read.refs.subarray(0, read.length)) {
          if (this.#isAdjacentKnown(ref, read.direction, read.labels, read.edges)) continue
          wanted.push([ref, adjacentName(read.direction, read.labels?.labels ?? null, read.edges)])
        }
        if (wanted.length > 0) {
          answers.push(() => {
            for (const [ref, name] of wanted) this.#addAdjacent(ref, name)
          })
        }
        return
      }
      case "vertexIds":
      case "edgeIds": {
        const known = read.kind === "vertexIds" ? this.#vertexIds : this.#edgeIds
        const keys = read.ids.map(idName).filter((key) => !known.has(key))
        if (keys.length > 0) {
          answers.push(() => {
            for (const key of keys) known.add(key)
          })
        }
        return
      }
      case "scan": {
        const scan = read.scan as LaterScan
        if (!scan.isFetched(read.max)) answers.push(() => scan.fetch(read.max))
      }
    }
  }

  #addAdjacent(ref: Ref, name: string): void {
    const names = this.#adjacent.get(ref)
    if (names === undefined) this.#adjacent.set(ref, new Set([name]))
    else names.add(name)
  }

  #isAdjacentKnown(ref: Ref, direction: DirectionName, labels: LabelSet | null, edges: boolean): boolean {
    if (this.#vertices.isOwn(ref)) return true
    const known = this.#adjacent.get(ref)
    if (known === undefined) return false
    const covers = (one: DirectionName): boolean => {
      const labelsOf = [null, ...(labels === null ? [] : [labels.labels])]
      const directions: readonly DirectionName[] = [one, "BOTH"]
      return directions.some((name) =>
        labelsOf.some((names) => [true, edges].some((withEdges) => known.has(adjacentName(name, names, withEdges))))
      )
    }
    return covers(direction) || (direction === "BOTH" && covers("OUT") && covers("IN"))
  }

  #checkAdjacent(ref: Ref, direction: DirectionName, labels: LabelSet | null, edges: boolean, read: string): void {
    if (this.#isAdjacentKnown(ref, direction, labels, edges)) return
    const names = labels === null ? "every label" : labels.labels.join(", ")
    throw new Error(
      `${read} of vertex ${String(this.inner.vertexId(ref))} (${direction}, ${names}) was read without being prefetched`
    )
  }

  override vertexRef(id: unknown): Ref {
    const ref = this.inner.vertexRef(id)
    if (!this.#vertexIds.has(idName(id)) && !this.#vertices.isOwn(ref)) {
      throw new Error(`vertexRef(${String(id)}) was read without being prefetched`)
    }
    return ref
  }

  override edgeRef(id: unknown): Ref {
    const ref = this.inner.edgeRef(id)
    if (!this.#edgeIds.has(idName(id)) && !this.#edges.isOwn(ref)) {
      throw new Error(`edgeRef(${String(id)}) was read without being prefetched`)
    }
    return ref
  }

  override scanVertices(labels: readonly string[] | null): RefScan {
    const name = `scanVertices(${labels})`
    return new LaterScan(this.inner.scanVertices(labels), name, this.inner, this.#known(name, false))
  }

  override scanEdges(labels: readonly string[] | null): RefScan {
    const name = `scanEdges(${labels})`
    return new LaterScan(this.inner.scanEdges(labels), name, this.inner, this.#known(name, false))
  }

  override searchIndex(query: IndexQuery, choice: IndexChoice): RefScan {
    const name = `searchIndex(${choice.name}, ${queryName(query)})`
    return new LaterScan(this.inner.searchIndex(query, choice), name, this.inner, this.#known(name, true))
  }

  #known(name: string, keepsParts: boolean): Searched {
    let known = this.#searched.get(name)
    if (known === undefined) this.#searched.set(name, (known = { keepsParts, rows: 0, isWhole: false }))
    return known
  }

  override expand(request: EdgeRequest): boolean {
    const { direction, edges, labels, length, refs } = request
    const name = edges ? "incidentEdges" : "adjacentVertices"
    for (const ref of refs.subarray(0, length)) this.#checkAdjacent(ref, direction, labels, edges, name)
    return this.inner.expand(request)
  }

  override degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number {
    this.#checkAdjacent(ref, direction, labels, false, "degree")
    return this.inner.degree(ref, direction, labels)
  }

  override vertexReader(key: string): PropertyReader {
    return this.#reader(this.inner.vertexReader(key), this.#vertices, key)
  }

  override edgeReader(key: string): PropertyReader {
    return this.#reader(this.inner.edgeReader(key), this.#edges, key)
  }

  #reader(reader: PropertyReader, answers: Answers, key: string): PropertyReader {
    return {
      value: (ref) => {
        answers.check(ref, [key], `property ${key}`, this.inner)
        return reader.value(ref)
      }
    }
  }

  override vertexKeys(ref: Ref): readonly string[] {
    this.#vertices.check(ref, null, "vertexKeys", this.inner)
    return this.inner.vertexKeys(ref)
  }

  override edgeKeys(ref: Ref): readonly string[] {
    this.#edges.check(ref, null, "edgeKeys", this.inner)
    return this.inner.edgeKeys(ref)
  }

  override vertexLabel(ref: Ref): string {
    this.#vertices.check(ref, [], "label", this.inner)
    return this.inner.vertexLabel(ref)
  }

  override vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    this.#vertices.check(ref, keys, `properties(${keys ?? ""})`, this.inner)
    return this.inner.vertexProperties(ref, keys).map((property) => this.#outer(property))
  }

  override edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[] {
    this.#edges.check(ref, keys, `properties(${keys ?? ""})`, this.inner)
    const edge = new Edge(this, ref)
    return this.inner.edgeProperties(ref, keys).map(({ key, value }) => new Property(edge, key, value))
  }

  override refOfVertex(vertex: Vertex): Ref {
    return vertex.source === this ? vertex.ref : this.vertexRef(vertex.id)
  }

  override refOfEdge(edge: Edge): Ref {
    return edge.source === this ? edge.ref : this.edgeRef(edge.id)
  }

  override addVertex(label: string, id: unknown): Ref {
    const ref = this.inner.addVertex(label, id)
    this.#vertices.own(ref)
    return ref
  }

  override addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    const ref = this.inner.addEdge(out, label, into, id)
    this.#edges.own(ref)
    return ref
  }

  override setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    options?: VertexPropertyOptions
  ): VertexProperty {
    this.#vertices.check(ref, [key], `setVertexProperty(${key}): the property as it was`, this.inner)
    return this.#outer(this.inner.setVertexProperty(ref, cardinality, key, value, options))
  }

  override setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    return this.#outer(this.inner.setMetaProperty(this.#toInner(property), key, value))
  }

  override setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    const { element, value: set } = this.inner.setEdgeProperty(ref, key, value)
    return new Property(element === null ? null : new Edge(this, ref), key, set)
  }

  override removeVertexTask(ref: Ref, slice: TimeSlice): Task {
    this.#checkAdjacent(ref, "BOTH", null, true, "removeVertex: the edges")
    return super.removeVertexTask(ref, slice)
  }

  override removeVertex(ref: Ref): void {
    this.#checkAdjacent(ref, "BOTH", null, true, "removeVertex: the edges")
    this.inner.removeVertex(ref)
  }

  override removeVertexProperty(property: VertexProperty): void {
    this.inner.removeVertexProperty(this.#toInner(property))
  }

  override removeProperty(property: Property): void {
    const { element, key, value } = property
    if (element === null) return
    const owner = element instanceof Edge ? new Edge(this.inner, this.refOfEdge(element)) : this.#toInner(element)
    this.inner.removeProperty(new Property(owner, key, value))
  }

  /** A property of the wrapped transaction as a property of this one. */
  #outer({ vertex, id, key, value, meta }: VertexProperty): VertexProperty {
    return new VertexProperty(new Vertex(this, vertex!.ref), id, key, value, meta)
  }

  #toInner({ vertex, id, key, value, meta }: VertexProperty): VertexProperty {
    const owner = vertex === null ? null : new Vertex(this.inner, this.refOfVertex(vertex))
    return new VertexProperty(owner, id, key, value, meta)
  }

  override commit(): Pending {
    return {
      onDone: (resume) =>
        this.store.answerLater(() => {
          try {
            const later = this.inner.commit()
            if (later === undefined) resume(undefined)
            else later.onDone(resume)
          } catch (error) {
            resume(error as Error)
          }
        })
    }
  }
}

/** The ids of prefetched look-ups. Ids with which a store finds the same element count as the same id. */
const idName = (id: unknown): unknown => keyOf(lookupKey(id instanceof Vertex || id instanceof Edge ? id.id : id))

const adjacentName = (direction: DirectionName, labels: readonly string[] | null, edges: boolean): string =>
  `${direction} ${edges} ${labels === null ? "*" : JSON.stringify([...labels].sort())}`

/** The elements whose data was prefetched: by ref, the fetched keys or null (all data). */
class Answers {
  readonly #kind: "vertex" | "edge"
  readonly #known = new Map<Ref, Set<string> | null>()
  readonly #own = new Set<Ref>()

  constructor(kind: "vertex" | "edge") {
    this.#kind = kind
  }

  own(ref: Ref): void {
    this.#own.add(ref)
  }

  isOwn(ref: Ref): boolean {
    return this.#own.has(ref)
  }

  has(ref: Ref, keys: readonly string[] | null): boolean {
    if (this.#own.has(ref)) return true
    const known = this.#known.get(ref)
    if (known === undefined) return false
    return known === null || (keys?.every((key) => known.has(key)) ?? false)
  }

  hasAll(refs: RefColumn, keys: readonly string[] | null): boolean {
    for (const ref of refs) if (!this.has(ref, keys)) return false
    return true
  }

  add(refs: RefColumn, keys: readonly string[] | null): void {
    for (const ref of refs) {
      const known = this.#known.get(ref)
      if (known === null) continue
      this.#known.set(ref, keys === null ? null : new Set([...(known ?? []), ...keys]))
    }
  }

  check(ref: Ref, keys: readonly string[] | null, read: string, inner: GraphTransaction): void {
    if (this.has(ref, keys)) return
    const id = this.#kind === "vertex" ? inner.vertexId(ref) : inner.edgeId(ref)
    throw new NotFetched(`${read} of ${this.#kind} ${String(id)} was read without being prefetched`)
  }
}

/** The maximum number of elements of a scan that are kept. */
const MAX_KEPT_ELEMENTS = 4096

/** The known part of the result of an index search or a scan. */
interface Searched {
  readonly keepsParts: boolean
  rows: number
  isWhole: boolean
}

const queryName = ({ conditions, labels, order }: IndexQuery): string =>
  JSON.stringify([
    labels,
    conditions.map(({ key, operator, value }) => [key, operator, typeof value, text(value)]),
    order
  ])

/**
 * A scan whose next rows must be fetched before they are read. The rows of an earlier equal search are available at
 * once.
 */
class LaterScan implements RefScan {
  readonly #inner: RefScan
  readonly #name: string
  readonly #fetched: { refs: RefColumn; length: number }
  readonly #known: Searched
  #taken = 0
  #more = true

  constructor(inner: RefScan, name: string, transaction: GraphTransaction, known: Searched) {
    this.#known = known
    this.#inner = inner
    this.#name = name
    this.#fetched = { refs: transaction.newRefs(0), length: 0 }
  }

  /** True when the next `max` rows, or all remaining ones, were fetched. */
  isFetched(max: number): boolean {
    return this.#isFetched(max) || this.#known.isWhole || this.#known.rows >= this.#taken + max
  }

  #isFetched(max: number): boolean {
    return !this.#more || this.#fetched.length >= max
  }

  fetch(max: number): void {
    while (!this.#isFetched(max)) this.#more = this.#inner.next(max - this.#fetched.length, this.#fetched)
    const rows = this.#taken + this.#fetched.length
    if (this.#known.keepsParts) this.#known.rows = Math.max(this.#known.rows, rows)
    if (!this.#more && (this.#known.keepsParts || rows <= MAX_KEPT_ELEMENTS)) this.#known.isWhole = true
  }

  next(max: number, out: { refs: RefColumn; length: number }): boolean {
    if (!this.isFetched(max)) throw new Error(`${this.#name}: the next ${max} rows were read without being prefetched`)
    this.fetch(max)
    const rows = Math.min(max, this.#fetched.length)
    if (out.length + rows > out.refs.length) {
      const grown =
        this.#fetched.refs instanceof Int32Array
          ? new Int32Array(out.length + rows)
          : new Float64Array(out.length + rows)
      grown.set(out.refs.subarray(0, out.length))
      out.refs = grown
    }
    out.refs.set(this.#fetched.refs.subarray(0, rows), out.length)
    out.length += rows
    this.#fetched.refs.copyWithin(0, rows, this.#fetched.length)
    this.#fetched.length -= rows
    this.#taken += rows
    return this.#more || this.#fetched.length > 0
  }

  close(): void {
    this.#more = false
    this.#fetched.length = 0
    this.#inner.close()
  }
}
