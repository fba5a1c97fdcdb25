import type { Bytecode, Instruction } from "../process/language/Bytecode.ts"
import type { Pending } from "../scheduling/Pending.ts"
import type { ClassName } from "../structure/Temporal.ts"
import { translate } from "./Translator.ts"

/** A traversal source as a script holds it: the server's source of this name, with instructions of its own. */
export class TraversalSource {
  /** The name it is bound to on the server, such as `g`. */
  readonly name: string
  readonly instructions: readonly Instruction[]
  /** The transaction it belongs to when it came from `tx().begin()`; the host's own object. */
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

/** A traversal that a script holds and that has not run, with the values of its variables at the time it was made. */
export class ScriptTraversal {
  readonly source: TraversalSource
  readonly bytecode: Bytecode
  readonly variables: ReadonlyMap<string, unknown>
  /** Its results, once the script has taken one by one from it, and how many of them are taken. */
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
 * An object of the server in the hands of a script: a graph, JanusGraph's management, an index being built. The script
 * can call its methods and nothing else; the evaluator runs them.
 */
export class HostObject {
  /** What it is, for messages: `graph`, `management`. */
  readonly type: string
  /** Names that may be called on it. */
  readonly methods: ReadonlySet<string>
  /** For a graph its traversal source: serves traversal(), vertices(), edges() and addVertex(). */
  readonly source: TraversalSource | undefined
  /** The evaluator's own. */
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

/** A constant of a class that only the host knows: `Multiplicity.MULTI`, `SchemaAction.REINDEX`. */
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

/** `g.tx()`: the transaction control of a source or graph. */
export class TransactionControl {
  readonly of: TraversalSource | HostObject
  constructor(of: TraversalSource | HostObject) {
    this.of = of
  }
}

/** An iterator a script goes through by hand. */
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
  /** What is left; it is taken by this. */
  rest(): unknown[] {
    const rest = this.#values.slice(this.#taken)
    this.#taken = this.#values.length
    return rest
  }
}

/** What tryNext() gives: a value or none. */
export class Optional {
  /** Undefined when there is none. */
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/**
 * The variables of a script: bindings of requests, and what scripts assigned. What a script assigned is its own to change; what
 * was given to it belongs to the request, and is copied when a script first uses it.
 */
export class ScriptVariables extends Map<string, unknown> {
  readonly #given = new Set<string>()

  /** Binds a name to a value that scripts must not change. */
  give(name: string, value: unknown): void {
    this.set(name, value)
    this.#given.add(name)
  }

  /** True for a value that was given and not assigned since. */
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

/** What a script runs in. A session keeps one scope for all its requests. */
export interface Scope {
  readonly variables: ScriptVariables
  /** True where later scripts have the variables, too: results that are collections leave as copies. */
  readonly isKept: boolean
  /** What the server binds: traversal sources and graphs by name. A variable of the same name hides one. */
  readonly globals: ReadonlyMap<string, unknown>
  /** Source for what a script does with elements directly, such as `v.addEdge(...)`. */
  readonly source: TraversalSource
  /** Methods that scripts may call on classes and their constants, by class name: ManagementSystem, Mapping, Duration. */
  readonly classes: ReadonlyMap<string, ReadonlySet<string>>
}

/** What a running script asks of its host. The generator's next() gets the answer. */
export type HostCall =
  /** Run a traversal. Answer: its results as an array; for `none` nothing; for `explain` a TraversalExplanation. */
  | {
      readonly kind: "traversal"
      readonly source: TraversalSource
      /** With the source's own instructions in front. The same object at each run of a cached script where it can be. */
      readonly bytecode: Bytecode
      readonly variables: ReadonlyMap<string, unknown>
      readonly want: "list" | "none" | "explain"
      /** How many results are wanted at most; undefined for all. */
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
  /** Nothing is asked: the script has calculated for some milliseconds, others may run now. */
  | { readonly kind: "pause" }

/** What a call gives: a value, or one that is there later. */
export type HostAnswer =
  | { readonly value: unknown; readonly later?: undefined }
  | {
      readonly later: Pending
      readonly value?: () => unknown
      /** Asked when `later` is done: what else is to be waited for, which goes on by itself. Undefined when nothing is. */
      readonly rest?: () => Pending | undefined
    }

/** A run of a script: give next() the answer to each call until it is done. The value is the last statement's. */
export type Evaluation = Generator<HostCall, unknown, unknown>
