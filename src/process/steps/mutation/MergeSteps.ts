import type { Task } from "../../../scheduling/Task.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { Vertex } from "../../../structure/elements/Element.ts"
import { Direction, type EnumValue, Merge, T } from "../../../structure/scalars/Enums.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { nameOf } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { answered } from "../../machine/StepTasks.ts"
import type { Activation, ChildResult } from "../../plan/Activation.ts"
import { Batch, carry, VALUE } from "../../plan/Batch.ts"
import { checkEntries } from "../../plan/MapEntries.ts"
import { everyArgument, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import type { Traversal } from "../../plan/Step.ts"
import type { ArgumentColumn } from "../shared/StepArgument.ts"
import { checkedId } from "../shared/StoredValues.ts"
import { MergeStep } from "./MergeStep.ts"

class MergeVertexStep extends MergeStep {
  readonly operator = "mergeV"
  protected readonly element = "vertex"
  protected accepts(token: EnumValue): boolean {
    return token === Merge.onCreate || token === Merge.onMatch
  }
  // biome-ignore lint/correctness/useYield: resolve() of mergeE() runs children
  protected *resolve(map: GremlinMap): Task<GremlinMap> {
    return map
  }
  protected *create(map: GremlinMap, activation: Activation): Task<number> {
    const { transaction } = activation
    const label = map.has(T.label) ? (map.get(T.label) as string) : "vertex"
    const id = checkedId(map.get(T.id))
    const freeing = transaction.freeIdTask(id)
    if (freeing !== undefined) yield* freeing
    const ref = transaction.addVertex(label, id)
    yield* this.writeAll(transaction.vertex(ref), map, activation)
    return ref
  }
}

class MergeEdgeStep extends MergeStep {
  readonly operator = "mergeE"
  protected readonly element = "edge"
  #vertexSearch: Traversal | null = null
  protected accepts(_token: EnumValue): boolean {
    return true
  }
  get #vertices(): Traversal {
    this.#vertexSearch ??= this.searchFor("vertex")
    return this.#vertexSearch
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return [...super.localChildren(), this.#vertices]
  }

  protected *resolve(map: GremlinMap, row: Batch, activation: Activation): Task<GremlinMap> {
    const half = yield* this.#end(map, Direction.OUT, Merge.outV, row, activation)
    return yield* this.#end(half, Direction.IN, Merge.inV, row, activation)
  }

  *#end(map: GremlinMap, direction: EnumValue, token: EnumValue, row: Batch, activation: Activation): Task<GremlinMap> {
    const value = map.get(direction)
    if (value instanceof Vertex) return new GremlinMap(map).set(direction, value.id)
    if (value !== token) return map
    const argument = this.options.get(token)
    if (argument === undefined) {
      throw new TraversalError(`option(${token.name}) must be specified if it is used for ${direction.name}`)
    }
    const column = yield* answered<ArgumentColumn>((done) => argument.evaluate(row, activation, done))
    return new GremlinMap(map).set(direction, yield* this.#endId(column(0), row, activation))
  }

  *#endId(end: unknown, row: Batch, activation: Activation): Task<unknown> {
    if (end instanceof Vertex) return end.id
    if (!(end instanceof GremlinMap)) {
      throw new TraversalError(`Vertex could not be resolved from mergeE: ${nameOf(end)}`)
    }
    checkEntries(end, "mergeE()")
    const maps = carry(row, null, new Batch(VALUE, [end], 1))
    const { found, values } = yield* answered<ChildResult>((done) =>
      activation.invoke(planOf(this.#vertices), maps, "first", done)
    )
    if (found[0] === 0)
      throw new TraversalError("Vertex could not be resolved from mergeE: no vertex meets the option's map")
    return (values[0] as Vertex).id
  }

  override *askEnds(batch: Batch, activation: Activation): Task {
    for (const token of [Merge.outV, Merge.inV]) {
      const argument = this.options.get(token)
      if (argument === undefined) continue
      const column = yield* answered<ArgumentColumn>((done) => argument.evaluate(batch, activation, done))
      const rows = Array.from({ length: batch.length }, (_, row) => row).filter(
        (row) => column(row) instanceof GremlinMap
      )
      if (rows.length === 0) continue
      const maps = carry(batch, rows, new Batch(VALUE, rows.map(column), rows.length))
      yield* answered<ChildResult>((done) => activation.invoke(planOf(this.#vertices), maps, "first", done))
    }
  }

  protected *create(map: GremlinMap, activation: Activation): Task<number> {
    const { transaction } = activation
    if (!map.has(Direction.OUT))
      throw new TraversalError("Out Vertex not specified in onCreate - edge cannot be created")
    if (!map.has(Direction.IN)) throw new TraversalError("In Vertex not specified in onCreate - edge cannot be created")
    const out = vertexOf(map.get(Direction.OUT), activation)
    const into = vertexOf(map.get(Direction.IN), activation)
    const label = map.has(T.label) ? (map.get(T.label) as string) : "edge"
    const ref = transaction.addEdge(out, label, into, checkedId(map.get(T.id)))
    yield* this.writeAll(transaction.edge(ref), map, activation)
    return ref
  }
}

const vertexOf = (id: unknown, activation: Activation): number => {
  const ref = activation.transaction.vertexRef(id)
  if (ref === -1) throw new TraversalError(`Vertex id could not be resolved from mergeE: ${briefText(id)}`)
  return ref
}

/** The operators mergeV() and mergeE(). */
export const mergeSteps: Operators = {
  mergeV: stepOperator(everyArgument, (args, compiler) => new MergeVertexStep("MergeVertexStep", args, compiler)),
  mergeE: stepOperator(everyArgument, (args, compiler) => new MergeEdgeStep("MergeEdgeStep", args, compiler))
}
