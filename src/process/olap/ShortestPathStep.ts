import type { Task } from "../../scheduling/Task.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import { type GremlinNumber, isNumber } from "../../structure/numbers/Numbers.ts"
import { isEnum, isTraversal } from "../language/Arguments.ts"
import { answered } from "../machine/StepTasks.ts"
import type { Activation, BarrierGroup, ChildResult } from "../plan/Activation.ts"
import { Batch, EDGE, VALUE } from "../plan/Batch.ts"
import { planOf } from "../plan/Plan.ts"
import type { PlanBuilder, Traversal } from "../plan/Step.ts"
import { acting } from "../plan/StepTraits.ts"
import { Adjacency, EDGE_BYTES, SLICE_VISITS, VERTEX_BYTES } from "./Adjacency.ts"
import { distancesOf } from "./EdgeDistances.ts"
import type { FoundPath } from "./PathWalk.ts"
import { ShortestPaths } from "./ShortestPaths.ts"
import { Adding, FETCHED_VERTICES, type FoundEdges, oneStep, VertexProgramStep, vertexOf } from "./VertexProgramStep.ts"

/** Paths in one batch. */
const BATCH_PATHS = 256
/** Places of paths after which a batch ends, however few paths it has. */
const BATCH_PLACES = 4096
/** Approximate size of a place of a path. */
const PLACE_BYTES = 96

interface Row {
  readonly batch: Batch
  readonly row: number
}

/** The state of the step. */
interface Progress {
  readonly graph: Adjacency
  /** The ref of each edge of the adjacency. */
  readonly edges: Array<Ref>
  /** The distance of each edge of the adjacency. */
  readonly distances: Array<GremlinNumber>
  /** Whether a vertex is a target, for the tested vertices. */
  readonly targets: BigMap<number, boolean>
  /** Whether the traversal sees a vertex, for those at the ends of edges. Empty if it sees all. */
  readonly visible: BigMap<Ref, boolean>
  /** Traversers by their vertex. */
  readonly sources: BigMap<number, Array<Row>>
  /** The vertices of the sources, in order. */
  readonly waiting: Array<number>
}

const traits = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: false,
  merging: "none",
  children: "asked",
  access: "reads"
})

/** shortestPath(): replaces each traverser at a vertex by all shortest paths from that vertex. */
export class ShortestPathStep extends VertexProgramStep {
  readonly operator = "shortestPath"
  readonly name = "ShortestPathVertexProgramStep"
  readonly traits = traits
  /** The filter of the target vertices; null = all vertices. */
  #target: Traversal | null = null
  /** The traversal to the distance of an edge; null = 1 each. */
  #distance: Traversal | null = null
  #maxDistance: GremlinNumber | null = null
  #includeEdges = false
  /** The traversal from an edge to its vertices. Strategies that limit the traversal to a part of the graph add filters to it. */
  #ends: Traversal

  constructor(compiler: PlanBuilder) {
    super("bothE", compiler)
    this.#ends = compiler.child(oneStep("bothV"), this)
  }

  protected override option(name: string, value: unknown, compiler: PlanBuilder): boolean {
    if (name === "target" && isTraversal(value)) this.#target = compiler.child(value, this)
    else if (name === "edges" && isEnum(value, "Direction")) {
      return super.option(name, oneStep("toE", [value]), compiler)
    } else if (name === "distance" && isTraversal(value)) this.#distance = compiler.child(value, this)
    else if (name === "distance" && typeof value === "string") {
      this.#distance = compiler.child(oneStep("values", [value]), this)
    } else if (name === "maxDistance" && isNumber(value)) this.#maxDistance = value
    else if (name === "includeEdges" && typeof value === "boolean") this.#includeEdges = value
    else return super.option(name, value, compiler)
    return true
  }

  override localChildren(): ReadonlyArray<Traversal> {
    const more = [this.#target, this.#distance].filter((child) => child !== null)
    return [...super.localChildren(), this.#ends, ...more]
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    if (from === this.#target) this.#target = to
    else if (from === this.#distance) this.#distance = to
    else if (from === this.#ends) this.#ends = to
    else super.replaceChild(from, to)
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { graph, sources, waiting } = activation.state<Progress>(this, newProgress)
    activation.group(this, batch.loops)
    activation.run.hold(batch.length * VERTEX_BYTES)
    for (let row = 0; row < batch.length; row++) {
      const ref = vertexOf(batch, row, activation)
      if (ref === -1) continue
      const vertex = graph.vertices.add(ref)
      const known = sources.get(vertex)
      if (known === undefined) {
        sources.set(vertex, [{ batch, row }])
        waiting.push(vertex)
      } else known.push({ batch, row })
    }
  }

  protected *computed(_group: BarrierGroup, activation: Activation): Task {
    const progress = activation.state<Progress>(this, newProgress)
    const { run } = activation
    const distances = this.#distance === null ? null : progress.distances
    for (const source of progress.waiting) {
      const search = new ShortestPaths(progress.graph, distances, source, this.#maxDistance, this.#includeEdges)
      let held = 0
      for (let isMeasured = false; !isMeasured; ) {
        yield* this.#fetch(search, progress, activation)
        isMeasured = search.measure()
        run.hold(search.bytes - held)
        held = search.bytes
        yield
      }
      if (this.#target !== null) yield* this.#test(this.#target, search, progress, activation)
      yield* this.#emit(search, progress, activation)
      run.hold(-held)
    }
  }

  /** Fetches the edges that the search needs next. */
  *#fetch(search: ShortestPaths, progress: Progress, activation: Activation): Task {
    for (;;) {
      const wanted = search.wanted(FETCHED_VERTICES)
      if (wanted.length === 0) return
      const vertices = this.batchOf(progress.graph, wanted, activation)
      const found = yield* this.edgesOf(vertices, activation)
      yield* this.#addEdges(wanted, yield* this.#visibleOf(found, progress, activation), progress, activation)
    }
  }

  *#addEdges(wanted: readonly number[], found: FoundEdges, progress: Progress, activation: Activation): Task {
    const { graph } = progress
    const { run, slice } = activation
    const distances = this.#distance === null ? null : yield* distancesOf(this.#distance, found.edges, activation)
    const adding = new Adding(graph, wanted)
    run.hold(found.edges.length * (EDGE_BYTES + VERTEX_BYTES))
    for (let at = 0; at < found.edges.length; at++) {
      adding.add(found.rows[at]!, graph.vertices.add(found.ends[at]!))
      progress.edges.push(found.edges[at]!)
      if (distances !== null) progress.distances.push(distances[at]!)
      if (slice.isOverAfter(at + 1)) yield
    }
    adding.end()
  }

  /** The edges whose other ends the traversal sees: strategies may limit it to a part of the graph. */
  *#visibleOf(found: FoundEdges, progress: Progress, activation: Activation): Task<FoundEdges> {
    if (this.#ends.steps.length === 1) return found
    const { visible } = progress
    const { slice, transaction } = activation
    const asked: Array<Ref> = []
    for (let at = 0; at < found.edges.length; at++) {
      const end = found.ends[at]!
      if (!visible.has(end)) {
        visible.set(end, false)
        asked.push(found.edges[at]!)
      }
      if (slice.isOverAfter(at + 1)) yield
    }
    activation.run.hold(asked.length * VERTEX_BYTES)
    const see = (batch: Batch): void => {
      for (let row = 0; row < batch.length; row++) visible.set(vertexOf(batch, row, activation), true)
    }
    const refs = transaction.newRefs(asked.length)
    refs.set(asked)
    const edges = new Batch(EDGE, refs, asked.length)
    yield* answered<void>((done) => activation.invokeAll(planOf(this.#ends), edges, see, done))
    const seen: FoundEdges = { rows: [], edges: [], ends: [] }
    for (let at = 0; at < found.edges.length; at++) {
      if (visible.get(found.ends[at]!) === true) {
        seen.rows.push(found.rows[at]!)
        seen.edges.push(found.edges[at]!)
        seen.ends.push(found.ends[at]!)
      }
      if (slice.isOverAfter(at + 1)) yield
    }
    return seen
  }

  /** Tests whether reached vertices are targets. */
  *#test(target: Traversal, search: ShortestPaths, { graph, targets }: Progress, activation: Activation): Task {
    const { reached } = search
    let tested = 0
    while (tested < reached.length) {
      const asked: Array<number> = []
      const end = Math.min(reached.length, tested + SLICE_VISITS)
      while (tested < end && asked.length < FETCHED_VERTICES) {
        const vertex = reached[tested++]!
        if (!targets.has(vertex)) asked.push(vertex)
      }
      activation.run.hold(asked.length * VERTEX_BYTES)
      if (asked.length > 0) {
        const vertices = this.batchOf(graph, asked, activation)
        const { found } = yield* answered<ChildResult>((done) =>
          activation.invoke(planOf(target), vertices, "exists", done)
        )
        asked.forEach((vertex, row) => {
          targets.set(vertex, found[row] === 1)
        })
      }
      yield
    }
  }

  /** Emits the paths to all reached targets. There may be very many. */
  *#emit(search: ShortestPaths, progress: Progress, activation: Activation): Task {
    const rows = progress.sources.get(search.source)!
    let found: Array<Path> = []
    let places = 0
    let visits = 0
    for (const vertex of search.reached) {
      if (activation.slice.isOverAfter(++visits)) yield
      if (this.#target !== null && progress.targets.get(vertex) !== true) continue
      for (const path of search.to(vertex)) {
        if (path === null) {
          yield
          continue
        }
        found.push(yield* this.#pathOf(path, progress, activation))
        places += path.vertices.length
        if (found.length < BATCH_PATHS && places < BATCH_PLACES) continue
        yield* this.#give(found, places, rows, activation)
        found = []
        places = 0
      }
    }
    yield* this.#give(found, places, rows, activation)
  }

  /** Emits paths for each traverser at their first vertex. */
  *#give(found: ReadonlyArray<Path>, places: number, rows: ReadonlyArray<Row>, activation: Activation): Task {
    if (found.length === 0) return
    activation.run.hold(places * PLACE_BYTES)
    for (const { batch, row } of rows) {
      activation.emitData(this, batch, new Int32Array(found.length).fill(row), VALUE, [...found], found.length)
      yield
    }
    activation.run.hold(-places * PLACE_BYTES)
  }

  *#pathOf({ edges, vertices }: FoundPath, progress: Progress, { slice, transaction }: Activation): Task<Path> {
    const objects: Array<unknown> = []
    for (let at = 0; at < vertices.length; at++) {
      if (at > 0 && this.#includeEdges) objects.push(transaction.edge(progress.edges[edges[at - 1]!]!))
      objects.push(transaction.vertex(progress.graph.vertices.refs[vertices[at]!]!))
      if (slice.isOverAfter(at + 1)) yield
    }
    return new Path(objects, new Array<ReadonlySet<string>>(objects.length).fill(NO_LABELS))
  }
}

const NO_LABELS: ReadonlySet<string> = new Set()

const newProgress = (): Progress => ({
  graph: new Adjacency(),
  edges: [],
  distances: [],
  targets: new BigMap(),
  visible: new BigMap(),
  sources: new BigMap(),
  waiting: []
})
