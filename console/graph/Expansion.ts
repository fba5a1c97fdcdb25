import { collectWithChanges } from "../query/Session.ts"
import { elementsOf } from "../results/Exports.ts"
import { texts } from "../texts.ts"
import { Mapping, shortOf, type Value, type Vertex } from "../wire/Values.ts"
import { type GraphLink, type GraphModel, type GraphNode, nodeIdOf } from "./Model.ts"

/** Edges of a vertex with one label in one direction. */
export interface Neighbourhood {
  readonly direction: "out" | "in"
  readonly label: string
  readonly count: number
}

/** Edges that are counted, at most: a vertex may have millions. */
const MAX_COUNTED_EDGES = 10_000
/** Edges that one expansion adds, at most. The next one adds others. */
const MAX_ADDED_EDGES = 100
/** Edges between drawn vertices that are fetched, at most. */
const MAX_JOINING_EDGES = 2_000
/** Edges of one vertex, and of all, that are read to find those, about: the drawn vertices may have millions to others. */
const MAX_READ_EDGES_OF_VERTEX = 1_000
const MAX_READ_EDGES = 50_000

/** A number of edges as text: with a plus where there may be more. */
export const countText = (count: number): string =>
  `${count.toLocaleString("en")}${count >= MAX_COUNTED_EDGES ? "+" : ""}`

/** Counts the edges of a vertex, by label and direction. */
export const neighbourhoodsOf = async ({ id }: Vertex): Promise<ReadonlyArray<Neighbourhood>> => {
  const limit = MAX_COUNTED_EDGES
  const [found] = await collectWithChanges(
    `g.V(console_vertex).project('out', 'in').by(__.outE().limit(${limit}).groupCount().by(T.label)).by(__.inE().limit(${limit}).groupCount().by(T.label))`,
    { console_vertex: id.raw }
  )
  const of = (direction: "out" | "in"): ReadonlyArray<Neighbourhood> => {
    const counts = found instanceof Mapping ? found.get(direction) : undefined
    if (!(counts instanceof Mapping)) return []
    return counts.entries.map(([label, count]) => ({ direction, label: shortOf(label), count: Number(count) }))
  }
  return [...of("out"), ...of("in")]
}

/** Whether a drawn edge is one of those of a vertex that an expansion adds. */
const belongs = ({ edge, from, to }: GraphLink, node: GraphNode, { direction, label }: Neighbourhood): boolean =>
  edge.label === label && (direction === "out" ? from : to) === node

/** Fetches neighbours of a vertex that are not drawn, and adds them to the drawing. Returns how many of its edges are drawn now. */
export const expand = async (model: GraphModel, node: GraphNode, neighbourhood: Neighbourhood): Promise<number> => {
  const { direction, label } = neighbourhood
  const [edges, end] = direction === "out" ? ["outE", "inV"] : ["inE", "outV"]
  const drawn = (): ReadonlyArray<GraphLink> =>
    [...model.links.values()].filter((link) => belongs(link, node, neighbourhood))
  const known = drawn().map(({ edge }) => edge.id.raw)
  const others = known.length === 0 ? "" : ".not(__.hasId(P.within(console_known)))"
  const values = await collectWithChanges(
    `g.V(console_vertex).${edges}(console_label)${others}.limit(${MAX_ADDED_EDGES}).as('e').${end}().as('v').select('e', 'v')`,
    {
      console_vertex: node.vertex.id.raw,
      console_label: label,
      ...(known.length === 0 ? {} : { console_known: { "@type": "g:List", "@value": known } })
    }
  )
  addAll(model, values, node)
  return drawn().length
}

const addAll = (model: GraphModel, values: ReadonlyArray<Value>, near: GraphNode | undefined): void => {
  const found = elementsOf(values)
  if (found.vertices.size + found.edges.size > 0) model.remember()
  model.add(found.vertices.values(), found.edges.values(), near)
}

/** Vertices that one request fetches. */
const VERTICES_PER_REQUEST = 500

/** Fetches the properties of drawn vertices that the result contains only as ends of edges. Calls `changed` after each request. */
export const completeDrawn = async (model: GraphModel, changed: () => void, signal: AbortSignal): Promise<void> => {
  const bare = [...model.nodes.values()].filter(({ id }) => model.bare.has(id))
  for (let at = 0; at < bare.length; at += VERTICES_PER_REQUEST) {
    const ids = bare.slice(at, at + VERTICES_PER_REQUEST).map(({ vertex }) => vertex.id.raw)
    const bindings = { console_ids: { "@type": "g:List", "@value": ids } }
    const values = await collectWithChanges("g.V(console_ids)", bindings, signal)
    // A vertex that was hidden meanwhile stays hidden.
    const drawn = [...elementsOf(values).vertices.values()].filter((vertex) => model.nodes.has(nodeIdOf(vertex.id)))
    model.add(drawn, [])
    changed()
  }
}

/** What {@link joinDrawn} has done. */
interface Joined {
  readonly isChanged: boolean
  /** Which edges it did not look for or draw; empty if it has drawn all between the drawn vertices. */
  readonly leftOut: string
}

/** Fetches the edges between the drawn vertices, so that a result of vertices alone is drawn as a graph. */
export const joinDrawn = async (model: GraphModel, signal: AbortSignal): Promise<Joined> => {
  const ids = [...model.nodes.values()].map(({ vertex }) => vertex.id.raw)
  // Each vertex has the same share: otherwise the first ones could use up all.
  const share = Math.max(1, Math.min(MAX_READ_EDGES_OF_VERTEX, Math.floor(MAX_READ_EDGES / ids.length)))
  const values = await collectWithChanges(
    `g.V(console_ids).local(__.union(__.outE().limit(${share}).where(__.inV().hasId(P.within(console_ids))), __.outE().range(${share}, ${share + 1}).constant('more'))).dedup().limit(${MAX_JOINING_EDGES + 2})`,
    {
      console_ids: { "@type": "g:List", "@value": ids }
    },
    signal
  )
  const before = model.links.size
  const edges = [...elementsOf(values).edges.values()]
  model.add([], edges.slice(0, MAX_JOINING_EDGES))
  const leftOut =
    edges.length > MAX_JOINING_EDGES
      ? texts.graph.notAllJoined(MAX_JOINING_EDGES)
      : values.includes("more")
        ? texts.graph.notAllRead(share)
        : ""
  return { isChanged: model.links.size > before, leftOut }
}
