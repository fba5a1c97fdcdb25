import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { CellTarget, needsTransactions } from "./CellTarget.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import type { ImportTarget } from "./ImportTarget.ts"
import type { ToolContext } from "./Report.ts"
import { TransactionTarget } from "./TransactionTarget.ts"

/** The fastest target for a graph. An interrupted import continues with the target that began it: only this target knows the ids. */
export const openTarget = (graph: GraphStore, plan: ImportPlan, context: ToolContext): ImportTarget =>
  graph instanceof CellGraph && !plan.upsert && (plan.begun !== undefined || isPlain(graph))
    ? new CellTarget(graph, plan, context)
    : new TransactionTarget(graph, plan, context)

const isPlain = (graph: CellGraph): boolean => !needsTransactions(graph) && !graph.core.cells.answersLater
