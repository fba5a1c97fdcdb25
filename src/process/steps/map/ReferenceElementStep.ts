import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { Detached, Edge, Property, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import { Path } from "../../../structure/elements/Path.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { elementReads, endReads } from "../../machine/Reads.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { scalar } from "../../plan/StepTraits.ts"
import { setOf } from "../../scalars/Lists.ts"
import { readsOf } from "../shared/By.ts"

/** Replaces elements by copies with their id and label only, also inside of collections and paths (ReferenceElementStrategy). */
export class ReferenceElementStep extends Step {
  readonly operator = "reference"
  readonly name = "ReferenceElementStep"
  readonly traits = scalar

  override reads(batch: Batch, { transaction }: Activation): readonly Reads[] {
    if (batch.kind === VALUE) return elementReads(batch, transaction)
    const reads = readsOf(batch, [])
    const ends = reads.flatMap((read) => (read.kind === "edge" ? [endReads(read.refs, read.length, transaction)] : []))
    return [...reads, ...ends]
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#referenced(batch, activation))
  }

  *#referenced(batch: Batch, activation: Activation): Task {
    const references = new References(activation.slice)
    const values: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      const value = batch.value(row, activation.transaction)
      // A side effect that the traverser has read does not grow while it is copied.
      activation.run.sideEffects.takes(value)
      values.push(isCompound(value) ? yield* references.copied(value) : references.of(value))
      if (activation.slice.isOver()) yield
    }
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }
}

type Compound = readonly unknown[] | GremlinMap | GremlinSet | BulkSet | MapEntry | Path | Tree

const isCompound = (value: unknown): value is Compound =>
  Array.isArray(value) ||
  value instanceof GremlinMap ||
  value instanceof GremlinSet ||
  value instanceof BulkSet ||
  value instanceof MapEntry ||
  value instanceof Path ||
  value instanceof Tree

/** The copies of the elements of one batch. */
class References {
  readonly #elements = new Detached()
  readonly #slice: TimeSlice
  #copied = 0

  constructor(slice: TimeSlice) {
    this.#slice = slice
  }

  /** The copy of an element. Any other value is returned as it is. */
  of(value: unknown): unknown {
    if (value instanceof Vertex) return this.#vertex(value)
    if (value instanceof Edge) return this.#edge(value)
    if (value instanceof VertexProperty) return this.#vertexProperty(value)
    if (!(value instanceof Property)) return value
    const { element, key } = value
    const owner = element instanceof Edge ? this.#edge(element) : element && this.#vertexProperty(element)
    return new Property(owner, key, value.value)
  }

  #vertex({ id, label }: Vertex): Vertex {
    return this.#elements.addVertex(id, label)
  }

  #edge({ id, inVertex, label, outVertex }: Edge): Edge {
    return this.#elements.addEdge(id, label, this.#vertex(outVertex), this.#vertex(inVertex))
  }

  #vertexProperty({ id, key, value, vertex }: VertexProperty): VertexProperty {
    return new VertexProperty(vertex && this.#vertex(vertex), id, key, value, null)
  }

  /** The copy of a collection or a path with copies of its elements. */
  *copied(value: Compound): Task<unknown> {
    if (value instanceof Path) return new Path(yield* this.#list(value.objects), value.labels)
    if (value instanceof MapEntry) return new MapEntry(yield* this.#member(value.key), yield* this.#member(value.value))
    if (value instanceof Tree) return new Tree(yield* this.#map(value.children))
    if (value instanceof GremlinMap) return yield* this.#map(value)
    if (value instanceof GremlinSet) return yield* setOf(this.#slice, yield* this.#list(value))
    if (!(value instanceof BulkSet)) return yield* this.#list(value)
    const set = new BulkSet()
    for (const [member, count] of value.entries()) set.add(yield* this.#member(member), count)
    return set
  }

  *#member(value: unknown): Task<unknown> {
    if (isCompound(value)) return yield* this.copied(value)
    if (this.#slice.isOverAfter(++this.#copied)) yield
    return this.of(value)
  }

  *#list(values: Iterable<unknown>): Task<Array<unknown>> {
    const list: Array<unknown> = []
    for (const value of values) list.push(yield* this.#member(value))
    return list
  }

  *#map(entries: GremlinMap): Task<GremlinMap> {
    const map = new GremlinMap()
    for (const [key, value] of entries) map.set(yield* this.#member(key), yield* this.#member(value))
    return map
  }
}
