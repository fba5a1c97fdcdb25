import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { TransactionSink } from "../../../src/layers/tools/TransactionSink.ts"
import { blockSize, type IdKind } from "../../../src/storage/janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../../src/storage/janusgraph/ids/IdSource.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"

/** Claims that take a while each. */
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

it("an import of more elements than a block has ids waits for them between its commits", async () => {
  const graph = await cellGraph(new SlowlyClaimingStore({ answersLater: true }))
  const sink = new TransactionSink(graph)
  for (let id = 0; id < 6000; id++) {
    sink.vertex({ id, label: "person", properties: [] })
    if (sink.full) await sink.commit()
  }
  await sink.commit()
  await sink.close()
  expect(await runLater(graph, "g.V().count()")).toEqual([6000n])
})
