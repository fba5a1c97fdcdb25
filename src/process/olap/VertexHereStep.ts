import { TraversalError } from "../language/Errors.ts"
import type { Activation } from "../plan/Activation.ts"
import { type Batch, VERTEX } from "../plan/Batch.ts"
import { Step } from "../plan/Step.ts"
import { mapping } from "../plan/StepTraits.ts"
import { vertexOf } from "./VertexProgramStep.ts"

const traits = mapping({ limits: "pass", labels: "none", children: "none" })

/**
 * V() in the middle of a traversal, directly before a program. On TinkerPop's graph computer each vertex runs it for the traversers that
 * are there, and sees only itself.
 */
export class VertexHereStep extends Step {
  readonly operator = "V"
  readonly name = "GraphStep"
  readonly traits = traits

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const refs = activation.transaction.newRefs(batch.length)
    for (let row = 0; row < batch.length; row++) {
      const ref = vertexOf(batch, row, activation)
      if (ref === -1) {
        throw new TraversalError(
          "V() before a program such as pageRank() continues from the vertex of each traverser, but one is not at a vertex. " +
            "Put a step to vertices, such as outV(), before V(), or leave V() out"
        )
      }
      refs[row] = ref
    }
    activation.emitData(this, batch, null, VERTEX, refs, batch.length)
  }
}
