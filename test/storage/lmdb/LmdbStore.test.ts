import { existsSync, mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type {
  CellBatch,
  CellSnapshot,
  CellStore,
  Page,
  SliceQuery
} from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { FILE } from "../../../src/storage/lmdb/GraphFiles.ts"
import { newFolder } from "../../Folders.ts"
import { MANY_RUNS_MS } from "../../Limits.ts"
import { settled } from "../Completion.ts"
import { MemoryCellStore } from "../janusgraph/MemoryCellStore.ts"
import { lmdbStore, openFilesIn } from "./Stores.ts"

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const cellsOf = ({ cells }: Page): ReadonlyArray<readonly [string, string]> => {
  const found: Array<readonly [string, string]> = []
  const cursor = new CellCursor().over(cells)
  while (cursor.next()) found.push([hex(cursor.column()), hex(cursor.value())])
  return found
}

/** All cells of a slice, page by page. */
const whole = (snapshot: CellSnapshot, query: SliceQuery): ReadonlyArray<readonly [string, string]> => {
  const found: Array<readonly [string, string]> = []
  let { start } = query
  for (;;) {
    const limit = query.limit === undefined ? undefined : query.limit - found.length
    if (limit === 0) return found
    const page = snapshot.slice({ ...query, start, limit })
    const cells = cellsOf(page)
    if (page.more && cells.length === 0) throw new Error("a page is empty although more cells follow")
    found.push(...cells)
    if (!page.more) return found
    start = Buffer.concat([Buffer.from(cells.at(-1)![0], "hex"), Buffer.from([0])])
  }
}

const rows = (snapshot: CellSnapshot): ReadonlyArray<string> => {
  const found: Array<string> = []
  const scan = snapshot.scan("edgestore")
  for (let some = scan.next(3); some.length > 0; some = scan.next(3)) {
    for (const { key, ...page } of some) {
      if (page.cells.isEmpty) throw new Error("a scan returns an empty row")
      found.push(`${hex(key)} ${cellsOf({ ...page })[0]![0]}`)
    }
  }
  expect(new Set(found).size).toBe(found.length)
  return found.sort()
}

/** A few keys, some of them very long with a common prefix, so that the changes of a run affect the same rows. */
const key = FastCheck.oneof(
  { weight: 5, arbitrary: FastCheck.constantFrom(1, 2, 3).map((id) => Buffer.from([id])) },
  FastCheck.constantFrom(252, 253, 254, 899, 900, 901, 5000).map((length) => Buffer.alloc(length, 7)),
  FastCheck.constantFrom(1, 2).map((end) => Buffer.concat([Buffer.alloc(3000, 9), Buffer.from([end])]))
)
const column = FastCheck.oneof(
  { weight: 8, arbitrary: FastCheck.uint8Array({ minLength: 1, maxLength: 3 }) },
  FastCheck.tuple(FastCheck.constantFrom(999, 1000, 1001, 2500), FastCheck.nat(3)).map(([length, end]) =>
    Buffer.concat([Buffer.alloc(length, 5), Buffer.from([end])])
  )
)
const value = FastCheck.oneof(
  { weight: 5, arbitrary: FastCheck.nat(40).map((length) => Buffer.alloc(length, length)) },
  FastCheck.constantFrom(700, 3999, 4000, 9000, 70_000).map((length) => Buffer.alloc(length, 3))
)
const change = FastCheck.oneof(
  {
    weight: 9,
    arbitrary: FastCheck.record({
      key,
      removes: FastCheck.constant(false),
      cells: FastCheck.uniqueArray(FastCheck.tuple(column, FastCheck.option(value)), {
        maxLength: 12,
        selector: ([column]) => hex(column)
      })
    })
  },
  FastCheck.record({ key, removes: FastCheck.constant(true), cells: FastCheck.constant([]) })
)
const batches = FastCheck.array(FastCheck.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 25 })
const slice = FastCheck.record({
  key,
  start: FastCheck.option(column, { nil: undefined }),
  end: FastCheck.option(column, { nil: undefined }),
  limit: FastCheck.option(FastCheck.integer({ min: 1, max: 20 }), { nil: undefined })
})

describe("LmdbStore", () => {
  it("is compacted without loss when it is closed, also after an interrupted compaction", async () => {
    const directory = newFolder()
    const store = await lmdbStore({ directory })
    for (let round = 0; round < 20; round++) {
      const value = Buffer.alloc(100, round)
      const change = (batch: CellBatch): void => {
        for (let row = 0; row < 500; row++) {
          const key = Buffer.from([row >> 8, row & 255])
          batch.change("edgestore", key, [{ column: Buffer.from([round]), value }])
        }
      }
      await settled(store.commit(change))
    }
    await settled(store.commit((batch) => batch.advanceSchema()))
    const before = store.snapshot()
    const [expected, version, schemaVersion] = [rows(before), before.version, before.schemaVersion]
    const size = statSync(join(directory, FILE)).size
    mkdirSync(join(directory, "rewritten"))
    writeFileSync(join(directory, "rewritten", FILE), "half of a file")
    store.rewriteWhenClosed()
    await store.close()
    expect(existsSync(join(directory, "rewritten"))).toBe(false)
    expect(statSync(join(directory, FILE)).size).toBeLessThan(size * 0.7)
    const again = await lmdbStore({ directory })
    const after = again.snapshot()
    expect(rows(after)).toEqual(expected)
    expect([after.version, after.schemaVersion]).toEqual([version, schemaVersion])
    after.close()
    await settled(again.commit((batch) => batch.removeRow("edgestore", Buffer.from([0, 0]))))
    await again.close()
    expect(openFilesIn(directory)).toEqual([])
  })

  it("is closed and releases the folder even if its files cannot be compacted", async () => {
    const directory = newFolder()
    const store = await lmdbStore({ directory })
    await settled(
      store.commit((batch) =>
        batch.change("edgestore", Buffer.from("row"), [{ column: Buffer.from("a"), value: Buffer.from("b") }])
      )
    )
    store.rewriteWhenClosed()
    // A file cannot replace a folder.
    rmSync(join(directory, FILE))
    mkdirSync(join(directory, FILE))
    await store.close()
    expect(existsSync(join(directory, "rewritten"))).toBe(false)
    rmdirSync(join(directory, FILE))
    await (await lmdbStore({ directory })).close()
  })

  it(
    "has the same cells as the model, for cells of any size, and stable snapshots",
    () =>
      FastCheck.assert(
        FastCheck.asyncProperty(batches, FastCheck.array(slice, { maxLength: 12 }), async (commits, slices) => {
          const [real, model] = [await lmdbStore({ sync: "none" }), new MemoryCellStore()]
          const compare = (one: CellSnapshot, other: CellSnapshot): void => {
            expect(rows(one)).toEqual(rows(other))
            for (const { key, ...range } of slices) {
              const query = { table: "edgestore", key, ...range } as const
              expect(whole(one, query)).toEqual(whole(other, query))
            }
          }
          const kept: Array<readonly [CellSnapshot, CellSnapshot]> = []
          for (const changes of commits) {
            const work = (batch: CellBatch): void => {
              const seen = new Set<string>()
              for (const { cells, key, removes } of changes) {
                if (seen.has(hex(key))) continue
                seen.add(hex(key))
                if (removes) batch.removeRow("edgestore", key)
                else
                  batch.change(
                    "edgestore",
                    key,
                    cells.map(([column, value]) => ({ column, value }))
                  )
              }
            }
            await settled(real.commit(work))
            await settled(model.commit(work))
            if (kept.length < 3) kept.push([real.snapshot(), model.snapshot()])
          }
          kept.push([real.snapshot(), model.snapshot()])
          for (const [one, other] of kept) {
            compare(one, other)
            one.close()
            other.close()
          }
          await real.close()
        }),
        { numRuns: Number(process.env.RUNS ?? 40) }
      ),
    MANY_RUNS_MS
  )

  it("commits each of many batches atomically and in order", async () => {
    const store = await lmdbStore()
    const row = Buffer.from("row")
    const failing = new Set([3, 17, 40])
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, number) =>
        settled(
          store.commit((batch) => {
            const [last] = cellsOf(batch.slice({ table: "edgestore", key: row })).slice(-1)
            batch.change("edgestore", row, [
              { column: Buffer.from([number]), value: Buffer.from(last?.[0] ?? "", "hex") }
            ])
            if (failing.has(number)) throw new Error(`no ${number}`)
          })
        )
      )
    )
    expect(outcomes.flatMap(({ status }, number) => (status === "rejected" ? [number] : []))).toEqual([...failing])
    const snapshot = store.snapshot()
    const found = cellsOf(snapshot.slice({ table: "edgestore", key: row }))
    // Each commit has read the changes of the previous one.
    expect(found.map(([, value]) => value)).toEqual(["", ...found.slice(0, -1).map(([column]) => column)])
    expect(found.length).toBe(97)
    snapshot.close()
    await store.close()
  })

  it("advances the schema version for each commit of a group that changes the schema", async () => {
    const store = await lmdbStore()
    const seen: Array<number> = []
    await Promise.all(
      Array.from({ length: 4 }, () =>
        settled(
          store.commit((batch) => {
            seen.push(batch.schemaVersion)
            batch.change("edgestore", Buffer.from("schema"), [{ column: Buffer.from([1]), value: Buffer.from([1]) }])
            batch.advanceSchema()
          })
        )
      )
    )
    expect(seen).toEqual([0, 1, 2, 3])
    const snapshot = store.snapshot()
    expect(snapshot.schemaVersion).toBe(4)
    snapshot.close()
    await store.close()
  })

  it("sees the commits of another process at the next snapshot", async () => {
    const folder = newFolder()
    const [one, other] = [
      await lmdbStore({ directory: folder, server: "a" }),
      await lmdbStore({ directory: folder, server: "a" })
    ]
    const version = (store: CellStore): number => {
      const snapshot = store.snapshot()
      snapshot.close()
      return snapshot.version
    }
    for (let commit = 0; commit < 5; commit++) {
      const before = version(other)
      await settled(
        one.commit((batch) =>
          batch.change("edgestore", Buffer.from("row"), [{ column: Buffer.from([commit]), value: Buffer.from([1]) }])
        )
      )
      expect([version(one), version(other)]).toEqual([before + 1, before + 1])
    }
    await one.close()
    await other.close()
  })

  it("ends open snapshots when it is closed", async () => {
    const store = await lmdbStore()
    const [read, unread] = [store.snapshot(), store.snapshot()]
    read.slice({ table: "edgestore", key: Buffer.from("row") })
    await store.close()
    expect(() => read.slice({ table: "edgestore", key: Buffer.from("row") })).toThrow("after it was closed")
    expect(() => unread.close()).not.toThrow()
  })

  it("claims ids synchronously while commits are in progress", async () => {
    const store = await lmdbStore()
    const put = (number: number) => (batch: CellBatch) =>
      batch.change("edgestore", Buffer.from("row"), [{ column: Buffer.from([number]), value: Buffer.from([1]) }])
    const commits: Array<Promise<void>> = []
    for (let number = 0; number < 60; number++) {
      if (number % 3 === 0) store.commitNow(put(number))
      else commits.push(settled(store.commit(put(number))))
      if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(commits)
    const snapshot = store.snapshot()
    expect(cellsOf(snapshot.slice({ table: "edgestore", key: Buffer.from("row") })).length).toBe(60)
    snapshot.close()
    await store.close()
  })
})
