import type { Activation } from "../plan/Activation.ts"
import type { Batch } from "../plan/Batch.ts"
import { BATCH_WIDTH } from "../plan/Plan.ts"
import { takesEach } from "../plan/Silence.ts"
import type { Step } from "../plan/Step.ts"
import { apart } from "./ChildRows.ts"
import type { Inbox } from "./Inbox.ts"

/** The next rows before a step, at most `width`. If the step takes each traverser, a bulk becomes as many rows, some at a time. */
export const nextRows = (step: Step, inbox: Inbox, width: number, activation: Activation): Batch => {
  const batch = inbox.next(width)
  if (batch.bulk === null || !takesEach(step, activation.plan) || activation.isBegun(step)) return batch
  const rows = apart(batch, BATCH_WIDTH)
  if (rows === batch) return batch
  inbox.front = rows
  return inbox.next(width)
}
