import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BigSet } from "../../structure/containers/BigMap.ts"
import { closedReason, StorageFailure } from "../../structure/errors/StoreErrors.ts"
import type { GraphFault } from "../../structure/graph/GraphStore.ts"
import { heapRoom } from "../../structure/memory/HeapRoom.ts"
import { IdManager } from "../shared/IdManager.ts"
import { Adjacency } from "./Adjacency.ts"
import { CommitLine } from "./CommitLine.ts"
import { ElementTable } from "./ElementTable.ts"
import { growTask, Meter } from "./Growth.ts"
import type { MemoryGraphOptions } from "./Options.ts"
import type { OwnElements } from "./Overlay.ts"
import { Snapshots, trimTable } from "./Snapshots.ts"
import type { Clock } from "./TableView.ts"

/** Records of the undo log that one call cuts, at most; the rest is cut in later turns of the event loop. */
const CUT_RECORDS = 512
/** Records that are cut between two readings of the clock. */
const CUT_RECORDS_PER_CLOCK_READING = 16
/** Milliseconds after which cutting the undo log, or packing blocks, continues in a later turn of the event loop. */
const CLEANUP_MS = 2
/** Blocks that are packed between two readings of the clock. */
const PACK_BLOCKS = 16
/** Estimated bytes of the note of an id that a client gave to a property. */
const GIVEN_ID_BYTES = 40
/** Slots of the arrays of a graph up to which they grow at once; longer ones grow in slices. */
const SHORT_GROWTH_SLOTS = 131_072

/** The data of a graph in memory: the newest committed state, and the undo logs for older snapshots. */
export class GraphData {
  readonly options: MemoryGraphOptions
  readonly clock: Clock = { version: 1, complete: 1, closed: undefined }
  readonly meter = new Meter()
  readonly vertexIds: IdManager
  readonly edgeIds: IdManager
  readonly propertyIds: IdManager
  readonly vertices: ElementTable
  readonly edges: ElementTable
  readonly out: Adjacency
  readonly in: Adjacency
  /** Ends of each edge, by its slot. */
  outVertices: Int32Array<ArrayBuffer> = new Int32Array(0)
  inVertices: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** Version of the last commit that added or removed an edge at a vertex. */
  touched: Float64Array<ArrayBuffer> = new Float64Array(0)
  readonly snapshots = new Snapshots(this.meter)
  readonly commits = new CommitLine(() => {
    this.#pack()
    this.cut()
  })
  /** Ids that clients gave to properties, of the kind that is counted: the counter skips them. */
  readonly #givenPropertyIds = new BigSet<number>()
  #counter = -1
  #pins = 0
  #cutting = false
  /** Number of slots that all arrays have room for. */
  #vertexRoom = 0
  #edgeRoom = 0
  #fault: GraphFault | undefined

  constructor(options: MemoryGraphOptions) {
    this.options = options
    heapRoom.add(this.meter)
    this.vertexIds = new IdManager(options.vertexIdManager)
    this.edgeIds = new IdManager(options.edgeIdManager)
    this.propertyIds = new IdManager(options.vertexPropertyIdManager)
    this.vertices = new ElementTable("vertex", this.vertexIds, this.propertyIds, this.meter)
    this.edges = new ElementTable("edge", this.edgeIds, null, this.meter)
    this.out = new Adjacency(this.edges.labels, this.meter)
    this.in = new Adjacency(this.edges.labels, this.meter)
  }

  /** Why the graph refuses requests; the first cause stays. */
  get fault(): GraphFault | undefined {
    return this.#fault
  }

  /** Closes the graph: every use of it, and of its open transactions, is refused from now on. */
  close(): void {
    this.#close(closedReason(this.options.name))
  }

  #close(reason: string): void {
    if (this.clock.closed !== undefined) return
    heapRoom.remove(this.meter)
    this.#fault = { isClosed: true, reason }
    this.clock.closed = reason
    this.clock.version = -2
    this.clock.complete = -2
  }

  /** Closes the graph because a part of a commit is in it. `what`: what happened, as a part of a sentence. */
  fail(what: string): void {
    this.#close(
      `The graph ${this.options.name} is closed since ${what}, because a part of that commit may be in it. Start the server ` +
        "again and load the graph's data again; the server's log has the details."
    )
    this.options.onFault?.(this.#fault!.reason)
  }

  assertOpen(): void {
    if (this.clock.closed !== undefined) throw new StorageFailure(this.clock.closed)
  }

  /** Throws when the graph is closed, or takes no writes. */
  assertTakesWrites(): void {
    if (this.#fault !== undefined) throw new StorageFailure(this.#fault.reason)
  }

  /**
   * Stops all writes, because the memory that a commit or an ended transaction leaves could not be freed: more writes would use up the
   * memory. Readers are not affected. What is not freed is what older snapshots see.
   */
  #cannotFree(cause: unknown): void {
    // An index may hold stale entries that are not counted: from now on each answer of an index is tested.
    for (const table of [this.vertices, this.edges]) for (const index of table.indexes.values()) index.stale++
    const { name } = this.options
    const reason =
      `The graph ${name} takes no more writes since memory of earlier commits could not be freed (${String(cause)}); ` +
      "reads still work. Export the graph, start the server again, and import it; the server's log has the details."
    this.#fault = { isClosed: false, reason }
    this.options.onFault?.(reason)
  }

  /** Releases elements that a commit has deleted and that no snapshot sees; the edges of the vertices are among the edges. */
  release(edges: Iterable<number>, vertices: Iterable<number>): void {
    try {
      for (const edge of edges) this.releaseEdge(edge)
      for (const vertex of vertices) this.releaseVertex(vertex)
    } catch (cause) {
      this.#cannotFree(cause)
    }
  }

  /** Notes an id that a client gave to a property. */
  givePropertyId(id: unknown): void {
    const number = this.propertyIds.number(id)
    if (number === undefined || number <= this.#counter || this.#givenPropertyIds.has(number)) return
    this.#givenPropertyIds.add(number)
    this.meter.heap += GIVEN_ID_BYTES
  }

  /**
   * The number of a new id. As in TinkerGraph, the ids of vertices, edges and properties are counted together, and a number
   * that any of them has with the same number type is skipped. In `table` and `own` it must be free whatever the type.
   */
  nextNumber(manager: IdManager, table: ElementTable | null, own: OwnElements | null): number {
    for (;;) {
      const number = ++this.#counter
      if (own?.isGiven(number) || this.#isUsed(number, manager)) continue
      if (table === null || number > table.ids.highest || table.ids.find(number) === -1) return number
    }
  }

  #isUsed(number: number, manager: IdManager): boolean {
    if (this.#givenPropertyIds.size > 0 && this.#givenPropertyIds.delete(number)) {
      this.meter.heap -= GIVEN_ID_BYTES
      const id = manager.restore(number)
      if (typeof id === typeof this.propertyIds.restore(number)) return true
    }
    return isExact(this.vertices, number, manager) || isExact(this.edges, number, manager)
  }

  /** Makes room for so many new elements at once. Throws a RangeError when there is no memory. */
  reserve(vertices: number, edges: number): void {
    if (this.#hasRoom(vertices, edges)) return
    runWhole(this.growTask(vertices, edges, new TimeSlice()))
  }

  #hasRoom(vertices: number, edges: number): boolean {
    return this.vertices.high + vertices <= this.#vertexRoom && this.edges.high + edges <= this.#edgeRoom
  }

  /** {@link reserve} as a task. */
  *growTask(vertices: number, edges: number, slice: TimeSlice): Task {
    yield* this.vertices.growTask(vertices, slice)
    yield* this.edges.growTask(edges, slice)
    const vertexRoom = this.vertices.capacity
    const edgeRoom = this.edges.capacity
    this.outVertices = yield* growTask(this.outVertices, edgeRoom, this.meter, slice)
    this.inVertices = yield* growTask(this.inVertices, edgeRoom, this.meter, slice)
    this.touched = yield* growTask(this.touched, vertexRoom, this.meter, slice)
    yield* this.out.growTask(vertexRoom, edgeRoom, slice)
    yield* this.in.growTask(vertexRoom, edgeRoom, slice)
    // Only now: there may have been no memory for any of the arrays.
    this.#vertexRoom = vertexRoom
    this.#edgeRoom = edgeRoom
  }

  /** Whether room for so many new elements takes long to make. */
  growsMuch(vertices: number, edges: number): boolean {
    return growsMuch(this.vertices, vertices) || growsMuch(this.edges, edges)
  }

  /** Ends a commit that was applied at once. */
  setVersion(version: number): void {
    this.clock.version = version
    this.clock.complete = version
  }

  /** A long commit begins to be applied: until its end new transactions see the state before it. Its version. */
  beginLongCommit(): number {
    this.clock.version++
    this.vertices.beginLongCommit()
    this.edges.beginLongCommit()
    return this.clock.version
  }

  /** The long commit was applied, or rolled back. */
  endLongCommit(): void {
    this.vertices.endLongCommit()
    this.edges.endLongCommit()
    this.clock.complete = this.clock.version
  }

  /** A transaction holds a place inside a block of edges: blocks must not be packed until {@link unpin}. */
  pin(): void {
    this.#pins++
  }

  unpin(): void {
    if (--this.#pins === 0) this.#pack()
  }

  /** Packs blocks for some time; the rest in later turns of the event loop, unless a transaction holds a place again. */
  #pack(): void {
    if (this.#fault !== undefined) return
    try {
      this.#packSome()
    } catch (cause) {
      this.#cannotFree(cause)
    }
  }

  #packSome(): void {
    if (this.#pins > 0 || this.commits.isBusy) return
    const until = performance.now() + CLEANUP_MS
    while (this.out.packPending(PACK_BLOCKS) || this.in.packPending(PACK_BLOCKS)) {
      if (performance.now() < until) continue
      setImmediate(() => this.#pack())
      return
    }
  }

  /** Releases a deleted edge that no snapshot sees. */
  releaseEdge(edge: number): void {
    const label = this.edges.label(edge)
    const canPack = this.#pins === 0
    this.out.forget(this.outVertices[edge]!, label, edge, canPack)
    this.in.forget(this.inVertices[edge]!, label, edge, canPack)
    this.edges.release(edge)
  }

  /** Releases a deleted vertex that no snapshot sees; its edges were released before. */
  releaseVertex(vertex: number): void {
    this.out.clear(vertex)
    this.in.clear(vertex)
    this.vertices.release(vertex)
  }

  /** Cuts the undo logs at the oldest open snapshot. */
  cut(): void {
    if (this.#fault !== undefined) return
    try {
      this.#cutSome()
    } catch (cause) {
      this.#cannotFree(cause)
    }
  }

  #cutSome(): void {
    // A long commit needs the log, and nothing else may be written; it cuts the log at its end.
    if (this.commits.isBusy) return
    let until = 0
    for (let cut = 0; cut < CUT_RECORDS; cut++) {
      const commit = this.snapshots.takeUnneeded()
      if (commit === undefined) return
      trimTable(this.edges, commit.edges, commit.version, (edge) => this.releaseEdge(edge))
      trimTable(this.vertices, commit.vertices, commit.version, (vertex) => this.releaseVertex(vertex))
      if (cut % CUT_RECORDS_PER_CLOCK_READING !== CUT_RECORDS_PER_CLOCK_READING - 1) continue
      const now = performance.now()
      if (until === 0) until = now + CLEANUP_MS
      else if (now > until) break
    }
    if (this.#cutting) return
    this.#cutting = true
    setImmediate(() => {
      this.#cutting = false
      this.cut()
    })
  }
}

const growsMuch = (table: ElementTable, more: number): boolean =>
  table.high + more > table.capacity && table.capacity > SHORT_GROWTH_SLOTS

const isExact = (table: ElementTable, number: number, manager: IdManager): boolean =>
  number <= table.ids.highest && table.ids.find(number) !== -1 && table.ids.hasExact(manager.restore(number))
