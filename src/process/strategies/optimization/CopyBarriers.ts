import type { LoopFrame } from "../../plan/Batch.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import { BarrierStep } from "../../steps/barrier/BarrierStep.ts"
import { RoundBarrierStep } from "../../steps/barrier/RoundBarrierStep.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { moveLabels } from "../StepInsertion.ts"

/** The size of TinkerPop's barriers, in traversers. */
const BARRIER_TRAVERSERS = 2500

/** What the steps before a place mean for a barrier there. */
export interface Before {
  /** A step has multiplied rows. */
  multiplied: boolean
  /** Rows have labels that prevent a barrier. */
  labelled: boolean
}

/** Gives a new step the traversal of one that is beside it. */
export const placed = (step: Step, beside: Step): Step => {
  step.traversal = beside.traversal
  return step
}

/** A barrier, or another step, after a step. It takes the labels of the step. */
export const barrierAfter = (step: Step, barrier: Step = new BarrierStep("values", BARRIER_TRAVERSERS)): Step => {
  moveLabels(step, barrier)
  return placed(barrier, step)
}

/**
 * Inserts barriers into the body of a repeat() that TinkerPop writes out as copies: between the copies, and, if `seen` is given,
 * after steps of a copy that multiply rows. The first such step of all copies has a barrier only if rows were multiplied before it.
 * After the last copy, the barrier depends on the next step of the traversal. Labels in the body prevent barriers in later copies;
 * `outer` tells for each such repeat() around it, from the innermost, whether its body has labels.
 */
export const insertInCopies = (repeat: RepeatStep, seen: Before | null, outer: ReadonlyArray<boolean> = []): void => {
  const body = repeat.body!
  const labelled = [hasLabels(body), ...outer]
  const end = body.steps.at(-1)!
  const out: Array<Step> = []
  body.steps.forEach((step, at) => {
    const endsCopy = body.steps[at + 1] === end
    if (step === end) out.push(placed(betweenCopies(repeat), step))
    out.push(step)
    if (step instanceof RepeatStep && step.isCopied) {
      insertInCopies(step, seen, labelled)
      if (!endsCopy) out.push(barrierAfter(step))
    } else if (step.traits.results === "many" && seen !== null) {
      const stands = standsIn(labelled, seen.multiplied)
      const inAll = seen.multiplied && !labelled.includes(true)
      const barrier = inAll ? undefined : new RoundBarrierStep(BARRIER_TRAVERSERS, stands)
      if (!endsCopy && !seen.labelled) out.push(barrierAfter(step, barrier))
      seen.multiplied = true
    }
    if (seen !== null && step.labels.length > 0) seen.labelled = true
  })
  body.steps = out
}

const betweenCopies = ({ until }: RepeatStep): Step => {
  const rounds = until?.kind === "times" ? until.rounds : 0
  return new RoundBarrierStep(BARRIER_TRAVERSERS, ({ count }) => count + 1 < rounds)
}

const hasLabels = (body: Traversal): boolean => {
  let found = false
  body.visit((step) => {
    found ||= step.labels.length > 0
  })
  return found
}

/** Whether a barrier stands in a round: rows were multiplied before it, in an earlier round at the latest, and none has labelled them. */
const standsIn =
  (labelled: ReadonlyArray<boolean>, multiplied: boolean) =>
  (round: LoopFrame): boolean => {
    let isMultiplied = multiplied
    let frame: LoopFrame | null = round
    for (let level = 0; level < labelled.length && frame !== null; level++) {
      if (frame.count > 0) {
        if (labelled[level]!) return false
        isMultiplied = true
      }
      frame = frame.outer
    }
    return isMultiplied
  }
