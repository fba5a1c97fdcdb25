import type { Bytecode, Instruction } from "../process/language/Bytecode.ts"
import type { Pending } from "../scheduling/Pending.ts"
import type { TimeSlice } from "../scheduling/TimeSlice.ts"
import type { HostConstant } from "../structure/collections/HostConstant.ts"
import type { Element } from "../structure/elements/Element.ts"
import { Sized } from "../structure/memory/HeldBytes.ts"
import type { ClassName } from "../structure/scalars/ClassNames.ts"
import { beginningOf } from "../structure/texts/Text.ts"
import type { ScriptClosure } from "./ScriptClosure.ts"
import type { ScriptMemory } from "./script/budget/ScriptMemory.ts"
import type { PatternCompiler } from "./script/values/Patterns.ts"
import { translate } from "./Translator.ts"

/** A traversal source in a script: a source of the server, and the instructions that the script added to it. */
export class ScriptSource {
  /** The name of the source on the server, such as `g`. */
  readonly name: string
  /** The instructions that the script added, such as withSideEffect(). */
  readonly instructions: readonly Instruction[]
  /** The graph or transaction of the host to which the source belongs; undefined for a source that the name identifies. */
  readonly handle: unknown
  constructor(name: string, instructions: readonly Instruction[] = [], handle?: unknown) {
    this.name = name
    this.instructions = instructions
    this.handle = handle
  }
  get [Symbol.toStringTag](): string {
    return "GraphTraversalSource"
  }
  toString(): string {
    return `graphtraversalsource[${this.name}]`
  }
}

/** A traversal in a script that has not run yet. */
export class ScriptTraversal {
  readonly source: ScriptSource
  #bytecode: Bytecode
  /** The values that the variables had when the script created the traversal. */
  readonly variables: ReadonlyMap<string, unknown>
  /** All results; undefined before the script asks for the first one. */
  results: readonly unknown[] | undefined
  /** Number of results that the script has taken. */
  taken = 0
  /** True if a later expression has continued the traversal: something held it then. */
  isContinued = false
  constructor(source: ScriptSource, bytecode: Bytecode, variables: ReadonlyMap<string, unknown>) {
    this.source = source
    this.#bytecode = bytecode
    this.variables = variables
  }
  get [Symbol.toStringTag](): string {
    return "GraphTraversal"
  }
  get bytecode(): Bytecode {
    return this.#bytecode
  }
  /** Continues the traversal itself, as TinkerPop does: all variables that hold it see the further steps. */
  continue(bytecode: Bytecode): this {
    this.#bytecode = bytecode
    this.isContinued = true
    return this
  }
  toString(): string {
    return translate(this.bytecode, this.source.name)
  }
}

/**
 * An object of the server in a script, such as a graph, JanusGraph's management or an index builder. The script can only call
 * the object's methods. The evaluator runs them.
 */
export class HostObject {
  /** The name of the type in messages, such as `graph` or `management`. */
  readonly type: string
  /** The methods that a script may call. */
  readonly methods: ReadonlySet<string>
  /** If the object is a graph: the source for its methods traversal(), vertices(), edges() and addVertex(). */
  readonly source: ScriptSource | undefined
  /** The object that the evaluator uses for this one. Scripts cannot access it. */
  readonly handle: unknown
  constructor(type: string, methods: ReadonlySet<string>, handle: unknown, source?: ScriptSource) {
    this.type = type
    this.methods = methods
    this.handle = handle
    this.source = source
  }
  get [Symbol.toStringTag](): string {
    return this.type
  }
  toString(): string {
    return this.type
  }
}

/** The result of `tx()`, whose methods control the transaction of a source or graph. */
export class TransactionControl {
  /** The source or graph on which the script called tx(). */
  readonly of: ScriptSource | HostObject
  constructor(of: ScriptSource | HostObject) {
    this.of = of
  }
  get [Symbol.toStringTag](): string {
    return "Transaction"
  }
}

/** An iterator in a script, such as the result of iterator(). */
export class ScriptIterator {
  readonly #values: readonly unknown[]
  #taken = 0
  constructor(values: readonly unknown[]) {
    this.#values = values
  }
  get [Symbol.toStringTag](): string {
    return "Iterator"
  }
  get hasNext(): boolean {
    return this.#taken < this.#values.length
  }
  next(): unknown {
    return this.#values[this.#taken++]
  }
  /** Takes and returns all remaining values. */
  rest(): unknown[] {
    const rest = this.#values.slice(this.#taken)
    this.#taken = this.#values.length
    return rest
  }
}

/** The result of tryNext(): a value, or no value. */
export class Optional extends Sized {
  /** Undefined if there is no value. */
  readonly value: unknown
  constructor(value: unknown) {
    super()
    this.value = value
  }
  get heldBytes(): number {
    return OPTIONAL_BYTES + (typeof this.value === "string" ? this.value.length : 0)
  }
  get [Symbol.toStringTag](): string {
    return "Optional"
  }
  override toString(): string {
    return this.value === undefined ? "Optional.empty" : `Optional[${beginningOf(this.value, MAX_TEXT_CHARS)}]`
  }
}

/** Approximate size of an {@link Optional} without its value. */
const OPTIONAL_BYTES = 64

/** Maximum length of the text of a value in an {@link Optional}: that of a string of a script. */
const MAX_TEXT_CHARS = 1_048_576

/**
 * The variables of a script: the bindings of requests, and the values that scripts assigned. A script may change a value that
 * it assigned. It must not change a binding, so the server copies a binding at its first use.
 */
export class ScriptVariables extends Map<string, unknown> {
  readonly #bindings = new Set<string>()
  /** The functions that scripts defined, by name: one for each number of parameters. */
  readonly functions = new Map<string, readonly ScriptClosure[]>()

  /** Binds a name to a value that scripts must not change. */
  bind(name: string, value: unknown): void {
    this.set(name, value)
    this.#bindings.add(name)
  }

  /** Returns whether the variable is a binding, and no script has assigned it since. */
  isBinding(name: string): boolean {
    return this.#bindings.has(name)
  }

  override set(name: string, value: unknown): this {
    this.#bindings.delete(name)
    return super.set(name, value)
  }

  override delete(name: string): boolean {
    this.#bindings.delete(name)
    return super.delete(name)
  }

  override clear(): void {
    this.#bindings.clear()
    this.functions.clear()
    super.clear()
  }
}

/** The environment of a script. A session keeps one scope for all its requests. */
export interface Scope {
  readonly variables: ScriptVariables
  /** Whether later scripts use the same variables. If so, collections are copied when a script returns them. */
  readonly isKept: boolean
  /** Traversal sources and graphs of the server by name. A variable with the same name takes precedence. */
  readonly globals: ReadonlyMap<string, unknown>
  /** The source for calls on an element, such as `v.addEdge(...)`: a source of the element's graph. */
  readonly sourceOf: (element: Element) => ScriptSource
  /** True if the source of elements hides a part of the graph, so that each read of an element is a traversal of its source. */
  readonly isFiltered?: boolean | undefined
  /** The methods that scripts may call on a class or its constants, by class name, such as `Mapping` or `Duration`. */
  readonly classes: ReadonlyMap<string, ReadonlySet<string>>
  /** Compiles regular expressions; undefined where scripts have none. */
  readonly patterns?: PatternCompiler | undefined
  /** Counts what the scripts of the request hold; undefined where nothing limits it. */
  readonly memory?: ScriptMemory | undefined
  /** The text of a graph or a source; undefined where they have none but their names. */
  readonly shown?: ((value: HostObject | ScriptSource) => string) | undefined
  /** True if the result of a script is sent to a client, which cannot have objects of the server. */
  readonly sendsResults?: boolean | undefined
  /**
   * Runs a traversal at once, for the rest of the time slice: the answer of the call, or a {@link BegunTraversal} if it needs more
   * time or waits. Throws the error of the traversal. Undefined where only the host may run traversals.
   */
  readonly traverse?: ((call: TraversalCall, slice: TimeSlice) => unknown) | undefined
  /** Takes what the script prints. Undefined: printed text is dropped. */
  readonly print?: ((text: string) => void) | undefined
}

/** A request to run a traversal. */
export type TraversalCall = Extract<HostCall, { readonly kind: "traversal" }>

/** A traversal that the host has begun and that is not done. A script asks the host to continue it, and gets the answer of its call. */
export class BegunTraversal {
  readonly kind = "begun"
  /** What the host continues. */
  readonly handle: unknown
  constructor(handle: unknown) {
    this.handle = handle
  }
}

/**
 * What the language asks the host about a graph before it runs a method of the graph itself: the name of a call of kind `method`.
 * Scripts cannot ask, because no graph lists these names among its methods.
 *
 * - `persistedByComputation`: "EDGES" or "VERTEX_PROPERTIES", what the graph of a computation has besides the vertices
 * - `assertClearable`: no answer; fails for a graph without clear()
 * - `fieldsOfIndex`: the fields of a mixed index, from its name and the kind of its elements
 */
export type GraphQuestion = "persistedByComputation" | "assertClearable" | "fieldsOfIndex"

/** A request of a running script to its host. The host passes the answer to `next()` of the {@link ScriptRun}. */
export type HostCall =
  /** Run a traversal. The answer depends on `want`: an array of results, nothing, or a TraversalExplanation. */
  | {
      readonly kind: "traversal"
      readonly source: ScriptSource
      /** Includes the instructions of the source. If possible, a cached script passes the same object in each run. */
      readonly bytecode: Bytecode
      readonly variables: ReadonlyMap<string, unknown>
      readonly want: "list" | "none" | "explain"
      /** Maximum number of results; undefined for all results. */
      readonly limit: number | undefined
    }
  /**
   * Control a transaction. The answer to `isOpen` is a boolean. The answer to `begin` is a ScriptSource, or nothing to use
   * the source of the call. The answer to `separate` is a HostObject. Other actions have no answer.
   */
  | {
      readonly kind: "transaction"
      readonly action: "begin" | "separate" | "commit" | "rollback" | "close" | "isOpen" | "readWrite"
      readonly of: ScriptSource | HostObject
    }
  /** Call a method. The answer is its return value. A method of a source asks for its graph, or for a type of the schema of it. */
  | {
      readonly kind: "method"
      readonly of: HostObject | ClassName | HostConstant | ScriptSource
      readonly name: string
      readonly args: readonly unknown[]
    }
  /** Continue a traversal. */
  | BegunTraversal
  /** Let other requests run, because the time slice of the script is over. Has no answer. */
  | { readonly kind: "pause" }

/** The answer to a call: a value that is available now, or a value that is available later. */
export type HostAnswer =
  | { readonly value: unknown; readonly later?: undefined }
  | {
      readonly later: Pending
      /** Returns the value. The host calls this when `later` is done. */
      readonly value?: () => unknown
      /** Returns further work to wait for when `later` or its further work is done; undefined if there is none. */
      readonly rest?: () => Pending | undefined
    }

/** A run of a script. It yields calls to the host, gets the answers from `next()`, and returns the last statement's value. */
export type ScriptRun = Generator<HostCall, unknown, unknown>
