import type { Activation } from "../../plan/Activation.ts"
import { type Batch, EDGE, VERTEX } from "../../plan/Batch.ts"
import type { Step } from "../../plan/Step.ts"

/** Emits the element with an id, if it exists, for a batch of one row without further columns. Scripts often ask for one. */
export const emitOne = (
  step: Step & { readonly element: "vertex" | "edge" },
  batch: Batch,
  activation: Activation,
  id: unknown
): true => {
  const { run, transaction } = activation
  const isVertex = step.element === "vertex"
  const ref = isVertex ? transaction.vertexRef(id) : transaction.edgeRef(id)
  run.profile?.annotate(step, "index", "ids")
  if (ref === -1) return true
  const refs = transaction.newRefs(1)
  refs[0] = ref
  activation.emitData(step, batch, null, isVertex ? VERTEX : EDGE, refs, 1)
  return true
}
