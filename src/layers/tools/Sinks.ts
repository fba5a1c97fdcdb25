import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { CellSink, needsTransactions } from "./CellSink.ts"
import type { GraphSink } from "./GraphSink.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import type { ToolContext } from "./Report.ts"
import { TransactionSink } from "./TransactionSink.ts"

/** The fastest sink for a graph. An interrupted import continues with the sink that began it: only this sink knows the ids. */
export const openSink = (graph: GraphStore, plan: ImportPlan, context: ToolContext): GraphSink =>
  graph instanceof CellGraph && !plan.upsert && (plan.begun !== undefined || isPlain(graph))
    ? new CellSink(graph, plan, context)
    : new TransactionSink(graph, plan, context)

const isPlain = (graph: CellGraph): boolean => !needsTransactions(graph) && !graph.core.cells.answersLater
