import { describe, expect, it } from "vitest"
import { DistinctRows } from "../../../src/process/machine/DistinctRows.ts"
import type { Activation } from "../../../src/process/plan/Activation.ts"
import { Batch, VERTEX } from "../../../src/process/plan/Batch.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { runLater } from "../run.ts"

/** The number of distinct rows among rows of vertices with these refs and origins. */
const distinct = (rows: ReadonlyArray<readonly [ref: number, origin: number]>): number => {
  const activation = { run: { bulk: true }, transaction: { newRefs: (n: number) => new Float64Array(n) } }
  const batch = new Batch(
    VERTEX,
    Float64Array.from(rows, ([ref]) => ref),
    rows.length
  )
  batch.origin = Int32Array.from(rows, ([, origin]) => origin)
  const merged = new DistinctRows(batch, activation as unknown as Activation)
  merged.add(batch)
  return merged.size
}

describe("Rows of vertices with refs of any size", () => {
  it("merge only if their refs and their origins are equal", () => {
    const refs = [2 ** 31 - 1, 2 ** 31, 2 ** 32 + 256, 2 ** 40 - 1, 2 ** 40, 2 ** 53 - 1, 0, 256, -2, -(2 ** 31)]
    const origins = [0, 1, 2, 255, 2 ** 12, 2 ** 21 - 1, 2 ** 21, 2 ** 31 - 1]
    const rows = refs.flatMap((ref) => origins.map((origin) => [ref, origin] as const))
    expect(distinct([...rows, ...rows])).toBe(rows.length)
  })

  it("do not merge where the distance of two refs is that of two origins", () => {
    expect(
      distinct([
        [256, 1],
        [256 + 2 ** 32, 0]
      ])
    ).toBe(2)
    for (const unit of [2 ** 31, 2 ** 32, 2 ** 40, 2 ** 41]) {
      expect(
        distinct([
          [256 + unit, 0],
          [256, 1],
          [256 + 2 * unit, 1],
          [256 + unit, 2]
        ])
      ).toBe(4)
    }
  })
})

describe("A graph whose clients choose the ids of vertices", () => {
  it("counts the neighbours of each vertex, however large its id is", async () => {
    const graph = await cellGraph(new MemoryCellStore(), { userVertexIds: true })
    const ids = [256n, 2n ** 32n + 256n]
    const variables = new Map<string, unknown>([
      ["a", ids[0]],
      ["b", ids[1]]
    ])
    const ask = (script: string) => runLater(graph, script, { variables, as: text })
    await ask("g.addV('p').property(T.id, a).as('a').addV('p').property(T.id, b).as('b').addE('e').from('a').to('b')")
    await ask("g.V(a).addE('e').to(__.V(b)).V(b).as('b').addE('e').to('b').addE('e').from('b').to('b')")
    expect(await ask("g.V(b, a).project('id', 'n').by(id).by(__.repeat(__.out()).times(1).count())")).toEqual([
      "{id=4294967552, n=2}",
      "{id=256, n=2}"
    ])
  })
})
