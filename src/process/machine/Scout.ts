import type { Reads } from "../../structure/GraphStore.ts"
import type { Activation } from "../plan/Activation.ts"
import { Batch, carry } from "../plan/Batch.ts"
import { branchEntry, type Plan, planOf } from "../plan/Plan.ts"
import type { Step } from "../plan/Step.ts"
import { isBarrier } from "../plan/Traits.ts"
import { joined } from "./Inbox.ts"
import type { ActiveScout, RunningActivation } from "./RunningActivation.ts"

/** Rows that a scout starts with at most, and that it takes at once. */
const WIDTH = 256
/** Rows that a scout works on at most, those of all steps added up: it must not hold what the traversal would not. */
const MOST = 16_384

/**
 * Goes ahead of rows that are worked one by one, on a store that answers later: takes the next of them through the same
 * steps all together, changes nothing, and throws away what comes of it. What it has asked the store for is there when
 * the turn of each row comes. It is a guess: a row may have changed by then, and waits by itself for what is missing.
 */
class Scout implements ActiveScout {
  /** The scout's own execution of the plan whose rows it took. */
  readonly root: RunningActivation
  readonly #at: number
  #worked = 0
  #isWhole = true

  constructor(root: RunningActivation, at: number) {
    this.root = root
    this.#at = at
  }

  /** Counts rows that were worked on. */
  hasDoneEnough(rows: number): boolean {
    this.#worked += rows
    return this.#worked > MOST
  }

  /** Ends the scout early; gives the execution that goes on. */
  giveUp(current: RunningActivation): RunningActivation {
    this.#isWhole = false
    this.#leave(current)
    this.root.stop()
    return this.root.parent!
  }

  /**
   * Rows of the scout failed: they do so again when their turn comes, if it comes. The scout goes on without those.
   * Gives the execution that goes on.
   */
  failed(current: RunningActivation): RunningActivation {
    this.#isWhole = false
    this.#leave(current)
    if (current === this.root) this.root.dropFront()
    return this.root
  }

  /** Executions of children give back what they hold open. */
  #leave(current: RunningActivation): void {
    for (let at = current; at !== this.root; at = at.parent!) at.stop()
  }

  /** The scout is through. Steps behind the one it started at need none, as far as it went with every row. */
  end(): void {
    if (this.#isWhole) this.root.parent!.scoutedFrom = this.#at
  }
}

/** Sends a scout ahead of the rows before a step, if they are worked one by one and no other went already. */
export const sendScout = (step: Step, front: Batch, activation: RunningActivation): boolean => {
  const isOneByOne = activation.plan.sequential || step.goesOneByOne?.(front, activation) === true
  if (!isOneByOne || activation.isBegun(step) || isCovered(activation, step.index)) return false
  const rows = activation.takeForScout(step, WIDTH)
  if (rows === null) return false
  const root = activation.scoutRoot()
  root.scout = new Scout(root, step.index)
  // Batches of its own: what a step has begun with a batch, it remembers by the batch.
  for (const batch of joined(rows, activation.transaction)) {
    root.push(step.index, carry(batch, null, new Batch(batch.kind, batch.data, batch.length)))
  }
  activation.run.enter(root)
  return true
}

/** Whether a scout has gone over a step with the rows that an activation works on. */
const isCovered = (activation: RunningActivation, index: number): boolean => {
  const { parent, plan, scoutedFrom } = activation
  if (activation.isScouted(index)) return true
  if (scoutedFrom >= 0 && activation.isScouted(scoutedFrom) && wayFrom(plan, scoutedFrom)[index] === 1) return true
  if (parent === null || wayFrom(plan, plan.firstIndex, true)[index] !== 1) return false
  return isCovered(parent, parent.working)
}

const ways = new WeakMap<Plan, Map<number, Uint8Array>>()

/** The steps that a scout comes to from one of them: 1 by index. It goes through the barriers of children only. */
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
    // A repeat() sends rows through its body again.
    if (parent?.traits.children === "loop" && last === step) open.push(first!.index)
  }
  return reached
}

/** Whether a scout leaves a step. */
const goesOn = (step: Step): boolean => step.scout !== undefined || step.traits.scout !== "stops"

/** Whether a scout passes the rows of a step that it does not run: one with effects, or with chance. */
const isPassed = ({ traits }: Step): boolean => traits.scout === "passes"

/** What a scout asks for together: the reads of a step, of those behind that read the same rows, and of other branches. */
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

/** What a scout does at a step. */
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

/** Runs the children of a step for rows, and throws their results away. */
const askChildren = (step: Step, batch: Batch, activation: Activation, done: () => void): void => {
  const children = step.localChildren()
  const ask = (place: number): void => {
    const child = children[place]
    if (child === undefined) done()
    else activation.invoke(planOf(child), batch, "first", () => ask(place + 1))
  }
  ask(0)
}

/** The rows stand for what a step would have made of them, so that labels have their places on the paths. */
export const passOn = (step: Step, batch: Batch, activation: Activation): void => {
  if (step.traits.keepsObject) activation.pass(step, batch)
  else activation.emitData(step, batch, null, batch.kind, batch.data, batch.length)
}
