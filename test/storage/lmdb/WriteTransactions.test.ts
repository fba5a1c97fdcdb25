import { pbkdf2 } from "node:crypto"
import { closeSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import type { CellStore } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { StoreClaims } from "../../../src/storage/janusgraph/ids/StoreClaims.ts"
import { knownTransactions } from "../../../src/storage/lmdb/FileLength.ts"
import type { LmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import { newFolder } from "../../Folders.ts"
import { settled } from "../Completion.ts"
import { lmdbStore } from "./Stores.ts"

/** Claims a block of ten ids, with work inside the transaction. Returns the first id. */
const claim = (store: LmdbStore, work: () => unknown = () => undefined): number => {
  const commitNow: CellStore["commitNow"] = (change) =>
    store.commitNow((batch) => {
      change(batch)
      work()
    })
  return new StoreClaims({ commitNow, answersLater: false } as CellStore, "test", 5, 10).claimNow!("vertex").first
}

const startLong = (store: LmdbStore): Promise<void> => settled(store.commitLong(() => [][Symbol.iterator]()))

it("A long commit runs after a claim before it that another process followed, if an opening has begun during the claim", async () => {
  const directory = newFolder()
  const store = await lmdbStore({ directory, server: "one" })
  const other = await lmdbStore({ directory, server: "one" })
  const long = startLong(store)
  const first = claim(store, () => writeFileSync(`${directory}/graph.opening`, ""))
  rmSync(`${directory}/graph.opening`)
  expect(claim(other) - first).toBe(10)
  await long
  expect(claim(store) - first).toBe(20)
  await store.close()
  await other.close()
})

it.each(["the claim", "the first try of the transaction"])(
  "A long commit repeats a claim before it that an opening has undone, if the opening has ended during %s",
  async (end) => {
    const directory = newFolder()
    const store = await lmdbStore({ directory, server: "one" })
    claim(store)
    const marker = `${directory}/graph.opening`
    writeFileSync(marker, "")
    // All threads are busy: the long transaction begins after the opening.
    const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)("", "", 200_000, 64, "sha512"))
    const long = startLong(store)
    const lockPath = `${directory}/graph.mdb-lock`
    const known = knownTransactions(lockPath)
    const first = claim(store, () => end === "the claim" && rmSync(marker))
    expect(knownTransactions(lockPath)).toBe(known + 1n)
    // The opening writes the number that it has read before the claim.
    const lock = openSync(lockPath, "r+")
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(known)
    writeSync(lock, bytes, 0, 8, 8)
    closeSync(lock)
    await Promise.all(busy)
    await sleep(100)
    rmSync(marker, { force: true })
    await long
    expect(claim(store) - first).toBe(10)
    await store.close()
  }
)

it("A claim before a long commit succeeds if the file cannot be looked at, for example without a free file descriptor", async () => {
  const directory = newFolder()
  const store = await lmdbStore({ directory })
  const file = `${directory}/graph.mdb`
  const long = startLong(store)
  renameSync(file, `${file}.hidden`)
  mkdirSync(file)
  const first = claim(store)
  rmdirSync(file)
  renameSync(`${file}.hidden`, file)
  await long
  expect(claim(store) - first).toBe(10)
  await store.close()
})

it("A long commit runs after a claim beside an opening that another process followed", async () => {
  const directory = newFolder()
  const store = await lmdbStore({ directory, server: "one" })
  const other = await lmdbStore({ directory, server: "one" })
  const long = startLong(store)
  writeFileSync(`${directory}/graph.opening`, "")
  const first = claim(store)
  rmSync(`${directory}/graph.opening`)
  expect([claim(other) - first, claim(other) - first]).toEqual([10, 20])
  await long
  expect(claim(store) - first).toBe(30)
  await store.close()
  await other.close()
})

it("A claim does not wait for an opening while a commit is pending, whose thread may hold the lock", async () => {
  const directory = newFolder()
  const store = await lmdbStore({ directory, server: "one" })
  const row = [{ column: Buffer.from("a"), value: Buffer.from("1") }]
  const pending = settled(store.commit((batch) => batch.change("edgestore", Buffer.from("row"), row)))
  writeFileSync(`${directory}/graph.opening`, "")
  const first = claim(store)
  rmSync(`${directory}/graph.opening`)
  await pending
  expect(claim(store) - first).toBe(10)
  await store.close()
})
