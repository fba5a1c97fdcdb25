import type { Ref } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import { compareNumbers } from "../../structure/numbers/NumberOrder.ts"
import { type GremlinNumber, isNumber } from "../../structure/numbers/Numbers.ts"
import { text } from "../../structure/texts/Text.ts"
import { isEnum, isTraversal } from "../language/Arguments.ts"
import { TraversalError } from "../language/Errors.ts"
import { runInOrder } from "../machine/ChildRows.ts"
import type { Activation, BarrierGroup } from "../plan/Activation.ts"
import { Batch, EDGE, VALUE, VERTEX } from "../plan/Batch.ts"
import { planOf } from "../plan/Plan.ts"
import type { PlanBuilder, Traversal } from "../plan/Step.ts"
import { acting } from "../plan/StepTraits.ts"
import { Adjacency, EDGE_BYTES, VERTEX_BYTES } from "./Adjacency.ts"
import { type FoundPath, ShortestPaths } from "./ShortestPaths.ts"
import { FETCHED_VERTICES, oneStep, VertexProgramStep, vertexOf } from "./VertexProgramStep.ts"

/** Paths in one batch. */
const BATCH_PATHS = 256

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
  readonly targets: Map<number, boolean>
  /** Traversers by their vertex. */
  readonly sources: Map<number, Array<Row>>
  /** The vertices of the sources, in order. */
  readonly waiting: Array<number>
  /** Number of sources whose search has begun. */
  begun: number
  /** The search of the current source. */
  search: ShortestPaths | null
  /** Number of its reached vertices that are tested. */
  tested: number
  /** Paths of the current source; null before its search has ended. */
  paths: Iterator<FoundPath> | null
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

  constructor(compiler: PlanBuilder) {
    super("bothE", compiler)
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
    return [...super.localChildren(), ...more]
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    if (from === this.#target) this.#target = to
    else if (from === this.#distance) this.#distance = to
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

  override flush(_group: BarrierGroup, activation: Activation): boolean {
    const progress = activation.state<Progress>(this, newProgress)
    if (progress.search === null) {
      const source = progress.waiting[progress.begun++]
      if (source === undefined) return true
      const parallel = this.#includeEdges
      const distances = this.#distance === null ? null : progress.distances
      progress.search = new ShortestPaths(progress.graph, distances, source, this.#maxDistance, parallel)
      progress.tested = 0
      return false
    }
    const { search } = progress
    if (progress.paths !== null) this.#emit(search, progress.paths, progress, activation)
    else if (
      !this.#fetch(search, progress, activation) &&
      search.measure() &&
      !this.#test(search, progress, activation)
    ) {
      progress.paths = pathsOf(search, progress.targets, this.#target === null)
    }
    return false
  }

  /** Fetches the edges that the search needs next. False when none is missing. */
  #fetch(search: ShortestPaths, progress: Progress, activation: Activation): boolean {
    const wanted = search.wanted(FETCHED_VERTICES)
    if (wanted.length === 0) return false
    const { graph } = progress
    const { run, transaction } = activation
    const refs = transaction.newRefs(wanted.length)
    wanted.forEach((vertex, row) => {
      refs[row] = graph.vertices.refs[vertex]!
    })
    runInOrder(planOf(this.edges), new Batch(VERTEX, refs, refs.length), activation, (results, count) => {
      run.hold(count * (EDGE_BYTES + VERTEX_BYTES))
      this.#measureEdges(results, activation, (distances) => {
        let next = 0
        let at = -1
        for (const batch of results) {
          for (let i = 0; i < batch.length; i++) {
            const row = batch.originOf(i)
            while (at < row) graph.open(wanted[++at]!)
            const edge = this.edgeOf(batch, i, activation)
            const other = this.otherEnd(refs[row]!, edge, activation)
            graph.add(wanted[row]!, graph.vertices.add(other))
            progress.edges.push(edge)
            if (distances !== null) progress.distances.push(distances[next++]!)
          }
        }
        while (at < wanted.length - 1) graph.open(wanted[++at]!)
      })
    })
    return true
  }

  /** Passes the distances of edges, in order, to `done`; null when each is 1. */
  #measureEdges(
    results: ReadonlyArray<Batch>,
    activation: Activation,
    done: (distances: ReadonlyArray<GremlinNumber> | null) => void
  ): void {
    if (this.#distance === null || results.length === 0) {
      done(this.#distance === null ? null : [])
      return
    }
    const { transaction } = activation
    const edges = results.flatMap((batch) =>
      Array.from({ length: batch.length }, (_, row) => this.edgeOf(batch, row, activation))
    )
    const refs = transaction.newRefs(edges.length)
    refs.set(edges)
    const plan = planOf(this.#distance)
    activation.invoke(plan, new Batch(EDGE, refs, refs.length), "first", ({ found, values }) =>
      done(edges.map((_, row) => (found[row] === 1 ? distanceOf(values[row]) : 0)))
    )
  }

  /** Tests whether reached vertices are targets. False when all are tested. */
  #test(search: ShortestPaths, progress: Progress, activation: Activation): boolean {
    const { graph, targets } = progress
    const { reached } = search
    if (this.#target === null) return false
    const asked: Array<number> = []
    while (progress.tested < reached.length && asked.length < FETCHED_VERTICES) {
      const vertex = reached[progress.tested++]!
      if (!targets.has(vertex)) asked.push(vertex)
    }
    if (asked.length === 0) return false
    const refs = activation.transaction.newRefs(asked.length)
    asked.forEach((vertex, row) => {
      refs[row] = graph.vertices.refs[vertex]!
    })
    activation.invoke(planOf(this.#target), new Batch(VERTEX, refs, refs.length), "exists", ({ found }) => {
      asked.forEach((vertex, row) => {
        targets.set(vertex, found[row] === 1)
      })
    })
    return true
  }

  #emit(search: ShortestPaths, paths: Iterator<FoundPath>, progress: Progress, activation: Activation): void {
    const found: Array<Path> = []
    while (found.length < BATCH_PATHS) {
      const next = paths.next()
      if (next.done === true) {
        progress.search = null
        progress.paths = null
        break
      }
      found.push(this.#pathOf(next.value, progress, activation))
    }
    for (const { batch, row } of progress.sources.get(search.source)!) {
      activation.emitData(this, batch, new Int32Array(found.length).fill(row), VALUE, found, found.length)
    }
  }

  #pathOf({ edges, vertices }: FoundPath, progress: Progress, { transaction }: Activation): Path {
    const objects: Array<unknown> = []
    vertices.forEach((vertex, at) => {
      if (at > 0 && this.#includeEdges) objects.push(transaction.edge(progress.edges[edges[at - 1]!]!))
      objects.push(transaction.vertex(progress.graph.vertices.refs[vertex]!))
    })
    return new Path(
      objects,
      objects.map(() => NO_LABELS)
    )
  }
}

const NO_LABELS: ReadonlySet<string> = new Set()

const newProgress = (): Progress => ({
  graph: new Adjacency(),
  edges: [],
  distances: [],
  targets: new Map(),
  sources: new Map(),
  waiting: [],
  begun: 0,
  search: null,
  tested: 0,
  paths: null
})

/** Iterates over the paths to all reached targets. There may be very many. */
function* pathsOf(
  search: ShortestPaths,
  targets: ReadonlyMap<number, boolean>,
  all: boolean
): Generator<FoundPath, undefined> {
  for (const vertex of search.reached) if (all || targets.get(vertex) === true) yield* search.to(vertex)
}

const distanceOf = (value: unknown): GremlinNumber => {
  if (!isNumber(value)) throw new TraversalError(`The distance of an edge must be a number, but is ${text(value)}`)
  if (compareNumbers(value, 0) < 0) {
    throw new TraversalError(
      `The distance of an edge must not be negative, but is ${text(value)}: shortestPath() would not end`
    )
  }
  return value
}
