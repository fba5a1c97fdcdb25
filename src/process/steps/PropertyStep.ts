import { Edge, isElement, Property, Vertex, VertexProperty } from "../../structure/Element.ts"
import type { Reads, RefColumn } from "../../structure/GraphStore.ts"
import type { Activation } from "../Activation.ts"
import { type Batch, VERTEX } from "../Batch.ts"
import { readsOf } from "../By.ts"
import type { Compiler, StepBuilder } from "../Compiler.ts"
import { TraversalError } from "../Errors.ts"
import { elementExpected } from "../Expansions.ts"
import { type PropertyWrite, propertyWrites, withMeta, writeProperties } from "../PropertyWrites.ts"
import { type Needs, Step } from "../Step.ts"
import { argumentChildren, evaluateArguments, replaceArgument } from "../StepArgument.ts"
import type { Traversal } from "../Traversal.ts"
import { AddElementStep } from "./AddSteps.ts"

/** property(): sets a property of each element that comes by. */
export class PropertyStep extends Step {
  readonly operator = "property"
  readonly name = "AddPropertyStep"
  override readonly keepsObject = true
  writes: ReadonlyArray<PropertyWrite>
  constructor(args: readonly unknown[], compiler: Compiler) {
    super()
    this.writes = propertyWrites(args, this, compiler)
  }
  /** with() is configuration for the graph: accepted, and nothing here asks for it. */
  override modulate(operator: string, args: readonly unknown[], compiler: Compiler): void {
    if (operator !== "with") super.modulate(operator, args, compiler)
  }

  /** Gives each property that is written a meta-property (PartitionStrategy). */
  addMeta(key: string, value: string, compiler: Compiler): void {
    this.writes = this.writes.map((write) => withMeta(write, key, value, this, compiler))
  }
  get #arguments() {
    return this.writes.flatMap((write) => write.arguments)
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return argumentChildren(this.#arguments)
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    replaceArgument(this.#arguments, from, to)
  }
  override readonly mutates = true
  override require(needs: Needs): void {
    needs.writes = true
    needs.sequential = true
  }
  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, null)
  }
  override run(batch: Batch, activation: Activation): undefined {
    evaluateArguments(this.#arguments, batch, activation, (columns) => {
      const { transaction } = activation
      for (let row = 0; row < batch.length; row++) {
        const element = batch.value(row, transaction)
        if (!isElement(element)) throw elementExpected(element, "property")
        writeProperties(this.writes, columns, row, element, transaction, false)
      }
      activation.pass(this, batch)
    })
  }
}

/** drop(): removes elements and properties; nothing comes out. */
class DropStep extends Step {
  readonly operator = "drop"
  readonly name = "DropStep"
  override readonly keepsObject = true
  override readonly mutates = true
  override require(needs: Needs): void {
    needs.writes = true
  }
  override reads(batch: Batch): readonly Reads[] {
    if (batch.kind !== VERTEX) return readsOf(batch, null)
    const refs = batch.data as RefColumn
    return [
      { kind: "vertex", refs, length: batch.length, keys: null },
      { kind: "adjacent", refs, length: batch.length, direction: "BOTH", labels: null, edges: true }
    ]
  }
  override run(batch: Batch, activation: Activation): undefined {
    const { transaction } = activation
    for (let row = 0; row < batch.length; row++) {
      const value = batch.value(row, transaction)
      if (value instanceof Vertex) {
        const ref = value.source === transaction ? value.ref : transaction.refOfVertex(value)
        if (ref !== -1 && transaction.hasVertex(ref)) transaction.removeVertex(ref)
      } else if (value instanceof Edge) {
        const ref = value.source === transaction ? value.ref : transaction.refOfEdge(value)
        if (ref !== -1 && transaction.hasEdge(ref)) transaction.removeEdge(ref)
      } else if (value instanceof VertexProperty) transaction.removeVertexProperty(value)
      else if (value instanceof Property) transaction.removeProperty(value)
      else throw new TraversalError("The incoming object is not removable: drop() takes elements and properties")
    }
  }
}

export const propertySteps: Readonly<Record<string, StepBuilder>> = {
  property: (args, compiler, traversal) => {
    const { last } = traversal
    if (last instanceof AddElementStep && last.take(args, compiler)) return null
    return new PropertyStep(args, compiler)
  },
  drop: () => new DropStep()
}
