import { integerArgument, stringArgument } from "../../language/Arguments.ts"
import { VerificationFailed } from "../../language/Errors.ts"
import type { Activation } from "../../plan/Activation.ts"
import { holdsBarrier } from "../../plan/Barriers.ts"
import { type Batch, LoopFrame, slice } from "../../plan/Batch.ts"
import { downstreamOf } from "../../plan/Downstream.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import type { Plan } from "../../plan/Plan.ts"
import { takesEach } from "../../plan/Silence.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { flattening } from "../../plan/StepTraits.ts"
import { type LoopTest, leaving, matching, rowsOf, traversalOf, unsplit, words } from "./LoopConditions.ts"
import { inFrame, type Pace, RepeatEndStep, RepeatEntryStep, type RepeatLoop } from "./RepeatRounds.ts"

const traits = flattening({ results: "perRow", keepsObject: true, children: "loop" })

/**
 * repeat() with until(), times() and emit(), before or after it. The body is part of the plan, between a {@link
 * RepeatEntryStep} and a {@link RepeatEndStep} that sends rows into the next round. The inbox of the entry is a queue,
 * so rounds run in order, breadth first.
 */
export class RepeatStep extends Step implements RepeatLoop {
  readonly operator = "repeat"
  readonly name = "RepeatStep"
  readonly traits = traits
  loopName: string | null = null
  body: Traversal | null = null
  until: LoopTest | null = null
  emit: LoopTest | null = null
  untilFirst = false
  emitFirst = false
  /**
   * Set if TinkerPop writes copies of the body instead. Where merging shows, the rows of such a repeat() merge at the barriers of the
   * plan only, which LazyBarriers.ts inserts.
   */
  isCopied = false
  /** Set if the next step splits the sacks of rows that emit() emits, but not of those that until() lets through. */
  splitsEmitted = false
  readonly #entry = new RepeatEntryStep(this)
  readonly #end = new RepeatEndStep(this)

  /** False if the modulator belongs to another repeat() because this one already has it. */
  override awaits(operator: string): boolean {
    switch (operator) {
      case "repeat":
        return this.body === null
      case "emit":
        return this.emit === null
      case "times":
      case "until":
        return this.until === null
      default:
        return false
    }
  }

  override globalChildren(): ReadonlyArray<Traversal> {
    return this.body === null ? [] : [this.body]
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return [this.until, this.emit].flatMap((test) => (test?.kind === "traversal" ? [test.traversal] : []))
  }

  override asksWhether(child: Traversal): boolean {
    return child !== this.body
  }

  override replaceChild(from: Traversal, to: Traversal): void {
    if (this.body === from) this.body = to
    if (this.until?.kind === "traversal" && this.until.traversal === from)
      this.until = { kind: "traversal", traversal: to }
    if (this.emit?.kind === "traversal" && this.emit.traversal === from)
      this.emit = { kind: "traversal", traversal: to }
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    switch (operator) {
      case "repeat":
        this.#setBody(args, compiler)
        return
      case "times":
        this.#setUntil({ kind: "times", rounds: integerArgument("times", args[0], "number of rounds") })
        return
      case "until":
        this.#setUntil({ kind: "traversal", traversal: compiler.child(traversalOf(args[0]), this) })
        return
      case "emit":
        this.emitFirst = this.body === null
        this.emit =
          args.length === 0
            ? { kind: "always" }
            : { kind: "traversal", traversal: compiler.child(traversalOf(args[0]), this) }
        return
      default:
        super.modulate(operator, args, compiler)
    }
  }

  #setUntil(test: LoopTest): void {
    this.until = test
    this.untilFirst = this.body === null
  }

  #setBody(args: readonly unknown[], compiler: PlanBuilder): void {
    if (args.length === 2) this.loopName = stringArgument("repeat", args[0], "loop name")
    this.body = compiler.child(args[args.length - 1], this, (body) => {
      body.insert(0, this.#entry)
      body.add(this.#end)
    })
  }

  override isEndless(plan: Plan): boolean {
    // times() may have more rounds than can complete in time, unless equal rows are merged.
    return !this.#isUniform || plan.path > 0 || plan.sack
  }

  /** True if all rows leave after the same number of rounds. */
  get #isUniform(): boolean {
    return this.emit === null && this.until?.kind === "times"
  }

  override require(): void {
    if (this.body === null) throw new VerificationFailed(`The repeat()-traversal was not defined: ${this.traversal}`)
  }

  /**
   * Chooses the schedule. In general, results are ordered by starting traverser; the results of one traverser are
   * breadth first, and merged elements of a round stand at the place of the first. If the body has a barrier, all
   * traversers go through each round together. They also do so if the order is not observable. With times() alone,
   * equal rows of different starts are merged, or else the rows run depth first: the order is the same, because all
   * rows leave after the last round. If a test acts, equal rows are not merged. Where merging shows, rows of different starts
   * merge only at barriers of the plan.
   */
  pace(activation: Activation): Pace {
    return activation.state(this, () => {
      const { plan } = activation
      const { orderShows, drains } = downstreamOf(this, plan)
      const uniform = this.#isUniform && (!plan.mergingShows || this.isCopied)
      const inOrder = orderShows || plan.mergingShows
      const mayMerge = plan.path < 2 && (!plan.sack || activation.run.sackMerge !== null) && !plan.sequential
      const merges = mayMerge && !(plan.mergingShows && this.isCopied) && !takesEach(this, plan)
      const isGated = holdsBarrier(this.body!)
      const gathers = isGated || (merges && drains && (uniform || !inOrder))
      const mixed =
        (this.emitFirst && !this.untilFirst && this.until !== null) ||
        (this.untilFirst && !this.emitFirst && this.emit !== null)
      return {
        gathers,
        merges,
        oneStart: !gathers && !uniform && inOrder,
        depthFirst: !isGated && uniform && !plan.sequential,
        oneRow: !gathers && orderShows && mixed,
        left: 0
      }
    })
  }

  /** Returns true if the rows run before waiting rows of earlier rounds. */
  goesFirst(rows: Batch, activation: Activation): boolean {
    const { depthFirst, merges } = this.pace(activation)
    // Rows with labelled places on their paths are not merged.
    return depthFirst && (!merges || rows.path !== null) && activation.scout === null
  }

  override goesOneByOne(batch: Batch, activation: Activation): boolean {
    return batch.length > 1 && this.pace(activation).oneStart
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    const oneStart = this.pace(activation).oneStart && activation.scout === null
    const from = oneStart ? activation.cursor(this).row++ : 0
    const rows = oneStart && batch.length > 1 ? slice(batch, from, from + 1) : batch
    activation.enterBranch(this, this.body!, inFrame(rows, this.#frame(batch.loops, activation)))
    return !oneStart || from + 1 >= batch.length
  }

  /** The frame of the first round, shared by all rows of the same outer round. */
  #frame(outer: LoopFrame | null, activation: Activation): LoopFrame {
    if (outer !== null) return outer.enter(this, this.position, this.loopName)
    return activation.state(this.#end, () => new LoopFrame(this.position, this.loopName, 0, null))
  }

  /**
   * Runs the tests before a round (`first`) or after it. Rows that meet until() or emit() leave in order; `go` receives
   * the rows that do not meet until().
   */
  test(batch: Batch, activation: Activation, first: boolean, go: (rows: Batch) => void): void {
    const until = this.untilFirst === first ? this.until : null
    const emit = this.emitFirst === first ? this.emit : null
    if (until === null && emit === null) {
      go(batch)
      return
    }
    matching(until, batch, activation, (through) => {
      const going = rowsOf(batch, through, false, activation.run.scratch)
      matching(emit, going, activation, (emitted) => {
        const rows = this.splitsEmitted ? unsplit(batch, through) : batch
        this.#leave(leaving(rows, through, emitted, activation.run.scratch), activation)
        if (going.length > 0) go(going)
      })
    })
  }

  #leave(rows: Batch, activation: Activation): void {
    if (rows.length > 0) activation.pass(this, inFrame(rows, rows.loops!.outer))
  }

  override describe(): string {
    const body = this.body === null ? "" : String(this.body)
    const until = this.until === null ? "" : `until(${words(this.until)})`
    const emit = this.emit === null ? "" : `emit(${words(this.emit)})`
    const parts = [this.untilFirst ? until : "", this.emitFirst ? emit : "", body]
    return [...parts, this.untilFirst ? "" : until, this.emitFirst ? "" : emit].filter((part) => part !== "").join(",")
  }
}

/** The operator repeat(). */
export const repeatSteps: Operators = {
  repeat: stepOperator(noParameters, (args, compiler) => {
    const step = new RepeatStep()
    if (args.length > 0) step.modulate("repeat", args, compiler)
    return step
  })
}
