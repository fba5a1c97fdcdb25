import { GremlinMap } from "../../structure/Collections.ts"
import { Vertex } from "../../structure/Element.ts"
import { Direction, type EnumValue, Merge, T } from "../../structure/Enums.ts"
import type { Activation } from "../Activation.ts"
import { nameOf } from "../Arguments.ts"
import { Batch, carry, VALUE } from "../Batch.ts"
import type { StepBuilder } from "../Compiler.ts"
import { TraversalError } from "../Errors.ts"
import { planOf } from "../Plan.ts"
import type { Traversal } from "../Traversal.ts"
import { MergeStep } from "./MergeStep.ts"

class MergeVertexStep extends MergeStep {
  readonly operator = "mergeV"
  protected readonly element = "vertex"
  protected accepts(token: EnumValue): boolean {
    return token === Merge.onCreate || token === Merge.onMatch
  }
  protected resolve(map: GremlinMap, _row: Batch, _activation: Activation, done: (map: GremlinMap) => void): void {
    done(map)
  }
  protected create(map: GremlinMap, activation: Activation): number {
    const { transaction } = activation
    const label = map.has(T.label) ? (map.get(T.label) as string) : "vertex"
    const ref = transaction.addVertex(label, map.get(T.id))
    this.writeAll(transaction.vertex(ref), map, activation)
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

  protected resolve(map: GremlinMap, row: Batch, activation: Activation, done: (map: GremlinMap) => void): void {
    this.#end(map, Direction.OUT, Merge.outV, row, activation, (half) => {
      this.#end(half, Direction.IN, Merge.inV, row, activation, done)
    })
  }

  #end(
    map: GremlinMap,
    direction: EnumValue,
    token: EnumValue,
    row: Batch,
    activation: Activation,
    done: (map: GremlinMap) => void
  ): void {
    const value = map.get(direction)
    const put = (id: unknown): void => done(new GremlinMap(map).set(direction, id))
    if (value instanceof Vertex) put(value.id)
    else if (value !== token) done(map)
    else {
      const argument = this.options.get(token)
      if (argument === undefined) {
        throw new TraversalError(`option(${token.name}) must be specified if it is used for ${direction.name}`)
      }
      argument.evaluate(row, activation, (column) => {
        const end = column(0)
        if (end instanceof Vertex) put(end.id)
        else if (end instanceof GremlinMap) this.#searchEnd(end, row, activation, put)
        else throw new TraversalError(`Vertex could not be resolved from mergeE: ${nameOf(end)}`)
      })
    }
  }

  override askEnds(batch: Batch, activation: Activation, done: () => void): void {
    const ask = (tokens: ReadonlyArray<EnumValue>): void => {
      const [token, ...others] = tokens
      const argument = token === undefined ? undefined : this.options.get(token)
      if (token === undefined) done()
      else if (argument === undefined) ask(others)
      else {
        argument.evaluate(batch, activation, (column) => {
          const rows = Array.from({ length: batch.length }, (_, row) => row).filter(
            (row) => column(row) instanceof GremlinMap
          )
          const maps = carry(batch, rows, new Batch(VALUE, rows.map(column), rows.length))
          if (rows.length === 0) ask(others)
          else activation.invoke(planOf(this.#vertices), maps, "first", () => ask(others))
        })
      }
    }
    ask([Merge.outV, Merge.inV])
  }

  #searchEnd(criteria: GremlinMap, row: Batch, activation: Activation, done: (id: unknown) => void): void {
    const maps = carry(row, null, new Batch(VALUE, [criteria], 1))
    activation.invoke(planOf(this.#vertices), maps, "first", ({ found, values }) => {
      if (found[0] === 0)
        throw new TraversalError("Vertex could not be resolved from mergeE: no vertex meets the option's map")
      done((values[0] as Vertex).id)
    })
  }

  protected create(map: GremlinMap, activation: Activation): number {
    const { transaction } = activation
    if (!map.has(Direction.OUT))
      throw new TraversalError("Out Vertex not specified in onCreate - edge cannot be created")
    if (!map.has(Direction.IN)) throw new TraversalError("In Vertex not specified in onCreate - edge cannot be created")
    const out = vertexOf(map.get(Direction.OUT), activation)
    const into = vertexOf(map.get(Direction.IN), activation)
    const label = map.has(T.label) ? (map.get(T.label) as string) : "edge"
    const ref = transaction.addEdge(out, label, into, map.get(T.id))
    this.writeAll(transaction.edge(ref), map, activation)
    return ref
  }
}

const vertexOf = (id: unknown, activation: Activation): number => {
  const ref = activation.transaction.vertexRef(id)
  if (ref === -1) throw new TraversalError(`Vertex id could not be resolved from mergeE: ${String(id)}`)
  return ref
}

export const mergeSteps: Readonly<Record<string, StepBuilder>> = {
  mergeV: (args, compiler) => new MergeVertexStep("MergeVertexStep", args, compiler),
  mergeE: (args, compiler) => new MergeEdgeStep("MergeEdgeStep", args, compiler)
}
