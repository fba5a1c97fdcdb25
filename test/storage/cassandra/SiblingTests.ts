import { expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { findingsOf } from "./Findings.ts"

/** Runs a script in a transaction, and commits. Returns undefined after a conflict. */
export const request = async (graph: CellGraph, script: string): Promise<ReadonlyArray<unknown> | undefined> => {
  const transaction = graph.begin()
  try {
    return await runLater(graph, script, { as: text, transaction })
  } catch (error) {
    transaction.rollback()
    if (error instanceof TransactionConflict) return undefined
    throw error
  }
}

/** Runs a script until it has no conflict. */
export const insist = async (graph: CellGraph, script: string): Promise<ReadonlyArray<unknown>> => {
  for (;;) {
    const found = await request(graph, script)
    if (found !== undefined) return found
  }
}

const COMMITS = 12

/** Tests of the graphs of two workers of a server, over a cluster. */
export const siblingTests = (workers: () => Promise<readonly [CellGraph, CellGraph]>): void => {
  it("lose none of the increments of one property", async () => {
    const [one, other] = await workers()
    await insist(one, "g.addV('counter').property('hits', 0)")
    const increment = "g.V().hasLabel('counter').property('hits', __.union(__.values('hits'), __.constant(1)).sum())"
    const increments = [one, other].flatMap((graph) =>
      Array.from({ length: 3 }, async () => {
        for (let i = 0; i < COMMITS; i++) await insist(graph, increment)
      })
    )
    await Promise.all(increments)
    expect(await insist(other, "g.V().hasLabel('counter').values('hits')")).toEqual([String(6 * COMMITS)])
  })

  it("add edges to one vertex without conflicts", async () => {
    const [one, other] = await workers()
    await insist(one, "g.addV('hub').as('hub').addV('x').addE('to').from('hub')")
    const add = "g.V().hasLabel('hub').as('hub').addV('x').addE('to').from('hub')"
    const added = await Promise.all(
      [one, other].flatMap((graph) => Array.from({ length: COMMITS }, () => request(graph, add)))
    )
    expect(added.filter((found) => found === undefined)).toEqual([])
    expect(await insist(one, "g.V().hasLabel('hub').out().count()")).toEqual([String(1 + 2 * COMMITS)])
  })

  it("leave no edge to a vertex that one removes while the other adds the edge", async () => {
    const [one, other] = await workers()
    await insist(one, "g.addV('hub').as('hub').addV('x').addE('to').from('hub')")
    for (let i = 0; i < COMMITS; i++) {
      const [hub] = await insist(one, "g.addV('hub').id()")
      await Promise.all([
        request(i % 2 === 0 ? one : other, `g.V(${hub}).drop()`),
        request(i % 2 === 0 ? other : one, `g.V(${hub}).as('hub').addV('x').addE('to').from('hub')`)
      ])
    }
    expect(await findingsOf(one)).toEqual([])
  })

  it("know at once what the other has added to the schema", async () => {
    const [one, other] = await workers()
    expect(await insist(other, "g.V().values('name')")).toEqual([])
    await insist(one, "g.addV('person').property('name', 'marko')")
    expect(await insist(other, "g.V().values('name')")).toEqual(["marko"])
  })
}
