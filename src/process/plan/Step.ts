import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Reads } from "../../structure/graph/GraphReads.ts"
import type { Instruction } from "../language/Bytecode.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import type { Activation, BarrierGroup, Needs, PlanSummary } from "./Activation.ts"
import type { Batch } from "./Batch.ts"
import type { Run } from "./Run.ts"
import type { StepTraits } from "./StepTraits.ts"

/** True for a step inside local(): later steps see its side effects row by row. */
export const insideLocal = (step: Step): boolean => {
  for (let parent = step.traversal.parent; parent !== null; parent = parent.traversal.parent) {
    if (parent.traits.children === "local") return true
  }
  return false
}

/**
 * Combines two results over different rows into one. `owned` has the collections that only the caller and the result hold: the join
 * changes such a collection instead of copying it, and adds the collections that it makes.
 */
export type Joins = (earlier: unknown, later: unknown, owned: WeakSet<object>) => unknown

/**
 * One step of a traversal. Modulators and strategies change a step while its traversal is compiled. In a linked plan all runs
 * share it and it must not change: {@link Activation.state} has the state of a run.
 */
export abstract class Step {
  /** Name of the operator in Gremlin text. */
  abstract readonly operator: string
  /** TinkerPop's name of the step, for explain() and profile(). */
  abstract readonly name: string
  /** Labels of as(). */
  labels: Array<string> = []
  /** The traversal that the step belongs to. */
  traversal!: Traversal

  /** Index in the plan's array of steps. Set when the plan is linked, as the next two members. */
  index = -1
  /** Position in program order. */
  position = -1
  /** Index of the next step; -1 = the plan's output. */
  nextIndex = -1

  /** The traits of the step. They may depend on its arguments and children, and are final when the plan is linked. */
  abstract readonly traits: StepTraits

  /** Children that this step runs, each with a separate plan. */
  localChildren(): ReadonlyArray<Traversal> {
    return []
  }
  /** Children that run for the rows before this step. */
  childrenRun(): ReadonlyArray<Traversal> {
    return this.localChildren()
  }
  /** Children that are part of this plan (branches of union() and choose(), the body of repeat()). */
  globalChildren(): ReadonlyArray<Traversal> {
    return []
  }
  /** Whether the step uses only the existence of a child's result. */
  asksWhether(_child: Traversal): boolean {
    return false
  }
  /** Replaces a child by another traversal, for strategies. */
  replaceChild(_from: Traversal, _to: Traversal): void {
    throw new TraversalInvalid(`${this.operator}() has no child to replace`)
  }

  /** Whether the step is incomplete without this modulator, so that the operator modulates it and makes no step. */
  awaits(_operator: string): boolean {
    return false
  }

  /** Applies a modulator that follows the step: by, from, to, with, option, times, until, emit, read or write. */
  modulate(operator: string, _args: readonly unknown[], _compiler: PlanBuilder): void {
    throw new TraversalInvalid(`${operator}() cannot follow ${this.operator}(): that step does not take it`)
  }

  /** Labels of as() that the step itself reads by name, without those that its children read. */
  labelsRead(): readonly string[] {
    return []
  }

  /** Whether TinkerPop splits the traverser for a local child. Otherwise the child gets the traverser itself. */
  splitsFor(_child: Traversal): boolean {
    return true
  }

  /** True if results for one object may differ within a run, because of randomness or of the round of a repeat() around the step. */
  get varies(): boolean {
    return false
  }

  /** True if the step draws at random, and its traits do not say that it acts. */
  get draws(): boolean {
    return false
  }

  /** True for a step whose traits say that it acts, but whose effect does not depend on the number of traversers. */
  get ignoresCount(): boolean {
    return false
  }

  /** True if the step calls a closure, for strategies. */
  get callsClosure(): boolean {
    return false
  }

  /**
   * TinkerPop's LambdaHolder: true if the step applies a closure or an operator to traversers, as sack(operator) does. No strategy
   * moves a filter with such a step. fold() with a closure and comparators of order() get only objects: they are none.
   */
  get holdsLambda(): boolean {
    return false
  }

  /** True if the step itself calls a closure that is its child, so that rows need not come one by one to a pure one. */
  get callsClosureItself(): boolean {
    return false
  }

  /** Adds what the rows of the plan must carry for this step. */
  require(_needs: Needs): void {}

  /** What {@link run} reads from the store for a batch, for stores that answer later; null = nothing. */
  abstract reads(batch: Batch, activation: Activation): readonly Reads[] | null

  /**
   * Processes a batch and emits the results. False when it is not done: then it is called again with the same batch after the
   * later steps have processed the results. {@link Activation.cursor} keeps the position.
   */
  abstract run(batch: Batch, activation: Activation): boolean | undefined

  /** True if the rows of a batch are processed one after the other through all later steps, so that a {@link Scout} is useful. */
  goesOneByOne?(batch: Batch, activation: Activation): boolean

  /** What a {@link Scout} does here instead of {@link run}, if the traits do not determine it. False = call again. */
  scout?(batch: Batch, activation: Activation): boolean

  /** Barriers: emits the results of a group when no step upstream can add to it. False = call again. */
  flush(_group: BarrierGroup, _activation: Activation): boolean | undefined {
    return undefined
  }

  /** Called after `rows` rows before the step were dropped, because their results are not wanted. The step has not begun them. */
  dropped?(rows: number, activation: Activation): void

  /**
   * Called when the results of the row at the cursor are no longer wanted: releases what the step holds open for it. A step with this
   * method is moved past such rows after it has begun its batch. Offset 0 of its cursor means that it has not begun the row.
   */
  leave?(activation: Activation): void

  /** Whether the results for one object may be endless, as those of repeat(). */
  isEndless(_plan: PlanSummary): boolean {
    return false
  }

  /** Releases open resources: the step does not run again in this activation, for example because a limit is reached. */
  stopped(_activation: Activation): void {}

  /**
   * Reducing steps: how results join, for group('key') with an existing value. Throws TraversalError for a value that is not a result of
   * such a step. If absent, the later result replaces the earlier one.
   */
  joined?(...args: Parameters<Joins>): unknown

  /** Looks up what explain() shows besides the arguments: the index that the step would use. */
  explain?(run: Run): void

  /** The arguments as text for explain() and profile(), such as `OUT,[knows],vertex`. */
  describe(): string {
    return ""
  }

  /** The by() modulators as text for explain() and profile(), such as `[value(name)]`. */
  describeModulators(): string {
    return ""
  }

  toString(): string {
    const words = [this.describe(), this.describeModulators()].filter((part) => part !== "").join(",")
    const labels = this.labels.length === 0 ? "" : `@[${this.labels.join(", ")}]`
    return (words === "" ? this.name : `${this.name}(${words})`) + labels
  }
}

/** The children of a step, those with a separate plan first. */
export const childrenOf = (step: Step): ReadonlyArray<Traversal> => [...step.localChildren(), ...step.globalChildren()]

/** A traversal during compilation. Strategies may change its steps until it is linked. */
export class Traversal {
  steps: Array<Step>
  /** The step that this traversal is a child of; null for the root. */
  parent: Step | null = null

  constructor(steps: Array<Step> = []) {
    this.steps = steps
    for (const step of steps) step.traversal = this
  }

  /** The first step; undefined for an empty traversal. */
  get first(): Step | undefined {
    return this.steps[0]
  }
  /** The last step; undefined for an empty traversal. */
  get last(): Step | undefined {
    return this.steps[this.steps.length - 1]
  }
  /** The root traversal. */
  get root(): Traversal {
    let traversal: Traversal = this
    while (traversal.parent !== null) traversal = traversal.parent.traversal
    return traversal
  }

  /** Appends a step. */
  add(step: Step): void {
    step.traversal = this
    this.steps.push(step)
  }
  /** Inserts a step before the one at index `at`. */
  insert(at: number, step: Step): void {
    step.traversal = this
    this.steps.splice(at, 0, step)
  }
  /** Removes a step. With `keepLabels` the step before it gets its labels. */
  remove(step: Step, keepLabels = false): void {
    const at = this.steps.indexOf(step)
    const before = this.steps[at - 1]
    if (keepLabels && before !== undefined) before.labels.push(...step.labels)
    this.steps.splice(at, 1)
  }
  /** Replaces a step. Its labels are not transferred. */
  replace(from: Step, ...to: ReadonlyArray<Step>): void {
    for (const step of to) step.traversal = this
    this.steps.splice(this.steps.indexOf(from), 1, ...to)
  }

  /** Replaces each step for which `others` returns steps. Labels are not transferred. */
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

  /** Visits every step of this traversal and of all its descendants, parents before children. */
  visit(visitor: (step: Step) => void): void {
    for (const step of [...this.steps]) {
      visitor(step)
      for (const child of step.localChildren()) child.visit(visitor)
      for (const child of step.globalChildren()) child.visit(visitor)
    }
  }

  /** Visits this traversal and all its descendants, parents before children. */
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

/** What the compiler provides to steps while it builds a traversal. */
export interface PlanBuilder {
  /** The time slice of the compilation. */
  readonly slice: TimeSlice
  /** The root traversal. Its first steps are its source. */
  readonly root: Traversal | null
  /** Steps that represent an as() at the start of a traversal. where() and match() treat them as variables. */
  readonly variableStarts: WeakSet<Step>
  /**
   * Makes the child traversal of `parent` for an argument. Its steps may be built later; `built` is called when they exist.
   */
  child(argument: unknown, parent: Step, built?: (child: Traversal) => void): Traversal
  /** Builds the steps of a traversal before it returns. */
  build(instructions: readonly Instruction[]): Traversal
  /** Declares a side effect and its first value. The first declaration of a key counts. */
  sideEffect(key: string, initial: (run: Run) => unknown): void
}
