import { writeSync } from "node:fs"
import { setImmediate as turn } from "node:timers/promises"
import type { CellBatch, CellSnapshot } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { StoreClaims } from "../../../src/storage/janusgraph/ids/StoreClaims.ts"
import type { LmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import { settled } from "../Completion.ts"

/** What a process does until its time is over. */
export type OpeningMode = "writes" | "opens and writes" | "opens and reads"

/** The row that each commit counts in. */
export const COUNTER = Buffer.from("counter")
const COLUMN = Buffer.from("c")

/** The value of the one cell of a row; undefined if there is no such row. */
export const cellOf = (from: CellBatch | CellSnapshot, key: Buffer): Buffer | undefined => {
  const cursor = new CellCursor().over(from.slice({ table: "edgestore", key, limit: 1 }).cells)
  return cursor.next() ? Buffer.from(cursor.value()) : undefined
}

/** Opens the files as a process of the server of this test. */
export const openFolder = (directory: string, readOnly = false): Promise<LmdbStore> =>
  openLmdbStore({ directory, sync: "none", readOnly, ...(readOnly ? {} : { server: "one" }) })

/** Claims a block of ids, and returns the first one and the number of ids. */
export const claimed = (store: LmdbStore, name: string): readonly [first: number, count: number] => {
  const { first, count } = new StoreClaims(store, name, 5, 10).claimNow!("vertex")
  return [first, count]
}

/** Not through process.stdout: a line is with the other process before the next step. */
const say = (text: string): void => void writeSync(1, `${text}\n`)

const below = (limit: number): number => Math.floor(Math.random() * limit)

/** Changes the row of the counter and a row of its own. */
const change = (batch: CellBatch, key: Buffer): void => {
  const next = Buffer.alloc(4)
  next.writeUInt32BE((cellOf(batch, COUNTER)?.readUInt32BE() ?? 0) + 1)
  batch.change("edgestore", COUNTER, [{ column: COLUMN, value: next }])
  const value = Buffer.alloc(below(10) === 0 ? below(9000) : below(200), 7)
  batch.change("edgestore", key, [{ column: COLUMN, value }])
}

/** Commits until a time, with claims of ids before and beside the commits, and reads what it has committed. */
const write = async (store: LmdbStore, name: string, numbers: Iterator<number>, end: number): Promise<void> => {
  do {
    const key = `${name}-${numbers.next().value}`
    const done = settled(
      below(30) === 0
        ? store.commitLong(function* (batch) {
            for (let i = 0; i < 20; i++) yield
            change(batch, Buffer.from(key))
          })
        : store.commit((batch) => change(batch, Buffer.from(key)))
    )
    if (below(3) === 0) say(`claimed ${claimed(store, name).join(" ")}`)
    await done
    say(`committed ${key}`)
    const snapshot = store.snapshot()
    if (cellOf(snapshot, Buffer.from(key)) === undefined) throw new Error(`${key} is lost`)
    snapshot.close()
  } while (performance.now() < end)
}

const read = async (store: LmdbStore, end: number): Promise<void> => {
  while (performance.now() < end) {
    const snapshot = store.snapshot()
    cellOf(snapshot, COUNTER)
    const scan = snapshot.scan("edgestore")
    while (scan.next(50).length > 0) await turn()
    snapshot.close()
  }
}

const main = async (directory: string, name: string, mode: OpeningMode, milliseconds: number): Promise<void> => {
  const until = performance.now() + milliseconds
  const numbers = (function* () {
    for (let number = 0; ; number++) yield number
  })()
  do {
    const store = await openFolder(directory, mode === "opens and reads")
    say("opened")
    const end = mode === "writes" ? until : performance.now() + Math.max(0, below(60) - 30)
    if (mode === "opens and reads") await read(store, end)
    else await Promise.all([1, 2, 3].map(() => write(store, name, numbers, end)))
    await store.close()
  } while (performance.now() < until)
}

const [directory, name, mode, milliseconds] = process.argv.slice(2)
if (process.argv[1]?.endsWith("OpeningWorker.mjs") && directory !== undefined) {
  await main(directory, name!, mode as OpeningMode, Number(milliseconds))
  // As a tool ends, also while the library has threads.
  process.exit(0)
}
