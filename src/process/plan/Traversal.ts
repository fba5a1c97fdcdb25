import type { Step } from "./Step.ts"

/** A traversal while it is compiled: steps that strategies may still change. */
export class Traversal {
  steps: Array<Step>
  /** The step this is a child of; null for the root. */
  parent: Step | null = null

  constructor(steps: Array<Step> = []) {
    this.steps = steps
    for (const step of steps) step.traversal = this
  }

  get first(): Step | undefined {
    return this.steps[0]
  }
  get last(): Step | undefined {
    return this.steps[this.steps.length - 1]
  }
  /** The root of the traversal this belongs to. */
  get root(): Traversal {
    let traversal: Traversal = this
    while (traversal.parent !== null) traversal = traversal.parent.traversal
    return traversal
  }

  add(step: Step): void {
    step.traversal = this
    this.steps.push(step)
  }
  insert(at: number, step: Step): void {
    step.traversal = this
    this.steps.splice(at, 0, step)
  }
  /** Takes a step out; its labels go to the step before it, when `keepLabels`. */
  remove(step: Step, keepLabels = false): void {
    const at = this.steps.indexOf(step)
    const before = this.steps[at - 1]
    if (keepLabels && before !== undefined) before.labels.push(...step.labels)
    this.steps.splice(at, 1)
  }
  replace(from: Step, ...to: ReadonlyArray<Step>): void {
    for (const step of to) step.traversal = this
    this.steps.splice(this.steps.indexOf(from), 1, ...to)
  }

  /** Puts other steps in the place of each for which `others` gives some. The labels are left to it. */
  replaceEach(others: (step: Step, at: number) => ReadonlyArray<Step> | undefined): void {
    let steps: Array<Step> | undefined
    for (let at = 0; at < this.steps.length; at++) {
      const step = this.steps[at]!
      const replaced = others(step, at)
      if (replaced === undefined) steps?.push(step)
      else {
        steps ??= this.steps.slice(0, at)
        for (const other of replaced) {
          other.traversal = this
          steps.push(other)
        }
      }
    }
    if (steps !== undefined) this.steps = steps
  }

  /** Visits every step of this traversal and of its children, parents before children. */
  visit(visitor: (step: Step) => void): void {
    for (const step of [...this.steps]) {
      visitor(step)
      for (const child of step.localChildren()) child.visit(visitor)
      for (const child of step.globalChildren()) child.visit(visitor)
    }
  }

  /** Visits this traversal and all below it, parents before children. */
  visitTraversals(visitor: (traversal: Traversal) => void): void {
    visitor(this)
    for (const step of [...this.steps]) {
      for (const child of step.localChildren()) child.visitTraversals(visitor)
      for (const child of step.globalChildren()) child.visitTraversals(visitor)
    }
  }

  toString(): string {
    return `[${this.steps.map(String).join(", ")}]`
  }
}
