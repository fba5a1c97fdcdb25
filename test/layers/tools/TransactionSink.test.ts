import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { blockSize, type IdKind } from "../../../src/storage/janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../../src/storage/janusgraph/ids/IdSource.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { imported, written } from "./Graphs.ts"

/** Claims that take time. */
class SlowlyClaimingStore extends MemoryCellStore {
  readonly #ends = new Map<IdKind, number>()
  readonly idSource: IdSource = {
    size: (kind) => blockSize(kind, 2500),
    claim: async (kind): Promise<IdBlock> => {
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      const first = this.#ends.get(kind) ?? 1
      const count = blockSize(kind, 2500)
      this.#ends.set(kind, first + count)
      return { first, step: 1, count, partition: 0 }
    }
  }
}

it("An import of more elements than a block has ids waits for claims between its commits", async () => {
  const graph = await cellGraph(new SlowlyClaimingStore({ answersLater: true }))
  const rows = Array.from({ length: 6000 }, (_, id) => `${id},person\n`).join("")
  await imported(graph, written({ "v.csv": `~id,~label\n${rows}` }))
  expect(await runLater(graph, "g.V().count()")).toEqual([6000n])
})
