import { copyFileSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { expect, it, onTestFinished, vi } from "vitest"
import type { CellStore } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { StoreClaims } from "../../../src/storage/janusgraph/ids/StoreClaims.ts"
import { CommitNumbers } from "../../../src/storage/lmdb/CommitNumbers.ts"
import type { LmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import { newFolder } from "../../Folders.ts"
import { settled } from "../Completion.ts"
import { lmdbStore, setBack } from "./Stores.ts"

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

const row = [{ column: Buffer.from("a"), value: Buffer.from("1") }]

const rowsOf = (store: LmdbStore): ReadonlyArray<string> => {
  const snapshot = store.snapshot()
  const pages = snapshot.scan("edgestore").next(10)
  const keys = pages.map(({ key }) => Buffer.from(key).toString())
  snapshot.close()
  return keys.sort()
}

it.each([
  ["commit", (store: LmdbStore, key: Buffer) => settled(store.commit((batch) => batch.change("edgestore", key, row)))],
  [
    "commit in slices",
    (store: LmdbStore, key: Buffer) =>
      settled(
        store.commitLong(function* (batch) {
          yield
          batch.change("edgestore", key, row)
        })
      )
  ],
  [
    "synchronous commit",
    async (store: LmdbStore, key: Buffer) => store.commitNow((batch) => batch.change("edgestore", key, row))
  ]
] as const)("A %s keeps the commits before it after an opening has set lmdb's number back", async (_, commit) => {
  for (const server of ["one", undefined]) {
    const directory = newFolder()
    const store = await lmdbStore({ directory, ...(server === undefined ? {} : { server }) })
    for (const key of ["first", "second", "third"]) {
      await commit(store, Buffer.from(key))
      setBack(directory)
    }
    await commit(store, Buffer.from("last"))
    expect(rowsOf(store)).toEqual(["first", "last", "second", "third"])
    await store.close()
    const again = await lmdbStore({ directory })
    expect(rowsOf(again)).toEqual(["first", "last", "second", "third"])
    await again.close()
  }
})

it("The newest commit is read after an opening to read only that has set lmdb's number back", async () => {
  const directory = newFolder()
  const store = await lmdbStore({ directory })
  for (const key of ["first", "second"])
    await settled(store.commit((batch) => batch.change("edgestore", Buffer.from(key), row)))
  setBack(directory)
  const reading = await lmdbStore({ directory, readOnly: true })
  expect(rowsOf(reading)).toEqual(["first", "second"])
  await reading.close()
  await store.close()
})

it("A transaction does not begin again and again when the number that lmdb uses stays wrong", async () => {
  const directory = newFolder()
  await (await lmdbStore({ directory })).close()
  const numbers = new CommitNumbers({ directory })
  for (let i = 1; i < 10; i++) expect(numbers.areFollowedBy(0)).toBe(false)
  expect(() => numbers.areFollowedBy(0)).toThrow("the transaction did not begin from the newest commit")
  numbers.close()
})

const take = (path: string): void => renameSync(path, `${path}.old`)
const unlink = (path: string): void => {
  linkSync(path, `${path}.backup`)
  rmSync(path)
}
const replace = (path: string): void => {
  copyFileSync(path, `${path}.new`)
  renameSync(`${path}.new`, path)
}

it.each([
  ["graph.mdb", "was removed", rmSync],
  ["graph.mdb", "was replaced", replace],
  ["graph.mdb", "was renamed", take],
  ["graph.mdb", "was removed, and is linked elsewhere", unlink],
  ["graph.mdb-lock", "was removed", rmSync],
  ["graph.mdb-lock", "was replaced", replace],
  ["graph.mdb-lock", "was renamed", take]
] as const)(
  "A commit fails when %s %s while lmdb uses it, and no more commits are accepted",
  async (name, _, change) => {
    const directory = newFolder()
    const failures: Array<string> = []
    const store = await lmdbStore({ directory, onFailure: ({ message }) => failures.push(message) })
    const commit = () => settled(store.commit((batch) => batch.change("edgestore", Buffer.from("row"), row)))
    await commit()
    change(`${directory}/${name}`)
    const told = `the file ${name} was removed, renamed or replaced`
    await expect(commit()).rejects.toThrow(told)
    await expect(startLong(store)).rejects.toThrow(told)
    expect(() => claim(store)).toThrow(told)
    expect(failures).toEqual([expect.stringContaining(told)])
    expect(rowsOf(store)).toEqual(["row"])
    await store.close()
  }
)

it("A graph in memory takes commits after its files were removed", async () => {
  const directory = newFolder()
  const store = await lmdbStore({ directory, temporary: true })
  rmSync(`${directory}/graph.mdb`)
  rmSync(`${directory}/graph.mdb-lock`)
  await settled(store.commit((batch) => batch.change("edgestore", Buffer.from("row"), row)))
  expect(rowsOf(store)).toEqual(["row"])
  await store.close()
})

it("A graph in memory takes commits of every kind after its folder was removed, also when its lock is renewed", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  onTestFinished(() => void vi.useRealTimers())
  const directory = newFolder()
  const failures: Array<string> = []
  const store = await lmdbStore({ directory, temporary: true, onFailure: ({ message }) => failures.push(message) })
  rmSync(directory, { recursive: true })
  vi.advanceTimersByTime(20_000)
  await settled(store.commit((batch) => batch.change("edgestore", Buffer.from("row"), row)))
  await startLong(store)
  claim(store)
  expect(failures).toEqual([])
  expect(rowsOf(store)).toEqual(["row"])
  await store.close()
})

it("A claim beside an opening is kept, although the opening has set lmdb's number back", async () => {
  const directory = newFolder()
  const store = await lmdbStore({ directory, server: "one" })
  const other = await lmdbStore({ directory, server: "one" })
  claim(store)
  const long = startLong(store)
  writeFileSync(`${directory}/graph.opening`, "")
  const first = claim(store)
  setBack(directory)
  rmSync(`${directory}/graph.opening`)
  expect(claim(other) - first).toBe(10)
  await long
  expect(claim(store) - first).toBe(20)
  await store.close()
  await other.close()
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
  const pending = settled(store.commit((batch) => batch.change("edgestore", Buffer.from("row"), row)))
  writeFileSync(`${directory}/graph.opening`, "")
  const first = claim(store)
  rmSync(`${directory}/graph.opening`)
  await pending
  expect(claim(store) - first).toBe(10)
  await store.close()
})
