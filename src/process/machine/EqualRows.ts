import type { Task } from "../../scheduling/Task.ts"
import { keyText } from "../../structure/collections/Equivalence.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { joinedBulks } from "../../structure/numbers/Bulks.ts"
import type { Activation } from "../plan/Activation.ts"
import { type Batch, type PathNode, select } from "../plan/Batch.ts"
import { objectOf } from "./Paths.ts"

/**
 * Merges rows with equal objects, paths and sacks. A merged row has the place of its first row. Barriers of TinkerPop also merge
 * equal traversers. This is observable in steps that draw a random number for each traverser.
 */
export function* mergeEqualRows(batch: Batch, activation: Activation): Task<Batch> {
  const key = rowKey(batch, activation)
  const places = new BigMap<string, number>()
  const rows: Array<number> = []
  const bulks: Array<number> = []
  for (let row = 0; row < batch.length; row++) {
    if (activation.slice.isOverAfter(row + 1)) yield
    const text = key(row)
    const place = places.get(text)
    if (place === undefined) {
      places.set(text, rows.length)
      rows.push(row)
      bulks.push(batch.bulkOf(row))
    } else if (activation.run.bulk) bulks[place]! += batch.bulkOf(row)
  }
  if (rows.length === batch.length) return batch
  const merged = select(batch, rows, rows.length)
  merged.bulk = joinedBulks(Float64Array.from(bulks))
  return merged
}

/** Numbers paths, so that paths with equal objects and labels have the same number. */
export class PathNumbers {
  readonly #transaction: GraphTransaction
  readonly #places = new Map<PathNode, number>()
  readonly #known = new BigMap<string, number>()
  constructor(transaction: GraphTransaction) {
    this.#transaction = transaction
  }

  /** The number of the path that ends at a node; 0 for the path without objects. */
  of(last: PathNode | null): number {
    const nodes: Array<PathNode> = []
    let node = last
    while (node !== null && !this.#places.has(node)) {
      nodes.push(node)
      node = node.previous
    }
    let number = node === null ? 0 : this.#places.get(node)!
    for (let at = nodes.length - 1; at >= 0; at--) {
      const { labels } = nodes[at]!
      const text = `${number} ${keyText(objectOf(nodes[at]!, this.#transaction))} ${labels === null ? "" : keyText(labels)}`
      number = this.#known.get(text) ?? this.#known.size + 1
      this.#known.set(text, number)
      this.#places.set(nodes[at]!, number)
    }
    return number
  }
}

const rowKey = (batch: Batch, { transaction }: Activation): ((row: number) => string) => {
  const paths = new PathNumbers(transaction)
  const { path, sack } = batch
  return (row) =>
    `${batch.originOf(row)} ${path === null ? 0 : paths.of(path[row]!)} ` +
    `${keyText(batch.value(row, transaction))} ${sack === null ? "" : keyText(sack[row])}`
}
