import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { CellSink } from "./CellSink.ts"
import type { GraphSink } from "./GraphSink.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import { TransactionSink } from "./TransactionSink.ts"

/** What takes an import into a graph, in the fastest way that it has. `shared`: others use the graph meanwhile. */
export const openSink = (graph: GraphStore, plan: ImportPlan, shared: boolean): GraphSink =>
  graph instanceof CellGraph && isPlain(graph) ? new CellSink(graph, plan, shared) : new TransactionSink(graph, plan)

/** True where the schema asks of elements nothing that only transactions look after: constraints, ends, static labels. */
const isPlain = ({ core }: CellGraph): boolean => {
  const { expires, hasStatic } = core.schema
  return expires === undefined && !hasStatic && !core.options.constraints && !core.cells.answersLater
}
