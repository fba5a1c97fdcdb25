import { Edge } from "../../../structure/elements/Element.ts"
import { GraphCopy } from "../../../structure/graph/GraphCopy.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { nameOf, stringArgument } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { edgeRefs } from "../../machine/Expansions.ts"
import { elementReads } from "../../machine/Reads.ts"
import { flushTask, passTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { type Batch, EDGE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step } from "../../plan/Step.ts"
import { accumulating } from "../../plan/StepTraits.ts"

const traits = accumulating("none")

/** subgraph(key): copies incoming edges and their vertices into a graph, which is a side effect. */
class SubgraphStep extends Step {
  readonly operator = "subgraph"
  readonly name = "SubgraphStep"
  readonly traits = traits
  readonly key: string

  constructor(key: string, compiler: PlanBuilder) {
    super()
    this.key = key
    compiler.sideEffect(key, () => new GraphCopy())
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    if (batch.kind !== EDGE) return elementReads(batch, activation.transaction)
    const { transaction } = activation
    const edges = edgeRefs(batch, activation, this.operator)
    const ends = transaction.newRefs(batch.length * 2)
    for (let i = 0; i < batch.length; i++) {
      ends[2 * i] = transaction.edgeOutRef(edges[i]!)
      ends[2 * i + 1] = transaction.edgeInRef(edges[i]!)
    }
    return [
      { kind: "edge", refs: edges, length: batch.length, keys: null },
      { kind: "vertex", refs: ends, length: ends.length, keys: null }
    ]
  }

  override run(batch: Batch, activation: Activation): undefined {
    const copy = activation.run.sideEffects.look(this.key)
    if (!(copy instanceof GraphCopy)) {
      throw new TraversalError(`The side effect ${this.key} of subgraph() is not a graph: use another side-effect key`)
    }
    for (let row = 0; row < batch.length; row++) {
      const element = batch.value(row, activation.transaction)
      if (element instanceof Edge) copy.addEdge(element)
      else
        throw new TraversalError(
          `subgraph() collects edges, but the traverser is at ${nameOf(element)}: put outE() before subgraph()`
        )
    }
    activation.run.hold(batch.length * 256)
    activation.group(this, batch.loops).cells.push(batch)
  }

  /** Emits no traverser before all edges are collected. */
  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => passTask(this, group.cells as ReadonlyArray<Batch>, activation))
  }

  override describe(): string {
    return this.key
  }
}

/** The operator subgraph(). */
export const subgraphSteps: Operators = {
  subgraph: stepOperator(
    noParameters,
    (args, compiler) => new SubgraphStep(stringArgument("subgraph", args[0], "side-effect key"), compiler)
  )
}
