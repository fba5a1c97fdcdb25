import { describe, expect, it } from "vitest"
import { Inbox } from "../../../src/process/machine/Inbox.ts"
import { Batch, PathNode, VALUE } from "../../../src/process/plan/Batch.ts"
import { Path } from "../../../src/structure/elements/Path.ts"

const nodeOf = (length: number): PathNode => {
  let node = new PathNode(VALUE, 0, null, null)
  while (node.length < length) node = new PathNode(VALUE, node.length, null, node)
  return node
}

/** The lengths of the parts in which a step gets 100 rows. */
const parts = (batch: Batch): ReadonlyArray<number> => {
  const inbox = new Inbox()
  inbox.push(batch)
  const lengths: Array<number> = []
  while (!inbox.isEmpty) {
    lengths.push(inbox.next(1024).length)
    inbox.done()
  }
  return lengths
}

const withPaths = (places: number): Batch => {
  const batch = new Batch(VALUE, new Array<unknown>(100).fill(1), 100)
  batch.path = new Array<PathNode>(100).fill(nodeOf(places))
  return batch
}

describe("The queue before a step", () => {
  it("gives rows with long paths a few at a time", () => {
    expect(parts(withPaths(5000))).toEqual(new Array(100).fill(1))
    expect(parts(withPaths(1000)).slice(0, 3)).toEqual([5, 5, 5])
    expect(parts(withPaths(10))).toEqual([100])
  })

  it("gives paths that are values a few at a time", () => {
    const path = new Path(new Array<unknown>(1000).fill(1), [])
    expect(parts(new Batch(VALUE, new Array<unknown>(100).fill(path), 100)).slice(0, 3)).toEqual([5, 5, 5])
  })
})
