import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Reads } from "../../structure/GraphStore.ts"
import type { Instruction } from "../language/Bytecode.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import type { Activation, BarrierGroup, Needs, PlanSummary } from "./Activation.ts"
import type { Batch } from "./Batch.ts"
import type { Run } from "./Run.ts"
import type { StepTraits } from "./StepTraits.ts"

/** True for a step below local(): a side effect it writes is seen row by row by the steps behind. */
export const insideLocal = (step: Step): boolean => {
  for (let parent = step.traversal.parent; parent !== null; parent = parent.traversal.parent) {
    if (parent.traits.children === "local") return true
  }
  return false
}

/**
 * One step of a traversal. While a traversal is compiled a step is mutable (modulators, strategies); in a linked plan it
 * is shared by every run and must not change: what a run remembers lives in {@link Activation.state}.
 */
export abstract class Step {
  /** Name of the operator in Gremlin text, and TinkerPop's name for explain() and profile(). */
  abstract readonly operator: string
  abstract readonly name: string
  /** Labels of as(). */
  labels: Array<string> = []
  traversal!: Traversal

  /** Set by link: place in the plan's arrays, place in program order, index of the next step (-1: the plan's output). */
  index = -1
  position = -1
  nextIndex = -1

  /** What the step is. They may depend on its arguments and children, and are final when the plan is linked. */
  abstract readonly traits: StepTraits

  /** Children run by this step on their own rows, each with its own plan. */
  localChildren(): ReadonlyArray<Traversal> {
    return []
  }
  /** Children whose rows flow on in this plan (union, choose, repeat body). */
  globalChildren(): ReadonlyArray<Traversal> {
    return []
  }
  /** Whether all that it wants to know of a child is if there is any result. */
  asksWhether(_child: Traversal): boolean {
    return false
  }
  /** Puts another traversal in a child's place (strategies that rewrite). */
  replaceChild(_from: Traversal, _to: Traversal): void {
    throw new TraversalInvalid(`${this.operator}() has no child to replace`)
  }

  /** Whether the step is not complete without this modulator, so that it does not begin another step. */
  awaits(_operator: string): boolean {
    return false
  }

  /** by, from, to, with, option, times, until, emit, read, write given after this step. */
  modulate(operator: string, _args: readonly unknown[], _compiler: PlanBuilder): void {
    throw new TraversalInvalid(`${operator}() cannot follow ${this.operator}(): that step does not take it`)
  }

  /** Labels of as() that the step itself reads by name; its children's are theirs. */
  labelsRead(): readonly string[] {
    return []
  }

  /** True where nothing of the traversers that come makes a difference to the results: V() and E(). */
  readonly startsAnew: boolean = false

  /** True where the results of one object may differ within a run: by chance, or by the round of a repeat() around the step. */
  get varies(): boolean {
    return false
  }

  /** Raises what the plan must carry. */
  require(_needs: Needs): void {}

  /** What {@link run} is about to read of the batch, for stores that answer later; null = nothing. */
  abstract reads(batch: Batch, activation: Activation): readonly Reads[] | null

  /**
   * Works on a batch and emits what comes of it. False when it is not done with the batch: it is called again with the
   * same batch after everything emitted went its way (keep the place in {@link Activation.cursor}).
   */
  abstract run(batch: Batch, activation: Activation): boolean | undefined

  /** True where the rows of a batch go on one after the other, each to its end: a {@link Scout} goes ahead of them. */
  goesOneByOne?(batch: Batch, activation: Activation): boolean

  /** What a {@link Scout} does here in the place of {@link run}, where that is not told by what kind of step this is. False = call again. */
  scout?(batch: Batch, activation: Activation): boolean

  /** Barriers: gives out what was collected in a group, when nothing upstream can add to it. False = call again. */
  flush(_group: BarrierGroup, _activation: Activation): boolean | undefined {
    return undefined
  }

  /** So many rows in front of it were dropped before it has begun them, because nothing that comes of them is wanted. */
  dropped?(rows: number, activation: Activation): void

  /** It may give results without end for one object, or more than there is time for, as a repeat() does. */
  isEndless(_plan: PlanSummary): boolean {
    return false
  }

  /** Its work is not wanted any more, because a limit further on is reached: gives back what it holds open. */
  stopped(_activation: Activation): void {}

  /**
   * Reducing steps: one result of two, each over other rows, as group('key') needs it that adds to what is there. Throws
   * TraversalError for a value that is no result of such a step. Absent: the later result takes the place of the earlier.
   */
  joined?(earlier: unknown, later: unknown): unknown

  /** Looks up what explain() says of the step beside its arguments: the index that it would use. */
  explain?(run: Run): void

  /** Arguments in words for explain() and profile(), e.g. `OUT,[knows],vertex`. */
  describe(): string {
    return ""
  }

  toString(): string {
    const words = this.describe()
    const labels = this.labels.length === 0 ? "" : `@[${this.labels.join(", ")}]`
    return (words === "" ? this.name : `${this.name}(${words})`) + labels
  }
}

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

/** What steps may ask the compiler for while a traversal is built. */
export interface PlanBuilder {
  /** The time that compiling has before others run. */
  readonly slice: TimeSlice
  /** The traversal that is not a child: steps at its very start are its source. */
  readonly root: Traversal | null
  /** Steps that stand for an as() at the very start of a traversal: where() and match() read them as variables. */
  readonly variableStarts: WeakSet<Step>
  /**
   * Steps of a child traversal; the step that owns it is set as its parent. They may be built later: what looks at them is
   * `built`, which is called when they are there.
   */
  child(argument: unknown, parent: Step, built?: (child: Traversal) => void): Traversal
  /** Builds the steps of a traversal at once. */
  build(instructions: readonly Instruction[]): Traversal
  /** Declares a side effect of a step, which begins with what `initial` makes; the first declaration of a key counts. */
  sideEffect(key: string, initial: (run: Run) => unknown): void
}
