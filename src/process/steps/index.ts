import type { StepBuilder } from "../Compiler.ts"
import { programSteps } from "../olap/programSteps.ts"
import { addSteps } from "./AddSteps.ts"
import { barrierSteps } from "./BarrierStep.ts"
import { branchSteps } from "./BranchStep.ts"
import { callSteps } from "./CallStep.ts"
import { coalesceSteps } from "./CoalesceStep.ts"
import { collectionFilterSteps } from "./CollectionFilterStep.ts"
import { connectiveSteps } from "./ConnectiveStep.ts"
import { dedupSteps } from "./DedupStep.ts"
import { edgeVertexSteps } from "./EdgeVertexStep.ts"
import { failSteps } from "./FailStep.ts"
import { formatSteps } from "./FormatStep.ts"
import { graphSteps } from "./GraphStep.ts"
import { groupSteps } from "./GroupStep.ts"
import { hasSteps } from "./HasStep.ts"
import { indexSteps } from "./IndexStep.ts"
import { ioSteps } from "./IoStep.ts"
import { isSteps } from "./IsStep.ts"
import { localSteps } from "./LocalStep.ts"
import { loopsSteps } from "./LoopsStep.ts"
import { mapSteps } from "./MapSteps.ts"
import { matchSteps } from "./MatchStep.ts"
import { mathSteps } from "./MathStep.ts"
import { mergeSteps } from "./MergeSteps.ts"
import { operandSteps } from "./OperandSteps.ts"
import { orderSteps } from "./OrderStep.ts"
import { passSteps } from "./PassSteps.ts"
import { pathFilterSteps } from "./PathFilterStep.ts"
import { pathSteps } from "./PathStep.ts"
import { profileSteps } from "./ProfileStep.ts"
import { propertiesSteps } from "./PropertiesStep.ts"
import { propertyMapSteps } from "./PropertyMapStep.ts"
import { propertySteps } from "./PropertyStep.ts"
import { rangeSteps } from "./RangeStep.ts"
import { reduceSteps } from "./ReduceSteps.ts"
import { repeatSteps } from "./RepeatStep.ts"
import { sampleSteps } from "./SampleStep.ts"
import { scalarSteps } from "./ScalarSteps.ts"
import { selectSteps } from "./SelectStep.ts"
import { sideEffectSteps } from "./SideEffectSteps.ts"
import { subgraphSteps } from "./SubgraphStep.ts"
import { tailSteps } from "./TailStep.ts"
import { traversalFilterSteps } from "./TraversalFilterStep.ts"
import { treeSteps } from "./TreeStep.ts"
import { unfoldSteps } from "./UnfoldStep.ts"
import { unionSteps } from "./UnionStep.ts"
import { vertexSteps } from "./VertexStep.ts"
import { whereSteps } from "./WhereTraversalStep.ts"

/** Builders of every step of the language, by operator. Each family file contributes its own. */
export const stepBuilders: ReadonlyMap<string, StepBuilder> = new Map(
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
    ...programSteps,
    ...profileSteps,
    ...loopsSteps,
    ...unionSteps,
    ...repeatSteps
  })
)
