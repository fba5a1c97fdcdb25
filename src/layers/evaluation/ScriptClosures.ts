import type { HostCall, ScriptRun } from "../../gremlin/HostCall.ts"
import { lambdaClosure, MAX_LAMBDA_CHARS } from "../../gremlin/Lambdas.ts"
import { ScriptRuntime } from "../../gremlin/program/ScriptRuntime.ts"
import type { Scope } from "../../gremlin/Scope.ts"
import { ScriptClosure } from "../../gremlin/ScriptClosure.ts"
import { ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { resumed, Suspension } from "../../gremlin/Suspension.ts"
import { substituteBytecode } from "../../gremlin/script/arguments/Substitution.ts"
import { ScriptIterator } from "../../gremlin/script/values/ScriptIterator.ts"
import { Bytecode, Lambda, StrategySpec } from "../../process/language/Bytecode.ts"
import {
  Closure,
  type ClosureBinder,
  type ClosureCall,
  type ClosureProgress,
  type ClosureSource
} from "../../process/language/Closure.ts"
import { LambdaNotSupported, TraversalError } from "../../process/language/Errors.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { ResponseSink } from "../../services/Evaluator.ts"
import type { TraversalSource } from "../../services/GraphRegistry.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/collections/Collections.ts"
import { type Element, VertexProperty } from "../../structure/elements/Element.ts"
import { originOf } from "../../structure/graph/Detach.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { type ScriptHost, ScriptProgram } from "./ScriptProgram.ts"

type TraversalCall = Extract<HostCall, { kind: "traversal" }>

/** Strategies by which a traversal sees only a part of the graph. */
const filtering: ReadonlySet<string> = new Set(["PartitionStrategy", "SubgraphStrategy"])

/** Milliseconds that a call works for its own traversals before others run. */
const CALL_SLICE_MS = 2

/** Maximum nesting of calls of closures: a closure may run a traversal with closures. Each level takes about 10 KB of the stack. */
const MAX_NESTED_CALLS = 20

/** The nesting of the calls of closures that a request runs now. */
interface ClosureNesting {
  openCalls: number
}

/** Refuses closures, for the setting closures=false. */
export const refusedClosures: ClosureBinder = {
  bind: () => {
    throw new LambdaNotSupported(
      "A closure is given to a step, which this server's closures=false refuses. Write it with Gremlin steps."
    )
  }
}

/** Binds the closures of a traversal to the request of its script. */
export class ScriptClosures implements ClosureBinder {
  readonly #scope: Scope
  readonly #call: TraversalCall
  readonly #host: ScriptHost
  readonly #registered: TraversalSource
  readonly #nesting: ClosureNesting
  #runtime: ScriptRuntime | undefined
  #home: ScriptSource | undefined

  /**
   * @param call the traversal of the closures
   * @param registered the source of the traversal on the server
   * @param nesting shared by all traversals of the request
   */
  constructor(
    scope: Scope,
    call: TraversalCall,
    host: ScriptHost,
    registered: TraversalSource,
    nesting: ClosureNesting
  ) {
    this.#scope = scope
    this.#call = call
    this.#host = host
    this.#registered = registered
    this.#nesting = nesting
  }

  bind(given: ClosureSource, slice: TimeSlice): Closure {
    const source = given instanceof Lambda ? this.#lambda(given) : given
    if (!(source instanceof ScriptClosure)) throw new LambdaNotSupported("This closure belongs to no script.")
    return new BoundClosure(source, this.#runtimeIn(slice), this.#host, this.#nesting)
  }

  /** The state that the closures of one run share. */
  #runtimeIn(slice: TimeSlice): ScriptRuntime {
    if (this.#runtime?.budget.slice === slice) return this.#runtime
    // An element of another graph, which a variable holds, belongs to a source of that graph.
    const sourceOf = (element: Element): ScriptSource =>
      storeOf(element) === this.#registered.store ? this.#source : this.#scope.sourceOf(element)
    // A closure runs inside of a traversal: its own traversals are run by the program of its call, which limits how deep they nest.
    // Each traversal with closures makes a scope, and a copy by spreading takes microseconds.
    const { classes, globals, isKept, memory, patterns, print, shown, variables } = this.#scope
    const isFiltered = this.#isFiltered
    const scope = { variables, isKept, globals, sourceOf, isFiltered, classes, patterns, memory, shown, print }
    this.#runtime = new ScriptRuntime(scope, slice)
    return this.#runtime
  }

  /** The closure of a driver's text. The compiler has refused languages other than Groovy. */
  #lambda({ script }: Lambda): ScriptClosure {
    if (script.length <= MAX_LAMBDA_CHARS) return lambdaClosure(script, this.#scope, this.#host.parseOptions)
    throw new LambdaNotSupported(`A lambda has ${script.length} characters; the limit is ${MAX_LAMBDA_CHARS}.`)
  }

  /**
   * The source of the traversal. Methods of elements in its closures use it, with its strategies and its access, but without its
   * sacks and side effects.
   */
  get #source(): ScriptSource {
    if (this.#home !== undefined) return this.#home
    const { bytecode, source, variables } = this.#call
    const written = new Bytecode(bytecode.sourceInstructions, [])
    const { sourceInstructions } = substituteBytecode(written, ({ name }) => variables.get(name))
    const kept = sourceInstructions.filter(({ operator }) => operator !== "withSack" && operator !== "withSideEffect")
    this.#home = new ScriptSource(source.name, kept, source.handle)
    return this.#home
  }

  /** Whether the traversal's source hides a part of the graph. */
  get #isFiltered(): boolean {
    if (this.#registered.settings.instructions.length === 0 && this.#call.bytecode.sourceInstructions.length === 0) {
      return false
    }
    const all = [...this.#registered.settings.instructions, ...this.#source.instructions]
    return all.some(({ args }) => args.some((arg) => arg instanceof StrategySpec && filtering.has(arg.name)))
  }
}

/** The graph of an element; undefined for an element of no graph. */
const storeOf = (element: Element): object | undefined => {
  const owner = element instanceof VertexProperty ? element.vertex : element
  return owner === null ? undefined : originOf(owner.source)
}

class BoundClosure extends Closure {
  readonly #closure: ScriptClosure
  readonly #runtime: ScriptRuntime
  readonly #host: ScriptHost
  readonly #nesting: ClosureNesting

  constructor(closure: ScriptClosure, runtime: ScriptRuntime, host: ScriptHost, nesting: ClosureNesting) {
    super()
    this.#nesting = nesting
    this.#closure = closure
    this.#runtime = runtime
    this.#host = host
  }

  get text(): string {
    return this.#closure.text
  }

  get parameterCount(): number {
    return this.#closure.parameterCount
  }

  begin(args: readonly unknown[], isOwn = false): ClosureCall {
    const value = this.#runtime.attempt(this.#closure, args, isOwn)
    if (!(value instanceof Suspension)) return new EndedCall(value)
    const evaluation = value.rest
    const first = evaluation.next()
    // Most calls ask the host for nothing.
    return first.done === true
      ? new EndedCall(first.value)
      : new OpenCall(first.value, evaluation, this.#host, this.#nesting)
  }

  test(value: unknown): boolean {
    if (typeof value === "boolean") return value
    throw new TraversalError(
      `The closure of a predicate, such as that of filter(), gives true or false, not ${typeName(value)}: write (value) as boolean.`
    )
  }

  members(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value
    if (value instanceof ScriptIterator) return value.rest()
    if (value instanceof GremlinSet) return [...value]
    if (value instanceof BulkSet) return [...value.repeated()]
    if (value instanceof GremlinMap) return Array.from(value, ([key, item]) => new MapEntry(key, item))
    throw new TraversalError(`The closure of flatMap() gives a list, a set or an iterator, not ${typeName(value)}.`)
  }
}

/** A call that gave its value at once. */
class EndedCall implements ClosureCall {
  readonly result: unknown
  constructor(result: unknown) {
    this.result = result
  }
  advance(): ClosureProgress {
    return "done"
  }
  close(): void {}
}

/** Takes the results of the program of a call. It has none: the call keeps its value. */
const nowhere = { accept: () => true, acceptGrowing: () => true, hold: () => {} } as unknown as ResponseSink

/** A call that asks the host: it runs traversals, changes the graph, or pauses. */
class OpenCall implements ClosureCall {
  readonly #program: ScriptProgram
  readonly #nesting: ClosureNesting
  result: unknown = null

  constructor(first: HostCall, evaluation: ScriptRun, host: ScriptHost, nesting: ClosureNesting) {
    this.#nesting = nesting
    this.#program = new ScriptProgram(this.#continued(first, evaluation), host)
  }

  *#continued(first: HostCall, evaluation: ScriptRun): ScriptRun {
    this.result = yield* resumed(first, evaluation)
    return null
  }

  advance(): ClosureProgress {
    const nesting = this.#nesting
    if (nesting.openCalls >= MAX_NESTED_CALLS) {
      throw new TraversalError(
        `Closures run traversals with closures more than ${MAX_NESTED_CALLS} levels deep. Use a loop.`
      )
    }
    nesting.openCalls++
    try {
      const progress = this.#program.advance(performance.now() + CALL_SLICE_MS, nowhere)
      return progress === "full" ? "slice" : progress
    } finally {
      nesting.openCalls--
    }
  }

  close(): void {
    this.#program.close()
  }
}
