import type { Reads } from "../../structure/graph/GraphReads.ts"
import type { Activation } from "../plan/Activation.ts"
import { isBarrier } from "../plan/Barriers.ts"
import { Batch, carry } from "../plan/Batch.ts"
import { branchEntry, type Plan, planOf } from "../plan/Plan.ts"
import type { Step } from "../plan/Step.ts"
import { joined } from "./Inbox.ts"
import type { ActiveScout, RunningActivation } from "./RunningActivation.ts"

/** Limit of the rows with which a scout starts. */
const MAX_START_ROWS = 256
/** Limit of the rows that a scout processes, summed over all steps, which bounds the memory that it holds. */
const MAX_PROCESSED_ROWS = 16_384

/**
 * Reads ahead for rows that are processed one by one with a store that answers later. It processes a copy of the next rows in
 * the same steps, all of them together, has no effect, and drops the results. Later each row finds its data fetched. The scout
 * is speculative: if a row has changed in the meantime, it waits itself for the missing data.
 */
class Scout implements ActiveScout {
  /** The activation in which the scout executes the plan whose rows it took. */
  readonly root: RunningActivation
  readonly #at: number
  #worked = 0
  #isWhole = true

  constructor(root: RunningActivation, at: number) {
    this.root = root
    this.#at = at
  }

  /** Counts processed rows. True when the limit is reached. */
  hasDoneEnough(rows: number): boolean {
    this.#worked += rows
    return this.#worked > MAX_PROCESSED_ROWS
  }

  /** Ends the scout early. Returns the activation to continue with. */
  giveUp(current: RunningActivation): RunningActivation {
    this.#isWhole = false
    this.#leave(current)
    this.root.stop()
    return this.root.parent!
  }

  /**
   * Drops rows of the scout that failed, and continues with the others. The regular execution of the rows reports the error.
   * Returns the activation to continue with.
   */
  failed(current: RunningActivation): RunningActivation {
    this.#isWhole = false
    this.#leave(current)
    if (current === this.root) this.root.dropFront()
    return this.root
  }

  /** Makes the activations of children release what they hold open. */
  #leave(current: RunningActivation): void {
    for (let at = current; at !== this.root; at = at.parent!) at.stop()
  }

  /** The scout has processed all rows: the later steps that it has reached need no scout for these rows. */
  end(): void {
    if (this.#isWhole) this.root.parent!.scoutedFrom = this.#at
  }
}

/** Starts a scout for the rows before a step, if they are processed one by one and no other scout has covered them. */
export const sendScout = (step: Step, front: Batch, activation: RunningActivation): boolean => {
  const isOneByOne = activation.plan.sequential || step.goesOneByOne?.(front, activation) === true
  if (!isOneByOne || activation.isBegun(step) || isCovered(activation, step.index)) return false
  const rows = activation.takeForScout(step, MAX_START_ROWS)
  if (rows === null) return false
  const root = activation.scoutRoot()
  root.scout = new Scout(root, step.index)
  // New batches, because steps keep begun tasks by batch.
  for (const batch of joined(rows, activation.transaction)) {
    root.push(step.index, carry(batch, null, new Batch(batch.kind, batch.data, batch.length)))
  }
  activation.run.enter(root)
  return true
}

/** Whether a scout has covered a step for the current rows of an activation. */
const isCovered = (activation: RunningActivation, index: number): boolean => {
  const { parent, plan, scoutedFrom } = activation
  if (activation.isScouted(index)) return true
  if (scoutedFrom >= 0 && activation.isScouted(scoutedFrom) && wayFrom(plan, scoutedFrom)[index] === 1) return true
  if (parent === null || wayFrom(plan, plan.firstIndex, true)[index] !== 1) return false
  return isCovered(parent, parent.working)
}

const ways = new WeakMap<Plan, Map<number, Uint8Array>>()

/** The steps that a scout reaches from a step: 1 by index. It passes barriers only in children. */
const wayFrom = (plan: Plan, from: number, isChild = false): Uint8Array => {
  let byStart = ways.get(plan)
  if (byStart === undefined) ways.set(plan, (byStart = new Map()))
  const key = isChild ? -1 - from : from
  let reached = byStart.get(key)
  if (reached !== undefined) return reached
  byStart.set(key, (reached = new Uint8Array(plan.steps.length)))
  const open = [from]
  while (open.length > 0) {
    const index = open.pop()!
    if (index < 0 || reached[index] === 1) continue
    reached[index] = 1
    const step = plan.steps[index]!
    if (!goesOn(step) || (isBarrier(step) && !isChild)) continue
    open.push(step.nextIndex, ...step.globalChildren().map((branch) => branchEntry(step, branch)))
    const { parent, last, first } = step.traversal
    // Rows of a repeat() may pass its body again.
    if (parent?.traits.children === "loop" && last === step) open.push(first!.index)
  }
  return reached
}

/** Whether a scout continues after a step. */
const goesOn = (step: Step): boolean => step.scout !== undefined || step.traits.scout !== "stops"

/** Whether a scout passes rows on without running the step, which has effects or uses random numbers. */
const isPassed = ({ traits }: Step): boolean => traits.scout === "passes"

/** The reads that a scout requests together: those of a step, of later steps over the same rows, and of waiting branches. */
export const scoutReads = (step: Step, batch: Batch, activation: RunningActivation): ReadonlyArray<Reads> => {
  const { plan } = activation
  const reads = [...(step.reads(batch, activation) ?? [])]
  if (reads.length === 0) return reads
  for (let at = step; at.traits.keepsObject && isPassed(at) && at.nextIndex >= 0; ) {
    at = plan.steps[at.nextIndex]!
    reads.push(...(at.reads(batch, activation) ?? []))
  }
  for (let index = 0; index < step.index; index++) {
    const waiting = activation.peekWaiting(index)
    if (waiting !== undefined) reads.push(...(plan.steps[index]!.reads(waiting, activation) ?? []))
  }
  return reads
}

/** Processes a batch of a scout at a step. False = call again. */
export const scoutAt = (step: Step, batch: Batch, activation: RunningActivation): boolean | undefined => {
  if (step.scout !== undefined) {
    return step.scout(batch, activation)
  }
  if (step.traits.scout === "runs") return step.run(batch, activation)
  askChildren(step, batch, activation, () => {
    if (isPassed(step)) passOn(step, batch, activation)
  })
  return true
}

/** Runs the children of a step for rows, and drops their results. */
const askChildren = (step: Step, batch: Batch, activation: Activation, done: () => void): void => {
  const children = step.localChildren()
  const ask = (place: number): void => {
    const child = children[place]
    if (child === undefined) done()
    else activation.invoke(planOf(child), batch, "first", () => ask(place + 1))
  }
  ask(0)
}

/** Passes rows on in place of the results of a step, so that paths have nodes for its labels. */
export const passOn = (step: Step, batch: Batch, activation: Activation): void => {
  if (step.traits.keepsObject) activation.pass(step, batch)
  else activation.emitData(step, batch, null, batch.kind, batch.data, batch.length)
}
