import type { Strategies, Strategy } from "../plan/Strategy.ts"
import { elementId } from "./decoration/ElementId.ts"
import { partition } from "./decoration/PartitionStrategy.ts"
import { productiveBy } from "./decoration/ProductiveBy.ts"
import { subgraph } from "./decoration/SubgraphStrategy.ts"
import { vertexProgram, vertexProgramRestriction, vertexPrograms } from "./decoration/VertexPrograms.ts"
import { profile, profileVerification } from "./finalization/Profile.ts"
import { referenceElements } from "./finalization/ReferenceElements.ts"
import { sackSplits } from "./finalization/SackSplits.ts"
import { branchGates } from "./optimization/BranchGates.ts"
import { byModulators } from "./optimization/ByModulators.ts"
import { countBounds } from "./optimization/CountBounds.ts"
import { earlyLimit } from "./optimization/EarlyLimit.ts"
import { edgeLabels } from "./optimization/EdgeLabels.ts"
import { filterRanking } from "./optimization/FilterRanking.ts"
import { foldedOrders } from "./optimization/FoldedOrders.ts"
import { identityRemoval } from "./optimization/IdentityRemoval.ts"
import { idFolding } from "./optimization/IdFolding.ts"
import { incidentToAdjacent } from "./optimization/IncidentToAdjacent.ts"
import { indexHints } from "./optimization/IndexHints.ts"
import { inlineFilters } from "./optimization/InlineFilters.ts"
import { lazyBarriers } from "./optimization/LazyBarriers.ts"
import { pathRetraction } from "./optimization/PathRetraction.ts"
import { repeatUnroll } from "./optimization/RepeatUnroll.ts"
import { storedOrder } from "./optimization/StoredOrder.ts"
import { standardVerification } from "./verification/StandardVerification.ts"
import {
  edgeLabelVerification,
  lambdaRestriction,
  readOnly,
  reservedKeysVerification,
  seed
} from "./verification/Verification.ts"

/** Applied to every traversal unless withoutStrategies() names them. */
const standard: readonly Strategy[] = [
  repeatUnroll,
  identityRemoval,
  byModulators,
  inlineFilters,
  filterRanking,
  edgeLabels,
  incidentToAdjacent,
  earlyLimit,
  countBounds,
  idFolding,
  indexHints,
  foldedOrders,
  storedOrder,
  pathRetraction,
  lazyBarriers,
  branchGates,
  vertexPrograms,
  sackSplits,
  profile,
  profileVerification,
  standardVerification
]

/** Applied when withStrategies() names them. */
const onRequest: readonly Strategy[] = [
  subgraph,
  partition,
  productiveBy,
  elementId,
  vertexProgram,
  referenceElements,
  seed,
  readOnly,
  edgeLabelVerification,
  reservedKeysVerification,
  lambdaRestriction,
  vertexProgramRestriction
]

/** Accepted without effect: their work is not needed here, or always done. */
const accepted: ReadonlySet<string> = new Set([
  "AdjacentToIncidentStrategy",
  "ComputerFinalizationStrategy",
  "ComputerVerificationStrategy",
  "ConnectiveStrategy",
  "EarlyLimitStrategy",
  "EventStrategy",
  "FilterRankingStrategy",
  "GraphFilterStrategy",
  "HaltedTraverserStrategy",
  "IdentityRemovalStrategy",
  "IncidentToAdjacentStrategy",
  "InlineFilterStrategy",
  "LazyBarrierStrategy",
  "MatchAlgorithmStrategy",
  "MatchPredicateStrategy",
  "MessagePassingReductionStrategy",
  "OrderLimitStrategy",
  "PathProcessorStrategy",
  "PathRetractionStrategy",
  "RepeatUnrollStrategy",
  "StandardVerificationStrategy"
])

/** The strategies of the language. */
export const strategies: Strategies = { standard, onRequest, accepted }
