import { writeFileSync } from "node:fs"
import type { CellBatch } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import { settled } from "../Completion.ts"

// Commits a row while the meta page cannot be written, and another one after that. Prints the names of both outcomes.
const [directory, kind] = process.argv.slice(2) as [string, string]
const store = await openLmdbStore({ directory, sync: "durable", readOnly: false })
const put =
  (key: string) =>
  (batch: CellBatch): void =>
    batch.change("edgestore", Buffer.from(key), [{ column: Buffer.from("a"), value: Buffer.from("1") }])
const kinds: Readonly<Record<string, (key: string) => Promise<void>>> = {
  short: (key) => settled(store.commit(put(key))),
  long: (key) =>
    settled(
      store.commitLong(function* (batch) {
        yield
        put(key)(batch)
      })
    ),
  synchronous: async (key) => store.commitNow(put(key))
}
const outcome = (key: string): Promise<string> =>
  kinds[kind]!(key).then(
    () => "committed",
    (error: Error) => error.constructor.name
  )
await outcome("first")
writeFileSync(process.env.FAIL_FILE!, "")
const outcomes = [await outcome("second"), await outcome("third")]
await store.close()
process.stdout.write(JSON.stringify(outcomes))
