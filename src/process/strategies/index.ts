import { branchGates } from "./BranchGates.ts"
import { earlyLimit } from "./EarlyLimit.ts"
import { elementId } from "./ElementId.ts"
import { filterRanking } from "./FilterRanking.ts"
import { identityRemoval } from "./IdentityRemoval.ts"
import { idFolding } from "./IdFolding.ts"
import { incidentToAdjacent } from "./IncidentToAdjacent.ts"
import { indexHints } from "./IndexHints.ts"
import { inlineFilters } from "./InlineFilters.ts"
import { lazyBarriers } from "./LazyBarriers.ts"
import { partition } from "./PartitionStrategy.ts"
import { pathRetraction } from "./PathRetraction.ts"
import { productiveBy } from "./ProductiveBy.ts"
import { profile, profileVerification } from "./Profile.ts"
import { standardVerification } from "./StandardVerification.ts"
import { storedOrder } from "./StoredOrder.ts"
import type { Strategy } from "./Strategy.ts"
import { subgraph } from "./SubgraphStrategy.ts"
import { edgeLabelVerification, readOnly, reservedKeysVerification, seed } from "./Verification.ts"
import { vertexProgram, vertexProgramRestriction, vertexPrograms } from "./VertexPrograms.ts"

/** Applied to every traversal unless withoutStrategies() names them. */
export const standardStrategies: readonly Strategy[] = [
  identityRemoval,
  incidentToAdjacent,
  inlineFilters,
  filterRanking,
  earlyLimit,
  idFolding,
  indexHints,
  storedOrder,
  pathRetraction,
  lazyBarriers,
  branchGates,
  vertexPrograms,
  profile,
  profileVerification,
  standardVerification
]

/** Applied when withStrategies() names them. */
export const requestStrategies: readonly Strategy[] = [
  subgraph,
  partition,
  productiveBy,
  elementId,
  vertexProgram,
  seed,
  readOnly,
  edgeLabelVerification,
  reservedKeysVerification,
  vertexProgramRestriction
]

/** Accepted and without effect: what they do is not needed here, or always done. */
export const acceptedStrategies: ReadonlySet<string> = new Set([
  "AdjacentToIncidentStrategy",
  "ByModulatorOptimizationStrategy",
  "ComputerFinalizationStrategy",
  "ComputerVerificationStrategy",
  "ConnectiveStrategy",
  "CountStrategy",
  "EarlyLimitStrategy",
  "EventStrategy",
  "FilterRankingStrategy",
  "GraphFilterStrategy",
  "HaltedTraverserStrategy",
  "IdentityRemovalStrategy",
  "IncidentToAdjacentStrategy",
  "InlineFilterStrategy",
  "LambdaRestrictionStrategy",
  "LazyBarrierStrategy",
  "MatchAlgorithmStrategy",
  "MatchPredicateStrategy",
  "MessagePassingReductionStrategy",
  "OrderLimitStrategy",
  "PathProcessorStrategy",
  "PathRetractionStrategy",
  "ReferenceElementStrategy",
  "RepeatUnrollStrategy",
  "StandardVerificationStrategy"
])
