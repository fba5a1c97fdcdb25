import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Property, Ref, VertexProperty } from "../elements/Element.ts"
import type { EnumValue } from "../scalars/Enums.ts"

/** Id and meta-properties of a new vertex property, where it has any. */
export interface VertexPropertyOptions {
  /** Undefined = the store allocates an id. */
  readonly id?: unknown
  readonly meta?: ReadonlyMap<string, unknown> | null
}

/**
 * Changes the graph. An id of undefined means that the store allocates one. The store keeps the values that it gets: the caller
 * must not change them later. Errors: ElementExists, ElementNotFound, UnsupportedValue, ReadOnlyTransaction, MemoryLimitExceeded
 * (structure/errors/StoreErrors.ts).
 */
export interface GraphWrites {
  /**
   * A task before {@link GraphWrites.addVertex} of an id that a client gives: it removes an expired vertex of this id, which may have very
   * many edges. Undefined if there is none. Without it, addVertex removes the vertex in one turn.
   */
  freeIdTask(id: unknown): Task | undefined
  addVertex(label: string, id: unknown): Ref
  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref
  /**
   * Cardinality null = the graph's default for the key. Returns the property as it is now: the one with the equal value if the key is
   * of SET. Its id is null if the vertex does not have it after the call, because the value is null or the schema ignores the key.
   */
  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    options?: VertexPropertyOptions
  ): VertexProperty
  /** Returns the property with its meta-properties as they are now. */
  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty
  /** Returns the property as it is now. Its element is null if the edge does not have it after the call, for the same reasons. */
  setEdgeProperty(ref: Ref, key: string, value: unknown): Property
  /** Removes a vertex with its edges. */
  removeVertex(ref: Ref): void
  /** {@link GraphWrites.removeVertex} as a task, for a vertex that may have very many edges. */
  removeVertexTask(ref: Ref, slice: TimeSlice): Task
  removeEdge(ref: Ref): void
  removeVertexProperty(property: VertexProperty): void
  /** Removes a property of an edge, or a meta-property. */
  removeProperty(property: Property): void
}
