import type { Bytecode, Instruction } from "../process/language/Bytecode.ts"
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
