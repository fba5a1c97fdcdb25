import type { Value } from "../../conformance/Value.ts"
import type { Type } from "../generate/Types.ts"

/** A property key of a graph: the elements that have it, the type of its values, and samples of its values. */
export interface Key {
  readonly name: string
  readonly on: "vertex" | "edge" | "vertexProperty"
  readonly type: Type
  readonly samples: ReadonlyArray<Value>
}

/** The description of a graph for the generator. */
export interface Model {
  /** Name of the traversal source. */
  readonly source: string
  /** Scripts that fill the empty graph. Empty for a graph that the configuration of the servers fills. */
  readonly build: ReadonlyArray<string>
  /** True if cases change the graph. It is then filled again before each case. */
  readonly writable: boolean
  readonly vertexIds: ReadonlyArray<Value>
  readonly edgeIds: ReadonlyArray<Value>
  readonly vertexLabels: ReadonlyArray<string>
  readonly edgeLabels: ReadonlyArray<string>
  readonly keys: ReadonlyArray<Key>
}
