import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { LossAnswer } from "../../services/Sessions.ts"

/** The script of a commit or a rollback, as drivers for scripts and consoles send it. */
const OPERATION_SCRIPT = /^\s*\w+\.tx\(\)\.(commit|rollback)\(\)\s*;?\s*$/

/**
 * What a request of a session gets whose transaction is lost. Drivers send bytecode in a session for one transaction only, with a name
 * that no other transaction has. A session of scripts may have a name that its program uses again.
 */
export const answerToLoss = ({ gremlin }: Pick<EvaluationRequest, "gremlin">): LossAnswer => {
  if (typeof gremlin === "string") {
    const [, operation] = OPERATION_SCRIPT.exec(gremlin) ?? []
    return operation === undefined ? "refuse once" : operation === "commit" ? "refuse" : "succeed"
  }
  const [operation] = gremlin.sourceInstructions
  return operation?.operator === "tx" && operation.args[0] === "rollback" ? "succeed" : "refuse"
}
