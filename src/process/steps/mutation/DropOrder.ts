import type { Needs } from "../../plan/Activation.ts"
import { childrenOf, type Step, type Traversal } from "../../plan/Step.ts"
import { GraphStep } from "../flatmap/GraphStep.ts"
import { PropertiesStep } from "../flatmap/PropertiesStep.ts"
import { VertexStep } from "../flatmap/VertexStep.ts"
import { EdgeVertexStep } from "../map/EdgeVertexStep.ts"

/** What is known of the rows at a place of a traversal. */
interface Rows {
  /** Several rows may have been made of one. */
  readonly spread: boolean
  /** Several rows may have the same element. */
  readonly repeat: boolean
  /** Steps have worked on such rows. */
  readonly read: boolean
}

/** The leading steps of a traversal that were looked at, and the rows behind them. */
interface Checked {
  readonly place: number
  readonly rows: Rows
}
const checkedSteps = new WeakMap<Needs, Map<Traversal, Checked>>()

/**
 * Returns whether drop() may change what earlier steps find for later rows, so that rows are processed one by one: edges or other
 * vertices than the row's object determine which rows reach it, or several rows may have the same element and the steps between see
 * what drop() has removed. Steps are checked in order, each once.
 */
export const changesEarlierSteps = (drop: Step, needs: Needs): boolean => {
  let checked = checkedSteps.get(needs)
  if (checked === undefined) checkedSteps.set(needs, (checked = new Map()))
  const chain: Array<Step> = []
  for (let at: Step | null = drop; at !== null; at = at.traversal.parent) chain.unshift(at)
  let rows: Rows = { spread: false, repeat: false, read: false }
  for (const at of chain) {
    const { steps } = at.traversal
    const known = checked.get(at.traversal)
    let place = known?.place ?? 0
    if (known !== undefined) rows = known.rows
    for (; steps[place] !== at; place++) {
      const before = steps[place]!
      if (before instanceof VertexStep ? !before.edges : before instanceof EdgeVertexStep) return true
      if (childrenOf(before).some(leavesObject)) return true
      // A second removal changes nothing, so that only effects show in the traversal of drop() itself what the steps before it found.
      rows = behind(rows, before, at !== drop || before.traits.work === "acts")
    }
    checked.set(at.traversal, { place, rows })
    const isShared = at.localChildren().length + at.globalChildren().length > 1
    if (rows.repeat && isShared && at !== drop) rows = { ...rows, read: true }
  }
  return rows.read
}

/** The rows behind a step. `shows`: what the step finds is observable. */
const behind = ({ spread, repeat, read }: Rows, step: Step, shows: boolean): Rows => {
  const { keepsObject, results } = step.traits
  const isMany = results === "many" || results === "own"
  return {
    spread: spread || (isMany && !isScan(step)),
    repeat: repeat || (isMany ? !isDistinct(step) : spread && !keepsObject),
    read: read || (repeat && shows)
  }
}

/** Whether a step finds each element of the graph once. */
const isScan = (step: Step): boolean =>
  step instanceof GraphStep &&
  (step.ids.length === 0 || step.distinct) &&
  step.traversal.parent === null &&
  step.traversal.first === step

/** Whether the results of a step for distinct elements are distinct. */
const isDistinct = (step: Step): boolean =>
  isScan(step) ||
  step instanceof PropertiesStep ||
  (step instanceof VertexStep && step.edges && step.direction !== "BOTH")

/** Returns whether a traversal, or one nested in it, moves to other elements. */
const leavesObject = (traversal: Traversal): boolean => {
  let leaves = false
  traversal.visit((step) => {
    leaves ||= step instanceof VertexStep || step instanceof EdgeVertexStep || step.traits.role === "startsAnew"
  })
  return leaves
}
