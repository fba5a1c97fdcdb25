import { type Needs, NO_NEEDS } from "../../plan/Activation.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import { replacesTraverser } from "../../plan/StepTraits.ts"
import type { Strategy, StrategyContext } from "../../plan/Strategy.ts"
import { BarrierStep } from "../../steps/barrier/BarrierStep.ts"
import { BranchGateStep, isGated } from "../../steps/barrier/BranchGateStep.ts"
import { BranchStep } from "../../steps/branch/BranchStep.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { closureOf } from "../../steps/closure/ClosureStep.ts"
import { SackSplitStep } from "../../steps/closure/SackSplitStep.ts"
import { SampleGlobalStep } from "../../steps/filter/SampleStep.ts"
import { MatchStep } from "../../steps/map/MatchStep.ts"
import { MergeStep } from "../../steps/mutation/MergeStep.ts"
import { InjectStep } from "../../steps/sideeffect/InjectStep.ts"
import { usesComputer } from "../decoration/VertexPrograms.ts"

/** Inserts a step wherever TinkerPop splits a traverser, if withSack() has a splitter. */
export const sackSplits: Strategy = {
  name: "SackSplits",
  kind: "finalization",
  apply: (root, _configuration, compiler) => {
    const splitter = compiler.sack?.splitter ?? null
    if (splitter === null) return
    const context = {
      compiler,
      isPure: splitter.isPure,
      merges: compiler.needs().mergingShows,
      split: (copiesFor: string | null) => new SackSplitStep(splitter.isPure, copiesFor)
    }
    // A computer splits traversers elsewhere.
    splitIn(root, usesComputer(compiler) ? "withComputer()" : null, context)
  }
}

interface Splitting {
  readonly compiler: StrategyContext
  /** Nothing shows a call of the splitter whose value no step reads. */
  readonly isPure: boolean
  /** Sacks merge, or bulks do not count. */
  readonly merges: boolean
  /** Makes a step that splits. If `copiesFor` is not null, it refuses a splitter that does not copy. */
  split(copiesFor: string | null): Step
}

/** The steps that split in a way that this machine does not follow; null for another step. */
const copiesAt = (step: Step): string | null => {
  if (step instanceof MatchStep) return "match()"
  // TinkerPop splits only if the sample leaves out traversers.
  return step instanceof SampleGlobalStep ? "sample()" : null
}

const splitIn = (traversal: Traversal, outer: string | null, context: Splitting): void => {
  traversal.replaceEach((step, at) => {
    const copiesFor = outer ?? copiesAt(step)
    splitInChildren(step, copiesFor, context)
    if (step instanceof RepeatStep && step.emit !== null) step.splitsEmitted = true
    else if (copiesFor === null || copiesFor === outer) {
      if (!replacesTraverser(step.traits) || (at === 0 && isSource(step))) return undefined
    }
    return [step, context.split(copiesFor)]
  })
}

/** Whether a first step makes the traversers that it emits. mergeV() and mergeE() get one and split it. */
const isSource = (step: Step): boolean => step.traversal.parent === null && !(step instanceof MergeStep)

const splitInChildren = (step: Step, copiesFor: string | null, context: Splitting): void => {
  // Rows without an option would pass by the splits.
  if (step instanceof BranchStep) step.addPassing(context.compiler)
  const local = step.localChildren()
  const { children } = step.traits
  // The sacks of these children leave them.
  const isSeen = children === "local" || children === "flowing" || !context.isPure || local.some(readsSack)
  for (const child of local) {
    const isSplit = isSeen && step.splitsFor(child)
    if (closureOf(child) === undefined) splitIn(child, copiesFor, context)
    if (isSplit) splitStart(child, copiesFor, context)
  }
  const waits = isGated(step)
  for (const branch of step.globalChildren()) {
    splitIn(branch, copiesFor, context)
    if (children !== "branches") continue
    if (waits && !(branch.first instanceof BranchGateStep)) branch.insert(0, new BranchGateStep())
    splitStart(branch, copiesFor, context)
  }
}

const splitStart = (child: Traversal, copiesFor: string | null, context: Splitting): void => {
  let at = child.first instanceof BranchGateStep ? 1 : 0
  const waits = at > 0
  // inject() at the start lets the incoming rows pass first, and makes each of its own an {@link UnsplitSack}.
  if (child.steps[at] instanceof InjectStep) at++
  child.insert(at, context.split(copiesFor))
  // In TinkerPop, equal traversers that wait for a branch merge.
  if (waits && context.merges) child.insert(at + 1, new BarrierStep("values"))
}

/** Whether a step of a child, or of its children, sees the sack: sack(), or a closure that gets the traverser. */
const readsSack = (child: Traversal): boolean => {
  let reads = false
  child.visit((step) => {
    const needs: Needs = { ...NO_NEEDS }
    step.require(needs)
    reads ||= needs.sack || (step.callsClosure && needs.path === 2)
  })
  return reads
}
