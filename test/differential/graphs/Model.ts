import type { Value } from "../../conformance/Value.ts"
import type { Type } from "../generate/Types.ts"

/** A property key of a graph: what has it, of which type its values are, and some that are there. */
export interface Key {
  readonly name: string
  readonly on: "vertex" | "edge" | "vertexProperty"
  readonly type: Type
  readonly samples: ReadonlyArray<Value>
}

/** What the generator knows of a graph. */
export interface Model {
  /** Name of the traversal source. */
  readonly source: string
  /** Scripts that fill the empty graph; none for a graph that the servers' configuration fills. */
  readonly build: ReadonlyArray<string>
  /** Whether cases change it: it is filled anew before each. */
  readonly writable: boolean
  readonly vertexIds: ReadonlyArray<Value>
  readonly edgeIds: ReadonlyArray<Value>
  readonly vertexLabels: ReadonlyArray<string>
  readonly edgeLabels: ReadonlyArray<string>
  readonly keys: ReadonlyArray<Key>
}
