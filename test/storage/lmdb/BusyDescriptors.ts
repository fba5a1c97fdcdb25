import { closeSync, openSync } from "node:fs"
import type { CellBatch } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import { settled } from "../Completion.ts"

// Makes the first commit in time slices, and another commit, while the process has no free file descriptor, and then both once more.
// Prints the outcomes. Needs a low limit of descriptors (ulimit -n).
const [directory] = process.argv.slice(2) as [string]

/** Opens a file until the system refuses it. */
const taken = (): ReadonlyArray<number> => {
  const files: Array<number> = []
  try {
    for (;;) files.push(openSync("/dev/null", "r"))
  } catch {
    return files
  }
}

const put =
  (key: string) =>
  (batch: CellBatch): void =>
    batch.change("edgestore", Buffer.from(key), [{ column: Buffer.from("a"), value: Buffer.from("1") }])
const store = await openLmdbStore({ directory, sync: "durable", readOnly: false })
const outcomes: Array<string> = []
const run = (commit: Promise<void>): Promise<unknown> =>
  commit.then(
    () => outcomes.push("committed"),
    (error: Error) => outcomes.push(`${error.constructor.name}: ${error.message}`)
  )
const both = async (key: string): Promise<void> => {
  await run(
    settled(
      store.commitLong(function* (batch) {
        yield
        put(`long ${key}`)(batch)
      })
    )
  )
  await run(settled(store.commit(put(key))))
}
const files = taken()
await both("first")
for (const file of files) closeSync(file)
await both("second")
await store.close()
process.stdout.write(JSON.stringify(outcomes))
