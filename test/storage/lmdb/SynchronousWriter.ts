import type { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellBatch } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"

const ROUNDS = 60
const ROWS = 200

const put = (batch: CellBatch, key: string): void =>
  batch.change("edgestore", Buffer.from(key), [{ column: Buffer.from("a"), value: Buffer.from("b") }])

const done = (later: Pending): Promise<void> =>
  new Promise((resolve, reject) =>
    later.onDone((error) => {
      if (error === undefined) resolve()
      else reject(error)
    })
  )

/**
 * Makes commits in time slices, and a synchronous commit at various moments after the start of each. Prints the number
 * of rows.
 */
const main = async (directory: string): Promise<void> => {
  const store = await openLmdbStore({ directory, sync: "none", readOnly: false })
  for (let round = 0; round < ROUNDS; round++) {
    const long = store.commitLong(function* (batch) {
      for (let row = 0; row < ROWS; row++) {
        put(batch, `long ${round} ${row}`)
        yield
      }
    })
    for (let moment = 0; moment < round % 6; moment++) {
      if (round % 2 === 0) await new Promise((resolve) => setImmediate(resolve))
      const until = performance.now() + 0.3
      while (performance.now() < until);
    }
    store.commitNow((batch) => put(batch, `now ${round}`))
    await done(long)
  }
  const snapshot = store.snapshot()
  const rows = snapshot.scan("edgestore").next(1_000_000).length
  snapshot.close()
  await store.close()
  process.stdout.write(JSON.stringify({ rows, expected: ROUNDS * (ROWS + 1) }))
}

await main(process.argv[2]!)
