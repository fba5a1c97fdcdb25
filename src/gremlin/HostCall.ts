import type { Bytecode } from "../process/language/Bytecode.ts"
import type { Pending } from "../scheduling/Pending.ts"
import type { HostConstant } from "../structure/collections/HostConstant.ts"
import type { ClassName } from "../structure/scalars/ClassNames.ts"
import type { HostObject, ScriptSource } from "./ScriptObjects.ts"

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
