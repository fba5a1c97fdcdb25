import type { Pending } from "../../scheduling/Pending.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Reads } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { servicesOf } from "../calls/Registry.ts"
import type { Closure, ClosureBinder } from "../language/Closure.ts"
import { EvaluationCancelled } from "../language/Errors.ts"
import { Batch, VALUE } from "../plan/Batch.ts"
import type { Plan } from "../plan/Plan.ts"
import type { Prepared } from "../plan/Prepared.ts"
import type { RunEnvironment } from "../plan/Run.ts"
import { Scratch } from "../plan/Scratch.ts"
import type { Step } from "../plan/Step.ts"
import { Profile } from "../profile/Profile.ts"
import { Completions } from "./Completions.ts"
import { ComputedGraph } from "./ComputedGraph.ts"
import { Delivery } from "./Delivery.ts"
import { HeldRows } from "./HeldRows.ts"
import { PlanOutput } from "./PlanOutput.ts"
import type { Progress, ResultSink } from "./ResultSink.ts"
import { RunClosures } from "./RunClosures.ts"
import { RunMemory } from "./RunMemory.ts"
import { type ActivationRun, RunningActivation } from "./RunningActivation.ts"
import { scoutAt, scoutReads, sendScout } from "./Scout.ts"
import { CollectedSideEffects } from "./SideEffects.ts"
import { Waits } from "./Waits.ts"

/** An environment without limits and without services of users, for tests and in-process use. */
export const openEnvironment: RunEnvironment = {
  maxBytes: Number.POSITIVE_INFINITY,
  services: servicesOf([]),
  dataFolder: null,
  formats: null,
  materializeProperties: true
}

/**
 * One execution of a plan over a transaction. {@link advance} continues it until something stops it. It never blocks or awaits,
 * and does not run after {@link close}.
 */
export class TraversalRun implements ActivationRun {
  readonly transaction: GraphTransaction
  readonly parameters: readonly unknown[]
  readonly environment: RunEnvironment
  readonly binder: ClosureBinder | undefined
  readonly sideEffects: CollectedSideEffects
  readonly plan: Plan
  /** The current time slice. Steps check whether it is over. */
  readonly slice = new TimeSlice()
  /** Buffers for the rows and refs of one call of a step. */
  readonly scratch: Scratch
  readonly profile: Profile | null
  /** Rows that are held back until they are checked. */
  readonly heldRows = new HeldRows()
  readonly completions = new Completions()
  readonly #delivery: Delivery
  readonly #memory: RunMemory
  readonly #waits: Waits
  readonly #prepared: Prepared
  #closures: RunClosures | null = null
  #current: RunningActivation | null
  #cancelled: Error | undefined

  /** @param binder binds the closures of the traversal to their request */
  constructor(
    prepared: Prepared,
    transaction: GraphTransaction,
    environment: RunEnvironment = openEnvironment,
    binder?: ClosureBinder
  ) {
    this.plan = prepared.plan
    this.parameters = prepared.parameters
    this.transaction = this.plan.computes ? new ComputedGraph(transaction) : transaction
    this.scratch = environment.scratch ?? new Scratch()
    this.environment = environment
    this.binder = binder
    this.#prepared = prepared
    if (prepared.compiled.callsClosures) this.#closures = new RunClosures(prepared.compiled, this)
    this.profile = prepared.compiled.profiled ? new Profile(prepared.compiled.traversal) : null
    this.#waits = new Waits(this.transaction)
    this.#memory = new RunMemory(environment.maxBytes)
    this.sideEffects = new CollectedSideEffects(prepared.sideEffects, this, this.plan.writes)
    const delivery = new Delivery(this.transaction, this.sideEffects, environment.materializeProperties)
    this.#delivery = delivery
    const root = new RunningActivation(
      this,
      this.plan,
      null,
      new PlanOutput(1, "all", (batch) => delivery.take(batch), null)
    )
    this.#current = root
    const start = new Batch(VALUE, START, 1)
    if (this.plan.sack) start.sack = [this.closures.givesSacks ? null : this.initialSack()]
    // Clients may send a traversal without steps, which has no results.
    if (this.plan.steps.length > 0) root.push(this.plan.firstIndex, start)
  }

  // ---- the loop

  /**
   * Continues the run until it is done, until the time `until` (performance.now(), ms), until the sink is full, or until a wait is
   * necessary. Throws the error of the traversal.
   */
  advance(until: number, sink: ResultSink): Progress {
    if (this.#cancelled !== undefined) throw this.#cancelled
    if (this.#waits.failure !== undefined) throw this.#waits.failure
    this.#delivery.begin(sink)
    this.slice.restart(until)
    const later = this.transaction.answersLater
    if (later) {
      const wait = this.#waits.begin() ?? this.#deliver()
      if (wait !== undefined) return wait
      if (this.#delivery.isFull) return "full"
    }
    for (;;) {
      try {
        return this.#goOn(later)
      } catch (error) {
        if (!this.#isGuess(error)) throw error
      }
    }
  }

  #goOn(later: boolean): Progress {
    const delivery = this.#delivery
    while (this.#current !== null) {
      this.calls++
      const wait = this.#work(this.#current, later)
      if (wait !== undefined) return wait
      if (delivery.isFull) return this.#deliver() ?? (this.#through ? "done" : "full")
      if (this.#cancelled !== undefined) throw this.#cancelled
      if (this.slice.isOver()) return this.#through ? "done" : "slice"
    }
    return this.#deliver() ?? (this.#through ? "done" : "full")
  }

  /** Calls a step once, or leaves an exhausted activation. Returns what must be awaited before the next call; undefined if nothing. */
  #work(activation: RunningActivation, later: boolean): Pending | undefined {
    const index = activation.satisfied ? -1 : activation.deepest()
    if (this.heldRows.isHolding) this.heldRows.letGo()
    else if (activation.pausesNow()) this.#current = activation.parent
    else if (index >= 0) {
      const batch = activation.peek(index)
      if (batch === undefined) return undefined
      const step = activation.plan.steps[index]!
      if (later) return this.#callLater(step, batch, activation)
      if (step.run(batch, activation) === false) return this.#waits.take()
      activation.done(index)
    } else if (activation.satisfied || activation.scout?.root === activation || !activation.flushNext()) {
      this.#current = activation.parent
      activation.finish()
      if (activation.scout?.root === activation) activation.scout.end()
    } else return this.#waits.take()
    return undefined
  }

  /** Calls a step with a store that answers later, if what it reads for the batch is fetched. */
  #callLater(step: Step, batch: Batch, activation: RunningActivation): Pending | undefined {
    const { scout } = activation
    activation.working = step.index
    if (scout === null && sendScout(step, batch, activation)) return undefined
    const reads = scout === null ? step.reads(batch, activation) : scoutReads(step, batch, activation)
    const isRead = reads === null || reads.length === 0
    const wait =
      (isRead ? undefined : this.transaction.prefetch(reads)) ??
      (scout === null && step.traits.access === "writes" ? this.transaction.newIds?.() : undefined)
    if (wait !== undefined) return this.#waits.noting(wait)
    const isDone = (scout === null ? step.run(batch, activation) : scoutAt(step, batch, activation)) !== false
    if (isDone) activation.done(step.index)
    else {
      const pending = this.#waits.take()
      if (pending !== undefined) return pending
    }
    // Several calls for the same rows count once.
    const scouted = !isDone && step.scout !== undefined ? 0 : batch.length
    if (scout?.hasDoneEnough(scouted) === true) this.#current = scout.giveUp(this.#current!)
    return undefined
  }

  #deliver(): Pending | undefined {
    if (!this.#delivery.isWaiting) return undefined
    const wait = this.#delivery.deliver()
    return wait === undefined ? undefined : this.#waits.noting(wait)
  }

  /** Whether an error belongs to a scout. Then the run continues without the failed rows. */
  #isGuess(error: unknown): boolean {
    const scout = this.#current?.scout ?? null
    if (scout === null || error === this.#cancelled) return false
    this.#current = scout.failed(this.#current!)
    return true
  }

  /** Whether all work is done and all results are delivered. */
  get #through(): boolean {
    return this.#current === null && !this.#delivery.isWaiting
  }

  /** Ends the run before its next step: from then on advance() throws the error. */
  cancel(error: Error = new EvaluationCancelled("The request was cancelled.")): void {
    this.#cancelled ??= error
  }

  enter(activation: RunningActivation): void {
    this.#current = activation
  }

  /** Approximate number of calls of steps so far. */
  calls = 0

  /** Whether a {@link Scout} is working. */
  get isScouting(): boolean {
    return this.#current !== null && this.#current.scout !== null
  }

  /** Text of the current step, for diagnostics. */
  get currentStep(): string {
    const activation = this.#current
    if (activation === null) return ""
    const index = activation.deepest()
    return index < 0 ? "" : activation.plan.steps[index]!.toString()
  }

  // ---- the end

  onClose(callback: () => void): void {
    if (this.#closed) callback()
    else (this.#closing ??= []).push(callback)
  }
  #closed = false
  #closing: Array<() => void> | null = null

  /** Ends the run and releases what it holds. */
  close(): void {
    this.#closed = true
    for (const callback of this.#closing ?? []) callback()
    this.#closing = null
    this.#current = null
    this.#memory.clear()
  }

  // ---- what steps ask of the run

  shared<S>(step: Step, make: () => S): S {
    return this.sharedBy(step, make)
  }
  sharedBy<S>(key: object, make: () => S): S {
    this.#shared ??= new Map()
    if (!this.#shared.has(key)) this.#shared.set(key, make())
    return this.#shared.get(key) as S
  }
  #shared: Map<object, unknown> | null = null

  /** Made when a step asks for it: most traversals have no closures. */
  get closures(): RunClosures {
    this.#closures ??= new RunClosures(this.#prepared.compiled, this)
    return this.#closures
  }

  get seed(): bigint | null {
    return this.#prepared.compiled.seed
  }

  get bulk(): boolean {
    return this.#prepared.compiled.bulk
  }

  get sackMerge(): EnumValue | Closure | null {
    return this.closures.sackMerge
  }

  initialSack(): unknown {
    return this.#prepared.initialSack(this)
  }

  waitFor(later: Pending): void {
    this.#waits.add(later)
  }

  fetched(reads: readonly Reads[]): boolean {
    return this.#waits.fetched(reads)
  }

  hold(bytes: number): void {
    // The memory of a scout is bounded by its limit of rows, and is not released step by step.
    if (!this.isScouting) this.#memory.add(bytes)
  }

  /** Number of path nodes that were made so far. */
  pathNodes = 0

  /** Approximate number of bytes that the run holds: what steps collected, waiting rows, and their paths. */
  get heldBytes(): number {
    return this.#memory.total(this.#current, this.pathNodes)
  }
}

const START: readonly unknown[] = [undefined]
