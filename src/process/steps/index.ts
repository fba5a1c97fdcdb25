import type { StepBuilder } from "../Compiler.ts"
import { countSteps } from "./CountStep.ts"
import { graphSteps } from "./GraphStep.ts"
import { hasSteps } from "./HasStep.ts"
import { repeatSteps } from "./RepeatStep.ts"
import { traversalFilterSteps } from "./TraversalFilterStep.ts"
import { unionSteps } from "./UnionStep.ts"
import { vertexSteps } from "./VertexStep.ts"

/** Builders of every step of the language, by operator. Each family file contributes its own. */
export const stepBuilders: ReadonlyMap<string, StepBuilder> = new Map(
  Object.entries({
    ...graphSteps,
    ...vertexSteps,
    ...countSteps,
    ...hasSteps,
    ...traversalFilterSteps,
    ...unionSteps,
    ...repeatSteps
  })
)
