import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import type { Needs } from "../../plan/Activation.ts"
import { isBarrier } from "../../plan/Barriers.ts"
import { type Downstream, lookFrom } from "../../plan/Downstream.ts"
import { passes } from "../../plan/Silence.ts"
import { childrenOf, type Step, type Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { BarrierStep } from "../../steps/barrier/BarrierStep.ts"
import { OneStartEndStep, OneStartEntryStep } from "../../steps/barrier/OneStart.ts"
import { RetractStep } from "../../steps/barrier/RetractStep.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { InjectStep } from "../../steps/sideeffect/InjectStep.ts"
import { moveLabels } from "../StepInsertion.ts"
import { type Before, barrierAfter, insertInCopies, placed } from "./CopyBarriers.ts"
import { needsOf } from "./IncidentToAdjacent.ts"
import { labelsReadIn, processesPaths, readsLabels } from "./PathRetraction.ts"

/**
 * Inserts a merging barrier before a step to adjacent vertices that follows another such step. A vertex that was reached on
 * several ways is then expanded once. Applies only if all rows are wanted, rows carry nothing but elements, and merging equal
 * rows is not observable.
 */
export const lazyBarriers: Strategy = {
  name: "LazyBarrierStrategy",
  kind: "finalization",
  apply: (root, _configuration, compiler) => {
    const { path, sack, sequential, mergingShows: merges } = needsOf(root, compiler)
    if (merges || (sequential && path < 2)) {
      const context = {
        merges,
        path,
        splits: compiler.sack?.splitter != null,
        bulk: compiler.bulk,
        readers: readersIn(root),
        slice: compiler.slice
      }
      return insertWhereSeen(root, context, false)
    }
    if (path === 0 && !sack) insertIn(root)
    return undefined
  }
}

/** Limit of lookaheads in one traversal. Each may visit all later steps. */
const MAX_LOOKAHEADS = 256
/** Approximate limit of the steps that all lookaheads visit, which takes a few milliseconds. */
const MAX_VISITED_STEPS = 65_536

const insertIn = (traversal: Traversal): void => {
  const ordered: Array<Step> = []
  let multiplied = false
  /** The result of the last lookahead. It stays valid after steps that only stream. */
  let downstream: Downstream | undefined
  let inside = 0
  // A lookahead visits children, too.
  traversal.visit(() => inside++)
  const lookaheads = Math.min(MAX_LOOKAHEADS, MAX_VISITED_STEPS / inside)
  let looked = 0
  traversal.steps.forEach((step, at) => {
    if (isDistinct(step)) multiplied = false
    if (downstream !== undefined && !passes(step)) downstream = undefined
    if (step instanceof VertexStep && (downstream !== undefined || looked++ < lookaheads)) {
      downstream ??= lookFrom(traversal, at + 1, true)
      const { orderShows, drains, dedups } = downstream
      if (multiplied && drains && (dedups || !orderShows)) {
        const barrier = new BarrierStep("refs")
        barrier.traversal = traversal
        ordered.push(barrier)
      }
      multiplied = !step.edges
    }
    ordered.push(step)
  })
  traversal.steps = ordered
}

/** What {@link insertWhereSeen} knows of the whole traversal. */
interface SeenBarriers {
  /** Merging equal traversers does more than add their bulks. */
  readonly merges: boolean
  /** Needs of the whole traversal. With full paths TinkerPop inserts barriers only after repeat() with only times(). */
  readonly path: Needs["path"]
  /** withSack() has a splitter: traversers that wait for a branch merge after their sacks are split for it. */
  readonly splits: boolean
  /** False after withBulk(false). TinkerPop then appends a step, so that a barrier may follow the last step. */
  readonly bulk: boolean
  /** Steps that read labels, by themselves or in their children. */
  readonly readers: ReadonlySet<Step>
  readonly slice: TimeSlice
}

/**
 * Inserts observable barriers in the same places as TinkerPop. They are observable if rows are processed one by one because of
 * effects, and if `merges` is true, with merging sacks or without bulk. TinkerPop inserts them after steps that read labels,
 * and, while rows carry no labels, after steps that multiply rows, from the second such step on.
 */
function* insertWhereSeen(traversal: Traversal, context: SeenBarriers, readsAfter: boolean): Task {
  const { merges, path, readers, slice } = context
  const lastReader = traversal.steps.findLastIndex((step) => readers.has(step))
  const steps: Array<Step> = []
  for (let at = 0; at < traversal.steps.length; at++) {
    const step = traversal.steps[at]!
    if (slice.isOverNow()) yield
    const gathers = merges && branchesToBarrier(step)
    for (const child of childrenOf(step)) {
      if (!merges || !isUnrolled(step) || child !== step.body) {
        yield* insertWhereSeen(child, context, readsAfter || lastReader > at)
        continue
      }
      // Its own barriers depend on the steps before it.
      for (const inner of insideCopies(child)) yield* insertWhereSeen(inner, context, readsAfter || lastReader > at)
    }
    if ((gathers && !context.splits) || (merges && step.traits.merging === "before")) {
      steps.push(placed(new BarrierStep("values"), step))
    }
    if (merges && !gathers && branchesToBarrier(step)) steps.push(...oneStart(step))
    else steps.push(step)
    // The objects of a first inject() merge before the next step. Any other one merges them itself.
    if (merges && step instanceof InjectStep && step.isSource) steps.push(barrierAfter(step))
    if (merges && step.traits.merging === "after") steps.push(barrierAfter(step, new BarrierStep("values")))
  }
  traversal.steps = steps
  if (steps.some(({ traits }) => traits.merging === "forbids")) {
    if (merges) for (const step of steps) if (isUnrolled(step)) insertInCopies(step, null)
    return
  }
  const last = steps.findLastIndex((step) => readers.has(step))
  const retract = merges && traversal.parent === null ? retractingIn(traversal, steps) : null
  const before: Before = { multiplied: false, labelled: false }
  const out: Array<Step> = []
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at]!
    const next = steps[at + 1]
    if (slice.isOverNow()) yield
    out.push(step)
    const isBarrierPossible =
      next === undefined ? endsBeforeStep(traversal, context) : !waits(next) && !endsCopy(next, traversal)
    // The barriers of a repeat() are part of it, so that they also stand at the end of a child.
    const isRoundEnd = isUnrolled(step) && (isBarrierPossible || (next === undefined && traversal.parent !== null))
    if (merges && isUnrolled(step)) insertInCopies(step, path === 2 ? null : before)
    if (path === 2) {
      if (isRoundEnd) out.push(barrierAfter(step))
      continue
    }
    if (dropsLabels(step)) {
      if (!readsAfter && last <= at) before.labelled = false
      if (step.labels.length > 0) before.labelled = true
      const retracting = retract?.(step, at)
      if (retracting !== undefined) out.push(retracting)
      if (isBarrierPossible && !isDistinct(step)) out.push(barrierAfter(retracting ?? step))
      continue
    }
    if (isUnrolled(step)) {
      if (isRoundEnd) out.push(barrierAfter(step))
      before.multiplied = true
    } else if (multiplies(step, out.length - 1, next)) {
      if (before.multiplied && !before.labelled && isBarrierPossible) out.push(barrierAfter(step))
      else before.multiplied = true
    }
    if (step.labels.length > 0) before.labelled = true
  }
  traversal.steps = behindFilters(out, steps)
}

/** Moves a barrier between V() or E() and has() behind the has(), which TinkerGraph makes a part of that step. Those in `own` stay. */
const behindFilters = (steps: Array<Step>, own: ReadonlyArray<Step>): Array<Step> => {
  for (let at = 2; at < steps.length; at++) {
    const barrier = steps[at - 1]!
    if (!(steps[at] instanceof HasStep && barrier instanceof BarrierStep && steps[at - 2] instanceof GraphStep))
      continue
    if (own.includes(barrier)) continue
    let last = at
    while (steps[last + 1] instanceof HasStep) last++
    steps.copyWithin(at - 1, at, last + 1)
    steps[last] = barrier
  }
  return steps
}

/** What makes the step after a path processor that drops the labels that no later step reads; it gives undefined if there are none. */
const retractingIn = (root: Traversal, steps: ReadonlyArray<Step>): ((step: Step, at: number) => Step | undefined) => {
  const lastRead = new Map<string, number>()
  root.visit(({ labels }) => {
    for (const label of labels) lastRead.set(label, -1)
  })
  steps.forEach((step, at) => {
    for (const label of labelsReadIn(step)) lastRead.set(label, at)
  })
  return (step, at) => {
    const unread = [...lastRead].filter(([, last]) => last <= at).map(([label]) => label)
    return unread.length === 0 ? undefined : barrierAfter(step, new RetractStep(new Set(unread)))
  }
}

/** Steps that read labels, by themselves or in their children. */
const readersIn = (root: Traversal): ReadonlySet<Step> => {
  const readers = new Set<Step>()
  root.visit((step) => {
    if (!readsLabels(step)) return
    for (let at: Step | null = step; at !== null && !readers.has(at); at = at.traversal.parent) readers.add(at)
  })
  return readers
}

/**
 * Whether TinkerPop has a step after the last one, so that a barrier may stand between them: it ends each branch with one, and the root
 * traversal after withBulk(false).
 */
const endsBeforeStep = ({ parent }: Traversal, { bulk, merges }: SeenBarriers): boolean =>
  parent === null ? !bulk : merges && parent.traits.children === "branches"

/** A step with branches, between the steps that let its rows enter one by one. Its labels move to the last of them. */
const oneStart = (step: Step): ReadonlyArray<Step> => {
  const end = new OneStartEndStep(step)
  moveLabels(step, end)
  return [placed(new OneStartEntryStep(end), step), step, placed(end, step)]
}

/** Whether a step has a branch with a barrier. Such a branch gets all traversers together, so that equal ones merge before it. */
const branchesToBarrier = (step: Step): boolean => {
  if (step.traits.children !== "branches") return false
  let found = false
  for (const child of step.globalChildren()) child.visit((inside) => (found ||= isBarrier(inside)))
  return found
}

const multiplies = (step: Step, at: number, next: Step | undefined): boolean => {
  if (step instanceof GraphStep) {
    return at > 0 || step.ids.length >= 5 || (step.ids.length === 0 && !(next instanceof HasStep))
  }
  return step.traits.results === "many"
}

/** Whether a step is the end of a body that TinkerPop copies. The copies have no such step. */
const endsCopy = (step: Step, { parent, steps }: Traversal): boolean =>
  parent !== null && isUnrolled(parent) && step === steps.at(-1)

/** TinkerPop inserts a barrier after each copy of the body. */
const isUnrolled = (step: Step): step is RepeatStep => step instanceof RepeatStep && step.isCopied

/** The children of the steps in a body that is copied, but not the bodies that are copied with it. */
function* insideCopies(body: Traversal): Generator<Traversal> {
  for (const step of body.steps) {
    for (const child of childrenOf(step)) {
      if (isUnrolled(step) && child === step.body) yield* insideCopies(child)
      else yield child
    }
  }
}

/** Steps before which a barrier is useless: barriers, and steps that drop all rows. */
const waits = (step: Step): boolean => isBarrier(step) || step.traits.role === "discards"

/** Whether labels that no later step reads are dropped after a step: one of TinkerPop's path processors, or dedup(). */
const dropsLabels = (step: Step): boolean => processesPaths(step) || step.traits.merging === "drops"

/** Whether the results of a step are distinct. */
const isDistinct = (step: Step): boolean => step.traits.merging === "drops" || step.traits.merging === "joins"
