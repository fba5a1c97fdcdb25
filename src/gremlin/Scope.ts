import type { Bytecode, Instruction } from "../process/language/Bytecode.ts"
import type { Pending } from "../scheduling/Pending.ts"
import type { ClassName } from "../structure/Temporal.ts"
import { translate } from "./Translator.ts"

/** A traversal source in a script: the server's source of this name, with more instructions. */
export class TraversalSource {
  /** The name of the source on the server, such as `g`. */
  readonly name: string
  readonly instructions: readonly Instruction[]
  /** The transaction of a source that `tx().begin()` gave: an object of the host. */
  readonly transaction: unknown
  constructor(name: string, instructions: readonly Instruction[] = [], transaction?: unknown) {
    this.name = name
    this.instructions = instructions
    this.transaction = transaction
  }
  toString(): string {
    return `graphtraversalsource[${this.name}]`
  }
}

/** A traversal in a script that has not run, with the values that its variables had when it was created. */
export class ScriptTraversal {
  readonly source: TraversalSource
  readonly bytecode: Bytecode
  readonly variables: ReadonlyMap<string, unknown>
  /** The results, after the script has asked for one of them, and the number of results that it has taken. */
  results: readonly unknown[] | undefined
  taken = 0
  constructor(source: TraversalSource, bytecode: Bytecode, variables: ReadonlyMap<string, unknown>) {
    this.source = source
    this.bytecode = bytecode
    this.variables = variables
  }
  toString(): string {
    return translate(this.bytecode, this.source.name)
  }
}

/**
 * An object of the server in a script: a graph, JanusGraph's management, an index builder. The script can only call its
 * methods; the evaluator runs them.
 */
export class HostObject {
  /** The type in messages: `graph`, `management`. */
  readonly type: string
  /** Names of its methods. */
  readonly methods: ReadonlySet<string>
  /** The traversal source of a graph, for traversal(), vertices(), edges() and addVertex(). */
  readonly source: TraversalSource | undefined
  /** The evaluator's object. */
  readonly handle: unknown
  constructor(type: string, methods: ReadonlySet<string>, handle: unknown, source?: TraversalSource) {
    this.type = type
    this.methods = methods
    this.handle = handle
    this.source = source
  }
  toString(): string {
    return this.type
  }
}

/** A constant of a class that the host defines: `Multiplicity.MULTI`, `SchemaAction.REINDEX`. */
export class HostConstant {
  readonly className: string
  readonly name: string
  constructor(className: string, name: string) {
    this.className = className
    this.name = name
  }
  toString(): string {
    return this.name
  }
}

/** The result of `g.tx()`: controls the transaction of a source or graph. */
export class TransactionControl {
  readonly of: TraversalSource | HostObject
  constructor(of: TraversalSource | HostObject) {
    this.of = of
  }
}

/** An iterator in a script. */
export class ScriptIterator {
  readonly #values: readonly unknown[]
  #taken = 0
  constructor(values: readonly unknown[]) {
    this.#values = values
  }
  get hasNext(): boolean {
    return this.#taken < this.#values.length
  }
  next(): unknown {
    return this.#values[this.#taken++]
  }
  /** Takes all values that are left. */
  rest(): unknown[] {
    const rest = this.#values.slice(this.#taken)
    this.#taken = this.#values.length
    return rest
  }
}

/** The result of tryNext(): a value or none. */
export class Optional {
  /** Undefined when there is none. */
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/**
 * The variables of a script: bindings of requests, and assigned values. A script may change the values that it assigned. Bindings
 * belong to the request and are copied when a script first uses them.
 */
export class ScriptVariables extends Map<string, unknown> {
  readonly #given = new Set<string>()

  /** Binds a name to a value that scripts must not change. */
  give(name: string, value: unknown): void {
    this.set(name, value)
    this.#given.add(name)
  }

  /** True for a binding that no script has assigned since. */
  isGiven(name: string): boolean {
    return this.#given.has(name)
  }

  override set(name: string, value: unknown): this {
    this.#given.delete(name)
    return super.set(name, value)
  }

  override delete(name: string): boolean {
    this.#given.delete(name)
    return super.delete(name)
  }

  override clear(): void {
    this.#given.clear()
    super.clear()
  }
}

/** The environment of a script. A session keeps one scope for all its requests. */
export interface Scope {
  readonly variables: ScriptVariables
  /** True when later scripts use the same variables. Then results that are collections are copied. */
  readonly isKept: boolean
  /** Traversal sources and graphs of the server by name. A variable of the same name hides one. */
  readonly globals: ReadonlyMap<string, unknown>
  /** The source for calls on elements, such as `v.addEdge(...)`. */
  readonly source: TraversalSource
  /** Methods that scripts may call on classes and their constants, by class name: ManagementSystem, Mapping, Duration. */
  readonly classes: ReadonlyMap<string, ReadonlySet<string>>
}

/** A request of a running script to its host. The host passes the answer to the generator's next(). */
export type HostCall =
  /** Run a traversal. Answer: its results as an array; for `none` nothing; for `explain` a TraversalExplanation. */
  | {
      readonly kind: "traversal"
      readonly source: TraversalSource
      /** Includes the instructions of the source. A cached script passes the same object in each run when possible. */
      readonly bytecode: Bytecode
      readonly variables: ReadonlyMap<string, unknown>
      readonly want: "list" | "none" | "explain"
      /** The largest number of results; undefined for all. */
      readonly limit: number | undefined
    }
  /** Answer: of `isOpen` a boolean, of `begin` a TraversalSource (or nothing: the one it was called on), else nothing. */
  | {
      readonly kind: "transaction"
      readonly action: "begin" | "commit" | "rollback" | "close" | "isOpen"
      readonly of: TraversalSource | HostObject
    }
  /** Call a method. Answer: its value. */
  | {
      readonly kind: "method"
      readonly of: HostObject | ClassName | HostConstant
      readonly name: string
      readonly args: readonly unknown[]
    }
  /** No request: the script has calculated for some milliseconds and lets other requests run. */
  | { readonly kind: "pause" }

/** The answer to a call: a value, or one that is available later. */
export type HostAnswer =
  | { readonly value: unknown; readonly later?: undefined }
  | {
      readonly later: Pending
      readonly value?: () => unknown
      /** Called when `later` is done: further work that the host must wait for. Undefined when there is none. */
      readonly rest?: () => Pending | undefined
    }

/** A run of a script: next() gets the answer to each call until the generator is done. The result is the last statement's value. */
export type Evaluation = Generator<HostCall, unknown, unknown>
