import type { TimeSlice } from "../scheduling/TimeSlice.ts"
import type { Element } from "../structure/elements/Element.ts"
import type { TraversalCall } from "./HostCall.ts"
import type { ScriptClosure } from "./ScriptClosure.ts"
import type { HostObject, ScriptSource } from "./ScriptObjects.ts"
import type { ScriptMemory } from "./script/budget/ScriptMemory.ts"
import type { PatternCompiler } from "./script/values/Patterns.ts"

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
   * Runs a traversal at once, for the rest of the time slice: the answer of the call, or a BegunTraversal if it needs more
   * time or waits. Throws the error of the traversal. Undefined where only the host may run traversals.
   */
  readonly traverse?: ((call: TraversalCall, slice: TimeSlice) => unknown) | undefined
  /** Takes what the script prints. Undefined: printed text is dropped. */
  readonly print?: ((text: string) => void) | undefined
}
