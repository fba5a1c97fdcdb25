import { keyText } from "../structure/Equivalence.ts"
import type { Activation } from "./Activation.ts"
import { type Batch, type PathNode, select } from "./Batch.ts"
import { objectOf } from "./Paths.ts"

/**
 * Rows with those that are equal merged, at the place of the first: the same object with the same path and sack. Barriers
 * of TinkerPop hold equal traversers once, with a bulk. It shows where random numbers are drawn for each of them.
 */
export const mergeEqualRows = (batch: Batch, activation: Activation): Batch => {
  const key = rowKey(batch, activation)
  const places = new Map<string, number>()
  const rows: Array<number> = []
  const bulks: Array<number> = []
  for (let row = 0; row < batch.length; row++) {
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
  merged.bulk = Float64Array.from(bulks)
  return merged
}

const rowKey = (batch: Batch, { transaction }: Activation): ((row: number) => string) => {
  const paths = new Map<PathNode, string>()
  const pathKey = (node: PathNode | null): string => {
    if (node === null) return ""
    let text = paths.get(node)
    if (text === undefined) {
      text = `${pathKey(node.previous)}/${keyText(objectOf(node, transaction))}${node.labels?.join(",") ?? ""}`
      paths.set(node, text)
    }
    return text
  }
  const { path, sack } = batch
  return (row) =>
    `${batch.originOf(row)} ${keyText(batch.value(row, transaction))}` +
    `${path === null ? "" : pathKey(path[row]!)} ${sack === null ? "" : keyText(sack[row])}`
}
