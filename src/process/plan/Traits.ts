import type { Plan } from "./Plan.ts"
import type { Step } from "./Step.ts"
import type { Traversal } from "./Traversal.ts"

/**
 * What the machine may assume of steps it can reorder, batch or merge around. A step that is not named here is taken for
 * one whose work depends on the order of its input and has effects, which is always safe.
 */

/** Steps that work row by row, in order, remember nothing and have no effect. Their children must be silent, too. */
const streaming: ReadonlySet<string> = new Set(
  (
    "V E out in both outE inE bothE toE outV inV bothV otherV toV values properties propertyMap valueMap elementMap id " +
    "label key value element identity constant is has hasId hasLabel hasKey hasValue hasNot filter where not and or all " +
    "any none discard select project path unfold math loops index map flatMap local optional coalesce simplePath " +
    "cyclicPath sack choose union branch repeat toUpper toLower trim lTrim rTrim length reverse replace substring split " +
    "concat format asString asNumber asBool asDate dateAdd dateDiff conjoin merge combine product difference disjunct " +
    "intersect"
  ).split(" ")
)

/** With Scope.local these are functions of one object. */
const scoped: ReadonlySet<string> = new Set("count sum min max mean order range limit skip tail dedup".split(" "))

/** Steps by name that remember rows but have no effect outside the traversal they stand in. */
const collecting: ReadonlySet<string> = new Set(
  (
    "CountGlobalStep FoldStep SumGlobalStep MinGlobalStep MaxGlobalStep MeanGlobalStep OrderGlobalStep GroupStep " +
    "GroupCountStep DedupGlobalStep RangeGlobalStep TailGlobalStep TreeStep NoOpBarrierStep"
  ).split(" ")
)

/** Collecting steps whose answer does not show in which order the rows came. */
const orderless: ReadonlySet<string> = new Set(["CountGlobalStep", "GroupCountStep"])

/**
 * Names of the steps that TinkerPop counts as barriers: a branch or a repeat() body with one of them anywhere inside
 * takes in everything before it works.
 */
const barriers: ReadonlySet<string> = new Set([
  ...collecting,
  "AggregateGlobalStep",
  "GroupCountSideEffectStep",
  "GroupSideEffectStep",
  "SampleGlobalStep",
  "SideEffectCapStep",
  "SubgraphStep",
  "TreeSideEffectStep"
])

/** Steps that may stop before they saw everything. */
const limits: ReadonlySet<string> = new Set(["RangeGlobalStep", "TimeLimitStep"])

const childrenOf = (step: Step): ReadonlyArray<Traversal> => [...step.localChildren(), ...step.globalChildren()]

/** No effects and no randomness, in the traversal and everything inside it. */
export const isSilent = ({ steps }: Traversal): boolean => steps.every(isSilentStep)

/** No effects and no randomness, in the step and its children. */
export const isSilentStep = (step: Step): boolean =>
  (isStreamingByName(step) || collecting.has(step.name)) && childrenOf(step).every(isSilent)

const isStreamingByName = (step: Step): boolean =>
  step.operator === "repeat" ||
  (scoped.has(step.operator) ? step.name.endsWith("LocalStep") : streaming.has(step.operator))

/** Steps that work without effects of their own: what is in their children is another matter. */
export const works = (step: Step): boolean =>
  (isStreamingByName(step) && step.name !== SACKING) || collecting.has(step.name) || workingByName.has(step.operator)

const workingByName: ReadonlySet<string> = new Set("barrier inject sideEffect match merge".split(" "))

/** sack(operator) makes new collections, which a scout has no use for: it passes the rows instead. */
const SACKING = "SackValueStep"

/** Works row by row and without effects, the steps of its branches included. */
const streams = (step: Step): boolean =>
  isStreamingByName(step) &&
  step.localChildren().every(isSilent) &&
  step.globalChildren().every((branch) => branch.steps.every(streams))

/** True for the steps that TinkerPop counts as barriers. */
export const isBarrier = (step: Step): boolean => barriers.has(step.name)

/** True for steps that do nothing but stream: what holds before them holds behind them. */
export const passes = (step: Step): boolean =>
  step.name === "VertexStep" || step.name === "HasStep" || step.name === "PropertiesStep"

/** True when a barrier stands anywhere in a traversal of a linked plan, or in its children. */
export const holdsBarrier = (traversal: Traversal): boolean => {
  let holds = holding.get(traversal)
  if (holds === undefined) {
    holds = traversal.steps.some((step) => barriers.has(step.name) || childrenOf(step).some(holdsBarrier))
    holding.set(traversal, holds)
  }
  return holds
}
const holding = new WeakMap<Traversal, boolean>()

/**
 * True for a traversal of a linked plan that may give results without end, or go on without end after some: those of a
 * repeat() are given on, and nothing behind it takes in all of them before it answers.
 */
export const mayBeEndless = (traversal: Traversal, plan: Plan): boolean => {
  let endless = endlessness.get(traversal)
  if (endless === undefined) {
    endless = false
    for (const step of traversal.steps) {
      if (gathersAll(step)) endless = false
      else if (step.isEndless(plan) || childrenGivenOn(step).some((child) => mayBeEndless(child, plan))) endless = true
    }
    endlessness.set(traversal, endless)
  }
  return endless
}
const endlessness = new WeakMap<Traversal, boolean>()

const gathersAll = (step: Step): boolean =>
  barriers.has(step.name) && step.name !== "DedupGlobalStep" && !limits.has(step.name)

/** Children whose results are those of the step. */
const childrenGivenOn = (step: Step): ReadonlyArray<Traversal> =>
  asksForAll.has(step.operator) && step.operator !== "sideEffect" ? childrenOf(step) : step.globalChildren()

/** What is known about the way of the rows behind a step. */
export interface Downstream {
  /** Somebody could tell in which order the rows leave the step. */
  readonly orderShows: boolean
  /** Every row that leaves the step is asked for: no limit behind it, no mere question whether there is one. */
  readonly drains: boolean
  /** Before anything else could tell, rows that hold an object that came before are dropped. */
  readonly dedups: boolean
}

const known = new WeakMap<Step, Downstream>()

/** Looks behind a step of a linked plan. */
export const downstreamOf = (step: Step, plan: Plan): Downstream => {
  let downstream = known.get(step)
  if (downstream === undefined) known.set(step, (downstream = look(step, plan)))
  return downstream
}

const look = (step: Step, plan: Plan): Downstream =>
  lookFrom(step.traversal, step.traversal.steps.indexOf(step) + 1, plan.path === 0 && !plan.sack)

/** Looks from a place between the steps of a traversal. `bare`: rows carry neither path nor sack. */
export const lookFrom = (from: Traversal, place: number, bare: boolean): Downstream => {
  let traversal = from
  let at = place
  let orderShows: boolean | undefined
  let dedups = false
  for (;;) {
    for (; at < traversal.steps.length; at++) {
      const next = traversal.steps[at]!
      if (orderless.has(next.name) && next.localChildren().every(isSilent)) {
        return { orderShows: orderShows ?? false, drains: true, dedups }
      }
      if (limits.has(next.name)) return { orderShows: true, drains: false, dedups }
      // Which of equal rows survives shows only in their paths and sacks.
      const isDedup = next.name === "DedupGlobalStep" && bare && next.localChildren().length === 0
      if (isDedup && orderShows === undefined) dedups = true
      if (!isDedup && !streams(next)) orderShows = true
      if (collecting.has(next.name) && !isDedup) return { orderShows: true, drains: true, dedups }
    }
    const { parent } = traversal
    if (parent === null) return { orderShows: true, drains: true, dedups }
    if (!parent.globalChildren().includes(traversal)) {
      const asked = !parent.asksWhether(traversal)
      return { orderShows: orderShows ?? asked, drains: asksForAll.has(parent.operator), dedups }
    }
    // A repeat() sends rows through its whole body again.
    if (parent.operator === "repeat" && !streams(parent)) orderShows = true
    at = parent.traversal.steps.indexOf(parent) + 1
    traversal = parent.traversal
  }
}

/** Parents that take every result of the child. */
const asksForAll: ReadonlySet<string> = new Set("local flatMap optional coalesce sideEffect".split(" "))
