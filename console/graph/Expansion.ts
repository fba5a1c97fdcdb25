import { session } from "../query/Query.ts"
import { elementsOf } from "../results/Exports.ts"
import { collect } from "../shell/Server.ts"
import { Mapping, shortOf, type Value, type Vertex } from "../wire/Values.ts"
import type { GraphModel, GraphNode } from "./Model.ts"

/** Edges of a vertex with one label in one direction. */
export interface Neighbourhood {
  readonly direction: "out" | "in"
  readonly label: string
  readonly count: number
}

/** Edges that are counted, at most: a vertex may have millions. */
const MAX_COUNTED_EDGES = 10_000
/** Edges that one expansion adds, at most. */
const MAX_ADDED_EDGES = 100
/** Edges between drawn vertices that are fetched, at most. */
const MAX_JOINING_EDGES = 2_000

/** Counts the edges of a vertex, by label and direction. */
export const neighbourhoodsOf = async ({ id }: Vertex): Promise<ReadonlyArray<Neighbourhood>> => {
  const limit = MAX_COUNTED_EDGES
  const [found] = await collect(
    `g.V(vertexId).project('out', 'in').by(outE().limit(${limit}).groupCount().by(label)).by(inE().limit(${limit}).groupCount().by(label))`,
    { vertexId: id.raw },
    session.value
  )
  const of = (direction: "out" | "in"): ReadonlyArray<Neighbourhood> => {
    const counts = found instanceof Mapping ? found.get(direction) : undefined
    if (!(counts instanceof Mapping)) return []
    return counts.entries.map(([label, count]) => ({ direction, label: shortOf(label), count: Number(count) }))
  }
  return [...of("out"), ...of("in")]
}

/** Fetches neighbours of a vertex, and adds them to the drawing. */
export const expand = async (
  model: GraphModel,
  node: GraphNode,
  { direction, label }: Neighbourhood
): Promise<void> => {
  const [edges, end] = direction === "out" ? ["outE", "inV"] : ["inE", "outV"]
  const values = await collect(
    `g.V(vertexId).${edges}(edgeLabel).limit(${MAX_ADDED_EDGES}).as('e').${end}().as('v').select('e', 'v')`,
    {
      vertexId: node.vertex.id.raw,
      edgeLabel: label
    },
    session.value
  )
  addAll(model, values, node)
}

const addAll = (model: GraphModel, values: ReadonlyArray<Value>, near: GraphNode | undefined): void => {
  const found = elementsOf(values)
  if (found.vertices.size + found.edges.size > 0) model.remember()
  model.add(found.vertices.values(), found.edges.values(), near)
}

/** Fetches the edges between the drawn vertices, so that a result of vertices alone is drawn as a graph. */
export const joinDrawn = async (model: GraphModel): Promise<boolean> => {
  const ids = [...model.nodes.values()].map(({ vertex }) => vertex.id.raw)
  const values = await collect(
    `g.V(ids).outE().where(inV().hasId(within(ids))).limit(${MAX_JOINING_EDGES})`,
    {
      ids: { "@type": "g:List", "@value": ids }
    },
    session.value
  )
  const before = model.links.size
  model.add([], elementsOf(values).edges.values())
  return model.links.size > before
}
