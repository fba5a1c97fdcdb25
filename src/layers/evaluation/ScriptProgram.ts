import type { HostAnswer, HostCall, ScriptRun } from "../../gremlin/HostCall.ts"
import type { ParseOptions } from "../../gremlin/Parser.ts"
import { HostObject, ScriptSource, ScriptTraversal } from "../../gremlin/ScriptObjects.ts"
import type { ScriptMemory } from "../../gremlin/script/budget/ScriptMemory.ts"
import { Refusal } from "../../gremlin/script/values/OperandErrors.ts"
import { StrategySpec } from "../../process/language/Bytecode.ts"
import { EvaluationCancelled, TraversalError } from "../../process/language/Errors.ts"
import type { Progress, ResultSink } from "../../process/machine/ResultSink.ts"
import { Pending } from "../../scheduling/Pending.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { ResponseSink } from "../../services/Evaluator.ts"
import { BulkSet, entriesOf, GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { HostConstant } from "../../structure/collections/HostConstant.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { Path } from "../../structure/elements/Path.ts"
import { bytesOf } from "../../structure/memory/HeldBytes.ts"
import { Collected } from "./Collected.ts"
import type { TraversalProgram } from "./PlanningProgram.ts"
import type { Program } from "./Program.ts"

/** What a script calls: traversals, transactions, and objects of the server. */
export interface ScriptHost {
  run(call: Extract<HostCall, { kind: "traversal" }>): TraversalProgram
  /** A program whose one result is the text of explain(). */
  explain(call: Extract<HostCall, { kind: "traversal" }>): TraversalProgram
  transaction(call: Extract<HostCall, { kind: "transaction" }>): HostAnswer
  method(call: Extract<HostCall, { kind: "method" }>): HostAnswer
  /** A source or an object of the server as text. */
  shown(value: HostObject | ScriptSource): string
  /** How the texts of lambdas are parsed. */
  readonly parseOptions: ParseOptions
  /** Results that one traversal inside the script may have. They are kept in memory. */
  readonly maxCollected: number
  /** Counts what the script holds. */
  readonly memory: ScriptMemory | undefined
  /** Whether the answer must be held back until the commit. */
  mustHold(): boolean
  /** The request has been cancelled: its scripts begin no further traversal at once, but ask for it. */
  cancelled(): void
  /** The script has ended. */
  closed(): void
}

/** A traversal of a script that has begun, with what its last advance returned. The handle of a BegunTraversal. */
export interface Begun {
  readonly program: TraversalProgram
  readonly results: Collected
  readonly progress: Progress
}

/** Rows of the final value that the sink gets at a time. */
const BATCH_ROWS = 256

/** What a script needs of the answer. */
export type ScriptSink = ResultSink & Pick<ResponseSink, "hold">

/** A script of several statements. The interpreter evaluates it, and its traversals run one at a time. */
export class ScriptProgram implements Program {
  readonly #slice: TimeSlice
  readonly #script: ScriptRun
  readonly #host: ScriptHost
  #answer: unknown
  /** The call that the script waits for. */
  #waiting: Extract<HostAnswer, { readonly later: Pending }> | null = null
  #run: TraversalProgram | null = null
  #collected: Collected | null = null
  /** True while the script waits for a method of the server. */
  #callsMethod = false
  /** The error of the traversal that has just failed. */
  #failure: { readonly error: unknown } | undefined
  /** The final value, when it is not a traversal. */
  #values: Iterator<unknown> | null = null
  #cancelled: Error | null = null
  repeatable = true

  /** @param slice the time slice of the evaluation */
  constructor(script: ScriptRun, host: ScriptHost, slice = new TimeSlice()) {
    this.#slice = slice
    this.#script = script
    this.#host = host
  }

  get currentStep(): string {
    return this.#run?.currentStep ?? "script"
  }

  get heldBytes(): number {
    return (this.#run?.heldBytes ?? 0) + (this.#collected === null ? 0 : bytesOf(this.#collected.values))
  }

  advance(until: number, sink: ScriptSink): Progress {
    // The last call of a script may be a commit. Then the script ends with the outcome of the commit.
    if (this.#cancelled !== null && this.#waiting === null && this.#values === null) throw this.#cancelled
    this.#slice.restart(until)
    for (;;) {
      if (this.#values !== null) return this.#give(this.#values, until, sink)
      if (this.#run !== null) {
        const collected = this.#collected
        const progress = this.#advanceRun(until, sink)
        // A collector that has enough results returns "full": the traversal ends.
        if (progress !== "done" && !(progress === "full" && collected !== null)) return progress
        this.#run.close()
        this.#run = null
        if (collected === null) return "done"
        this.#answer = collected.answer
        this.#host.memory?.received(collected.values)
        this.#collected = null
      }
      const progress = this.#resume(sink)
      if (progress !== undefined) return progress
      if (performance.now() > until) return "slice"
    }
  }

  /** Advances the traversal that runs. A traversal inside of the script that fails ends, and the script may catch its error. */
  #advanceRun(until: number, sink: ScriptSink): Progress {
    try {
      return this.#run!.advance(until, this.#collected ?? sink)
    } catch (error) {
      if (this.#collected === null || this.#cancelled !== null) throw error
      this.#failure = { error }
      return "done"
    }
  }

  /** Continues the script until its next call. */
  #resume(sink: ScriptSink): Progress | undefined {
    if (this.#waiting !== null) {
      const later = this.#waited(this.#waiting)
      if (later !== undefined) {
        this.#assertGoesOn()
        return later
      }
    }
    const failure = this.#failure
    this.#failure = undefined
    const step =
      failure === undefined
        ? this.#script.next(this.#answer)
        : this.#script.throw(this.#callsMethod ? refusalOf(failure.error) : failure.error)
    this.#answer = undefined
    if (step.done === true) {
      this.#finish(step.value, sink)
      return undefined
    }
    this.#assertGoesOn()
    try {
      return this.#called(step.value)
    } catch (error) {
      this.#failure = { error }
      return undefined
    }
  }

  /** Takes the answer that has arrived. Gives further work to wait for. */
  #waited({ rest, value }: Extract<HostAnswer, { readonly later: Pending }>): Pending | undefined {
    this.#waiting = null
    if (this.#failure !== undefined) return undefined
    try {
      const later = rest?.()
      if (later === undefined) {
        this.#answer = value?.()
        return undefined
      }
      return this.#wait({ later, ...(rest === undefined ? {} : { rest }), ...(value === undefined ? {} : { value }) })
    } catch (error) {
      this.#failure = { error }
      return undefined
    }
  }

  /** Waits for an answer. The script may catch the error of what it waits for, such as its own commit. */
  #wait(answer: Extract<HostAnswer, { readonly later: Pending }>): Pending {
    this.#waiting = answer
    const { later } = answer
    const waits: Pending = {
      onDone: (resume) =>
        later.onDone((error) => {
          if (error !== undefined) this.#failure = { error }
          resume(undefined)
        })
    }
    return Pending.isCommit(later) ? Pending.asCommit(waits) : waits
  }

  /** Does what the script asks for. */
  #called(call: HostCall): Progress | undefined {
    if (call.kind !== "pause" && call.kind !== "begun") this.#host.memory?.refresh()
    this.#callsMethod = call.kind === "method"
    switch (call.kind) {
      case "pause":
        return "slice"
      case "begun": {
        const { program, progress, results } = call.handle as Begun
        this.#run = program
        this.#collected = results
        return progress
      }
      case "traversal":
        this.#run = call.want === "explain" ? this.#host.explain(call) : this.#host.run(call)
        this.#collected = new Collected(call.want === "none" ? 0 : call.limit, this.#host.maxCollected, call.want)
        return undefined
      case "transaction":
        if (call.action === "commit") this.repeatable = false
        return this.#take(this.#host.transaction(call))
      case "method":
        this.repeatable = false
        return this.#take(this.#host.method(call))
      default:
        return undefined
    }
  }

  #take(answer: HostAnswer): Progress | undefined {
    if (answer.later === undefined) {
      this.#answer = answer.value
      return undefined
    }
    return this.#wait(answer)
  }

  /** Throws when the script is cancelled: it begins nothing more. */
  #assertGoesOn(): void {
    if (this.#cancelled !== null) throw this.#cancelled
  }

  #finish(value: unknown, sink: ScriptSink): void {
    if (value instanceof ScriptTraversal) {
      this.#assertGoesOn()
      const { bytecode, source, variables } = value
      this.#run = this.#host.run({ kind: "traversal", source, bytecode, variables, want: "list", limit: undefined })
      if (this.#host.mustHold()) sink.hold()
      return
    }
    if (this.#host.mustHold()) sink.hold()
    this.#values = resultsOf(value, this.#host)[Symbol.iterator]()
  }

  #give(values: Iterator<unknown>, until: number, sink: ScriptSink): Progress {
    for (;;) {
      const batch: Array<unknown> = []
      let next = values.next()
      while (next.done !== true) {
        batch.push(next.value)
        if (batch.length === BATCH_ROWS) break
        next = values.next()
      }
      const room = sink.accept(batch, batch.length, null)
      if (next.done === true) return "done"
      if (!room) return "full"
      if (performance.now() > until) return "slice"
    }
  }

  cancel(error: Error = new EvaluationCancelled("The request was cancelled.")): void {
    this.#cancelled ??= error
    this.#host.cancelled()
    this.#run?.cancel(error)
  }

  close(): void {
    this.#run?.close()
    this.#run = null
    this.#host.closed()
  }
}

/** The refusal of a method of the server, which gets the position of the call; any other error as it is. */
const refusalOf = (error: unknown): unknown =>
  error instanceof TraversalError && error.constructor === TraversalError ? new Refusal(error.message) : error

/** The results of a script: the members of a collection, the entries of a map, or one value, which may be null. */
const resultsOf = (value: unknown, host: ScriptHost): Iterable<unknown> => {
  if (Array.isArray(value)) return itemsOf(value, host)
  if (value instanceof BulkSet) return value.repeated()
  if (value instanceof GremlinSet) return value
  if (value instanceof HostConstant || value instanceof StrategySpec) return [value.name]
  if (value instanceof GremlinMap) return entriesOf(value)
  // In Java a tree is a map, and a path can be iterated.
  if (value instanceof Tree) return entriesOf(value.children)
  if (value instanceof Path) return value.objects
  if (value instanceof ScriptSource || value instanceof HostObject) return [host.shown(value)]
  return [value ?? null]
}

/** A generator, because a list may have millions of members. */
function* itemsOf(list: ReadonlyArray<unknown>, host: ScriptHost): Iterable<unknown> {
  for (const item of list) yield item instanceof HostObject ? host.shown(item) : item
}
