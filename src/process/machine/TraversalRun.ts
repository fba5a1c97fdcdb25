import type { Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import type { GraphTransaction, Later, Reads } from "../../structure/GraphStore.ts"
import { servicesOf } from "../calls/Registry.ts"
import { EvaluationCancelled, LimitExceeded } from "../language/Errors.ts"
import { Batch, VALUE } from "../plan/Batch.ts"
import type { Plan } from "../plan/Plan.ts"
import type { Prepared } from "../plan/Prepared.ts"
import type { RunEnvironment } from "../plan/Run.ts"
import { Scratch } from "../plan/Scratch.ts"
import type { Step } from "../plan/Step.ts"
import { Profile } from "../profile/Profile.ts"
import { ComputedGraph } from "./ComputedGraph.ts"
import { elementReads } from "./Reads.ts"
import { type ActivationRun, RunningActivation } from "./RunningActivation.ts"
import { scoutAt, scoutReads, sendScout } from "./Scout.ts"
import { CollectedSideEffects, isCompound } from "./SideEffects.ts"

/** Where results go. */
export interface ResultSink {
  /**
   * Takes `length` values; `bulks` tells how often each occurred (null = once). The array is not used again by the run.
   * False when there is no room for more: the run stops with "full" and is resumed by another advance().
   */
  accept(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean
  /**
   * The same for values with side effects among them that may still grow, as a client of TinkerPop sees them: the sink calls
   * `settle` before it writes or hands on any of the values, which do not change any more after that. Absent: such values are
   * settled before they come.
   */
  acceptGrowing?(
    values: ReadonlyArray<unknown>,
    length: number,
    bulks: Float64Array | null,
    settle: () => void
  ): boolean
}

/** Why advance() returned: all done, the time slice is over, the sink is full, or storage must be awaited. */
export type Progress = "done" | "slice" | "full" | Later

/** An environment without limits and without services of users: tests and in-process use. */
export const openEnvironment: RunEnvironment = {
  maxBytes: Number.POSITIVE_INFINITY,
  services: servicesOf([]),
  dataFolder: null,
  formats: null,
  materializeProperties: true
}

/** What a waiting row and a node of a path take, about. */
const ROW_BYTES = 24
const PATH_NODE_BYTES = 56
const BATCH_BYTES = 96
/** Batches that are counted in a small part of a slice. */
const BATCHES_PER_WEIGHING = 1024
/** Results of a store that answers later are fetched for together when they are more than this. */
const BATCHES_TOGETHER = 8
const ROWS_TOGETHER = 256

/**
 * One execution of a plan over a transaction. Driven from outside by {@link advance}: it works until something
 * stops it and remembers where it was. Never blocks, never awaits, never runs after {@link close}.
 */
export class TraversalRun implements ActivationRun {
  readonly transaction: GraphTransaction
  readonly parameters: readonly unknown[]
  readonly environment: RunEnvironment
  readonly sideEffects: CollectedSideEffects
  readonly plan: Plan
  /** The time that the run has before others run; its steps ask whether it is over. */
  readonly slice = new TimeSlice()
  /** Buffers for the rows and refs of one call of a step. */
  readonly scratch: Scratch
  /** Measurements, when the traversal has profile(). */
  readonly profile: Profile | null
  #current: RunningActivation | null
  #sink: ResultSink | null = null
  #full = false
  #cancelled: Error | undefined
  #failed: Error | undefined
  /** Results whose element data must be fetched before they can be handed over. */
  #undelivered: Array<Batch> = []
  #undeliveredRows = 0
  /** The first of them whose data is here. */
  #readable = 0
  #bytes = 0
  readonly #prepared: Prepared

  constructor(prepared: Prepared, transaction: GraphTransaction, environment: RunEnvironment = openEnvironment) {
    this.plan = prepared.plan
    this.parameters = prepared.parameters
    this.transaction = this.plan.computes ? new ComputedGraph(transaction) : transaction
    this.scratch = new Scratch(this.transaction)
    this.environment = environment
    this.profile = prepared.compiled.profiled ? new Profile(prepared.compiled.traversal) : null
    this.sideEffects = new CollectedSideEffects(prepared.sideEffects, this, this.plan.writes)
    const root = new RunningActivation(this, this.plan, null, 1, "all", (batch) => this.#result(batch), null)
    this.#current = root
    const start = new Batch(VALUE, START, 1)
    this.#prepared = prepared
    if (this.plan.sack) start.sack = [this.initialSack()]
    // A traversal without steps, which a client may send, has no results.
    if (this.plan.steps.length > 0) root.push(this.plan.firstIndex, start)
  }

  /** Works until done, until the clock (performance.now(), ms) passes `until`, or something must be waited for. Throws what the traversal fails with. */
  advance(until: number, sink: ResultSink): Progress {
    if (this.#cancelled !== undefined) throw this.#cancelled
    if (this.#failed !== undefined) throw this.#failed
    this.#sink = sink
    this.#full = false
    this.slice.restart(until)
    const later = this.transaction.answersLater
    if (later && this.#undelivered.length > 0) {
      const wait = this.#deliver()
      if (wait !== undefined) return wait
      if (this.#full) return "full"
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
    while (this.#current !== null) {
      const activation: RunningActivation = this.#current
      this.calls++
      const index = activation.satisfied ? -1 : activation.deepest()
      if (this.isHolding) {
        this.#letGo()
      } else if (activation.pausesNow()) {
        this.#current = activation.parent
      } else if (index >= 0) {
        const step = activation.plan.steps[index]!
        const batch = activation.peek(index)
        if (batch === undefined) continue
        if (later) {
          activation.working = index
          if (activation.scout === null && sendScout(step, batch, activation)) continue
          const reads = activation.scout === null ? step.reads(batch, activation) : scoutReads(step, batch, activation)
          if (reads !== null && reads.length > 0) {
            const wait = this.transaction.prefetch(reads)
            if (wait !== undefined) return this.#await(wait)
          }
          if (step.traits.access === "writes" && activation.scout === null) {
            const wait = this.transaction.newIds?.()
            if (wait !== undefined) return this.#await(wait)
          }
        }
        const scout = later ? activation.scout : null
        const isDone = scout === null ? step.run(batch, activation) : scoutAt(step, batch, activation)
        if (isDone !== false) activation.done(index)
        else {
          if (this.#wait !== undefined) return this.#awaitStep(this.#wait)
        }
        // What a step does for its rows in several calls is counted once.
        const scouted = isDone === false && step.scout !== undefined ? 0 : batch.length
        if (scout?.hasDoneEnough(scouted) === true) this.#current = scout.giveUp(this.#current)
      } else if (activation.satisfied || activation.scout?.root === activation || !activation.flushNext()) {
        this.#current = activation.parent
        activation.finish()
        if (activation.scout?.root === activation) activation.scout.end()
      } else {
        if (this.#wait !== undefined) return this.#awaitStep(this.#wait)
      }
      if (this.#full) {
        if (later && this.#undelivered.length > 0) {
          const wait = this.#deliver()
          if (wait !== undefined) return wait
        }
        return this.#through ? "done" : "full"
      }
      if (this.#cancelled !== undefined) throw this.#cancelled
      if (this.slice.isOver()) return this.#through ? "done" : "slice"
    }
    if (later && this.#undelivered.length > 0) {
      const wait = this.#deliver()
      if (wait !== undefined) return wait
    }
    return this.#through ? "done" : "full"
  }

  /** Whether rows of a scout failed, and not those that are worked on. */
  #isGuess(error: unknown): boolean {
    const scout = this.#current?.scout ?? null
    if (scout === null || error === this.#cancelled) return false
    this.#current = scout.failed(this.#current!)
    return true
  }

  /** Nothing is left to do, and every result was handed over. */
  get #through(): boolean {
    return this.#current === null && this.#undelivered.length === 0
  }

  /** Ends the run at its next step: advance() throws the error from then on. */
  cancel(error: Error = new EvaluationCancelled("The request was cancelled.")): void {
    this.#cancelled ??= error
  }

  /** Rows that steps gave out, in order; each goes on when it was looked at, and after those before it. */
  #held: Array<{ readonly unchecked: Task | null; readonly goOn: () => void }> = []
  /** Whether rows are held back: what is given out waits behind them, and no step works. */
  isHolding = false

  /** Lets rows go on by `goOn` only after `unchecked`, if any, has come to its end, and after those held back before. */
  holdBack(unchecked: Task | null, goOn: () => void): void {
    this.isHolding = true
    this.#held.push({ unchecked, goOn })
  }

  /** A piece of what is to be done before rows go on that are held back. */
  #letGo(): void {
    const held = this.#held
    while (held.length > 0) {
      if (held[0]!.unchecked?.next().done === false) return
      this.isHolding = held.length > 1
      held.shift()!.goOn()
    }
  }

  /** Calls of steps so far, about. */
  calls = 0

  /** Nodes of paths that were made so far. */
  pathNodes = 0

  /** Name of the step that is being worked on, for diagnostics. */
  get currentStep(): string {
    const activation = this.#current
    if (activation === null) return ""
    const index = activation.deepest()
    return index < 0 ? "" : activation.plan.steps[index]!.toString()
  }

  /** Calls back when the run ends, however it does; at once when it has. */
  onClose(callback: () => void): void {
    if (this.#closed) callback()
    else this.#closing = [...(this.#closing ?? []), callback]
  }
  #closed = false
  #closing: ReadonlyArray<() => void> | null = null

  /** Gives back what the run holds. */
  close(): void {
    this.#closed = true
    for (const callback of this.#closing ?? []) callback()
    this.#closing = null
    this.#current = null
    this.hold(-this.#bytes)
  }

  /** What a step remembers over the whole run, in whichever activations it runs (side effects being collected). */
  shared<S>(step: Step, make: () => S): S {
    return this.sharedBy(step, make)
  }
  /** The same under any key of the program's own. */
  sharedBy<S>(key: object, make: () => S): S {
    this.#shared ??= new Map()
    if (!this.#shared.has(key)) this.#shared.set(key, make())
    return this.#shared.get(key) as S
  }
  #shared: Map<object, unknown> | null = null

  /** The seed of SeedStrategy, or null. */
  get seed(): bigint | null {
    return this.#prepared.compiled.seed
  }

  /** False after withBulk(false): equal traversers that meet at a barrier become one that counts once. */
  get bulk(): boolean {
    return this.#prepared.compiled.bulk
  }

  /** How the sacks of equal traversers merge at a barrier; null keeps the traversers apart. */
  get sackMerge(): EnumValue | null {
    return this.#prepared.compiled.sack?.merge ?? null
  }

  /** The sack that withSack() gives each traverser that starts. */
  initialSack(): unknown {
    return this.#prepared.initialSack(this)
  }

  /** Rows are not worked in earnest now: a {@link Scout} goes ahead of them. */
  get isScouting(): boolean {
    return this.#current !== null && this.#current.scout !== null
  }

  /** A child's activation becomes the one that is worked on. */
  enter(activation: RunningActivation): void {
    this.#current = activation
  }

  /**
   * Inside a step's run() or flush() that returns false then: the run stops until `later` is there, and the step is
   * called again. An error of it ends the run.
   */
  waitFor(later: Later): void {
    this.#wait = later
  }
  #wait: Later | undefined

  /** True when what the reads need is here; else the run waits for it, and the step must return false. */
  fetched(reads: readonly Reads[]): boolean {
    if (!this.transaction.answersLater || reads.length === 0) return true
    this.#wait = this.transaction.prefetch(reads)
    return this.#wait === undefined
  }

  #awaitStep(wait: Later): Later {
    this.#wait = undefined
    return this.#await(wait)
  }

  /** Counts bytes that the run holds (barriers, side effects); negative when released. Throws LimitExceeded. */
  hold(bytes: number): void {
    // What a scout holds is bounded by the rows that it works on, and let go of without a word.
    if (this.isScouting) return
    this.#bytes += bytes
    if (this.#bytes > this.environment.maxBytes) {
      throw new LimitExceeded(
        `The traversal holds more than ${this.environment.maxBytes} bytes in its barriers and side effects; ` +
          "narrow it with has() or limit(), or raise the server's limit for one request."
      )
    }
  }

  /** Bytes that the run holds, about: what steps collected, rows that wait for their step, and the paths behind them. */
  get heldBytes(): number {
    if (--this.#unweighed <= 0) this.#weighWaiting()
    return this.#bytes + this.#waitingBytes
  }
  #waitingBytes = 0
  /** Times that the waiting rows are taken to be what they were: the more batches there are, the seldomer they are counted. */
  #unweighed = 0

  #weighWaiting(): void {
    const waiting = { batches: 0, rows: 0, pathNodes: 0, valueBytes: 0 }
    for (let activation = this.#current; activation !== null; activation = activation.parent) {
      activation.addWaiting(waiting)
    }
    // Rows share the beginnings of their paths: there are no more nodes than were ever made.
    const pathNodes = Math.min(waiting.pathNodes, this.pathNodes)
    this.#waitingBytes =
      waiting.rows * ROW_BYTES + waiting.batches * BATCH_BYTES + pathNodes * PATH_NODE_BYTES + waiting.valueBytes
    this.#unweighed = waiting.batches / BATCHES_PER_WEIGHING
  }

  #result(batch: Batch): void {
    if (!this.transaction.answersLater) {
      this.#hand(batch)
      return
    }
    this.#undelivered.push(batch)
    this.#undeliveredRows += batch.length
    if (this.#undelivered.length > BATCHES_TOGETHER && this.#undeliveredRows > ROWS_TOGETHER) this.#full = true
  }

  #hand(batch: Batch): void {
    const values = new Array<unknown>(batch.length)
    for (let i = 0; i < values.length; i++) values[i] = batch.value(i, this.transaction)
    if (!this.#accepted(values, batch.bulk)) this.#full = true
  }

  #accepted(values: ReadonlyArray<unknown>, bulks: Float64Array | null): boolean {
    const sink = this.#sink!
    const { sideEffects } = this
    if (sideEffects.lends && values.some(isCompound)) {
      if (sink.acceptGrowing !== undefined) {
        return sink.acceptGrowing(values, values.length, bulks, () => sideEffects.settle())
      }
      sideEffects.settle()
    }
    return sink.accept(values, values.length, bulks)
  }

  /** Hands over results of a store that answers later, once the data of the elements in them is here. */
  #deliver(): Later | undefined {
    while (this.#undelivered.length > 0) {
      if (this.#readable === 0) {
        const wait = this.transaction.prefetch(this.#undelivered.flatMap((batch) => this.#readsOf(batch)))
        if (wait !== undefined) return this.#await(wait)
        this.#readable = this.#undelivered.length
      }
      const batch = this.#undelivered.shift()!
      this.#readable--
      this.#undeliveredRows -= batch.length
      this.#hand(batch)
      if (this.#full) return undefined
    }
    return undefined
  }

  #readsOf(batch: Batch): ReadonlyArray<Reads> {
    const isWritten = this.environment.materializeProperties || batch.kind !== VALUE
    return isWritten ? elementReads(batch, this.transaction) : []
  }

  #await(wait: Later): Later {
    return {
      onDone: (resume) =>
        wait.onDone((error) => {
          if (error !== undefined) this.#failed = error
          resume(error)
        })
    }
  }
}

const START: readonly unknown[] = [undefined]
