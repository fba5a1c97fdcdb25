import type { Operator } from "../plan/Operator.ts"
import { barrierSteps } from "./barrier/BarrierStep.ts"
import { branchSteps } from "./branch/BranchStep.ts"
import { coalesceSteps } from "./branch/CoalesceStep.ts"
import { localSteps } from "./branch/LocalStep.ts"
import { repeatSteps } from "./branch/RepeatStep.ts"
import { unionSteps } from "./branch/UnionStep.ts"
import { closureSteps } from "./closure/ClosureStep.ts"
import { collectionFilterSteps } from "./filter/CollectionFilterStep.ts"
import { connectiveSteps } from "./filter/ConnectiveStep.ts"
import { dedupSteps } from "./filter/DedupStep.ts"
import { hasSteps } from "./filter/HasStep.ts"
import { isSteps } from "./filter/IsStep.ts"
import { passSteps } from "./filter/PassSteps.ts"
import { pathFilterSteps } from "./filter/PathFilterStep.ts"
import { rangeSteps } from "./filter/RangeStep.ts"
import { sampleSteps } from "./filter/SampleStep.ts"
import { tailSteps } from "./filter/TailStep.ts"
import { traversalFilterSteps } from "./filter/TraversalFilterStep.ts"
import { whereSteps } from "./filter/WhereTraversalStep.ts"
import { graphSteps } from "./flatmap/GraphStep.ts"
import { propertiesSteps } from "./flatmap/PropertiesStep.ts"
import { unfoldSteps } from "./flatmap/UnfoldStep.ts"
import { vertexSteps } from "./flatmap/VertexStep.ts"
import { callSteps } from "./map/CallStep.ts"
import { edgeVertexSteps } from "./map/EdgeVertexStep.ts"
import { formatSteps } from "./map/FormatStep.ts"
import { groupCountSteps } from "./map/GroupCountStep.ts"
import { groupSteps } from "./map/GroupStep.ts"
import { indexSteps } from "./map/IndexStep.ts"
import { loopsSteps } from "./map/LoopsStep.ts"
import { mapSteps } from "./map/MapSteps.ts"
import { matchSteps } from "./map/MatchStep.ts"
import { mathSteps } from "./map/MathStep.ts"
import { operandSteps } from "./map/OperandSteps.ts"
import { orderSteps } from "./map/OrderOperator.ts"
import { pathSteps } from "./map/PathStep.ts"
import { propertyMapSteps } from "./map/PropertyMapStep.ts"
import { reduceSteps } from "./map/ReduceSteps.ts"
import { scalarSteps } from "./map/ScalarSteps.ts"
import { selectSteps } from "./map/SelectStep.ts"
import { treeSteps } from "./map/TreeStep.ts"
import { addSteps } from "./mutation/AddSteps.ts"
import { mergeSteps } from "./mutation/MergeSteps.ts"
import { propertySteps } from "./mutation/PropertyStep.ts"
import { failSteps } from "./sideeffect/FailStep.ts"
import { ioSteps } from "./sideeffect/IoStep.ts"
import { profileSteps } from "./sideeffect/ProfileStep.ts"
import { sideEffectSteps } from "./sideeffect/SideEffectSteps.ts"
import { subgraphSteps } from "./sideeffect/SubgraphStep.ts"

/** All operators that build steps. Each step's file defines its own. */
export const stepOperators: ReadonlyMap<string, Operator> = new Map(
  Object.entries({
    ...graphSteps,
    ...vertexSteps,
    ...edgeVertexSteps,
    ...mapSteps,
    ...propertiesSteps,
    ...reduceSteps,
    ...selectSteps,
    ...orderSteps,
    ...groupSteps,
    ...groupCountSteps,
    ...sideEffectSteps,
    ...addSteps,
    ...propertySteps,
    ...mergeSteps,
    ...matchSteps,
    ...treeSteps,
    ...subgraphSteps,
    ...indexSteps,
    ...failSteps,
    ...propertyMapSteps,
    ...pathSteps,
    ...unfoldSteps,
    ...hasSteps,
    ...traversalFilterSteps,
    ...isSteps,
    ...connectiveSteps,
    ...whereSteps,
    ...rangeSteps,
    ...tailSteps,
    ...dedupSteps,
    ...sampleSteps,
    ...passSteps,
    ...pathFilterSteps,
    ...collectionFilterSteps,
    ...barrierSteps,
    ...scalarSteps,
    ...operandSteps,
    ...mathSteps,
    ...formatSteps,
    ...localSteps,
    ...coalesceSteps,
    ...branchSteps,
    ...callSteps,
    ...ioSteps,
    ...profileSteps,
    ...loopsSteps,
    ...closureSteps,
    ...unionSteps,
    ...repeatSteps
  })
)
