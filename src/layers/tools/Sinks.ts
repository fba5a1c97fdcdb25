import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { CellSink } from "./CellSink.ts"
import type { GraphSink } from "./GraphSink.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import type { ToolContext } from "./Report.ts"
import { TransactionSink } from "./TransactionSink.ts"

/** The fastest sink for a graph. */
export const openSink = (graph: GraphStore, plan: ImportPlan, context: ToolContext): GraphSink =>
  graph instanceof CellGraph && isPlain(graph) && !plan.upsert
    ? new CellSink(graph, plan, context.shared)
    : new TransactionSink(graph, plan, context)

/** True when the schema needs no checks that only transactions make: constraints, TTLs, static and partitioned labels. */
const isPlain = ({ core }: CellGraph): boolean => {
  const { expires, hasPartitioned, hasStatic, outside } = core.schema
  if (outside.length > 0) return false
  return expires === undefined && !hasPartitioned && !hasStatic && !core.options.constraints && !core.cells.answersLater
}
