import type { Activation } from "../../plan/Activation.ts"
import { Batch, carry, PathNode } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { internal } from "../../plan/StepTraits.ts"

/** Removes labels from the paths of all rows, and also the places that have no label left. */
export class RetractStep extends Step {
  readonly operator = "barrier"
  readonly name = "PathRetractionStep"
  readonly traits = internal
  readonly #labels: ReadonlySet<string>

  constructor(labels: ReadonlySet<string>) {
    super()
    this.#labels = labels
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { path } = batch
    if (path === null) {
      activation.pass(this, batch)
      return
    }
    const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    const shared = new Map<PathNode, PathNode | null>()
    out.path = path.slice(0, batch.length).map((node) => this.#retracted(node, shared))
    activation.pass(this, out)
  }

  /** Shared prefixes of paths stay shared. */
  #retracted(last: PathNode | null, shared: Map<PathNode, PathNode | null>): PathNode | null {
    const nodes: Array<PathNode> = []
    let node = last
    while (node !== null && !shared.has(node)) {
      nodes.push(node)
      node = node.previous
    }
    let before = node === null ? null : shared.get(node)!
    for (const old of nodes.reverse()) {
      const labels = old.labels?.filter((label) => !this.#labels.has(label)) ?? []
      if (labels.length === old.labels?.length && before === old.previous) before = old
      else if (labels.length > 0) before = new PathNode(old.kind, old.object, labels, before)
      shared.set(old, before)
    }
    return before
  }

  override describe(): string {
    return `[${[...this.#labels].join(", ")}]`
  }
}
