import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import type { CellStore, SliceQuery } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor, type Cells } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { settled } from "../Completion.ts"
import { MemoryCellStore } from "../janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "./Stores.ts"

const columnsOf = (cells: Cells): ReadonlyArray<Buffer> => {
  const found: Array<Buffer> = []
  const cursor = new CellCursor().over(cells)
  while (cursor.next()) found.push(Buffer.from(cursor.column()))
  return found
}

/** All columns of a slice from its end, page by page. */
const backwards = (store: CellStore, query: SliceQuery): ReadonlyArray<string> => {
  const found: Array<string> = []
  const snapshot = store.snapshot()
  let { end } = query
  for (;;) {
    const { cells, more } = snapshot.slice({ ...query, end, reverse: true })
    const columns = columnsOf(cells)
    found.push(...columns.toReversed().map((column) => column.toString("hex")))
    if (!more) break
    if (columns.length === 0) throw new Error("a page is empty although more cells precede it")
    end = columns[0]
  }
  snapshot.close()
  return found
}

const column = FastCheck.oneof(
  FastCheck.uint8Array({ minLength: 1, maxLength: 3 }),
  FastCheck.tuple(FastCheck.constantFrom(999, 1500), FastCheck.nat(3)).map(([length, end]) =>
    Buffer.concat([Buffer.alloc(length, 5), Buffer.from([end])])
  )
)

it("A reverse slice returns the last cells of a row first, for rows of any number of chunks", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(
      FastCheck.array(column, { maxLength: 80, size: "max" }),
      FastCheck.option(column, { nil: undefined }),
      FastCheck.option(column, { nil: undefined }),
      FastCheck.constantFrom(undefined, 1, 7),
      async (columns, start, end, limit) => {
        const key = Buffer.from([1])
        const stores: ReadonlyArray<CellStore> = [await lmdbStore(), new MemoryCellStore()]
        for (const store of stores) {
          for (const some of [columns.slice(0, 40), columns.slice(40)]) {
            await settled(
              store.commit((batch) => {
                const unique = new Map(some.map((each) => [Buffer.from(each).toString("hex"), each]))
                const value = Buffer.alloc(200, 1)
                batch.change(
                  "engine_ranges",
                  key,
                  [...unique.values()].map((each) => ({ column: each, value }))
                )
                batch.change("engine_ranges", Buffer.from([2]), [{ column: Buffer.from([1]), value }])
              })
            )
          }
        }
        const query = { table: "engine_ranges", key, start, end, limit } as const
        const [real, expected] = stores.map((store) => backwards(store, query))
        expect(real).toEqual(expected)
        for (const store of stores) await store.close()
      }
    ),
    { numRuns: 25 }
  )
})

it("A scan can begin after any row", async () => {
  const stores: ReadonlyArray<CellStore> = [await lmdbStore(), new MemoryCellStore()]
  const keys = [1, 2, 200, 255].flatMap((byte) => [Buffer.from([byte]), Buffer.alloc(300, byte)])
  for (const store of stores) {
    await settled(
      store.commit((batch) => {
        for (const key of keys) {
          const value = Buffer.alloc(3000, 1)
          const columns = Array.from({ length: 10 }, (_, at) => ({ column: Buffer.from([at]), value }))
          batch.change("edgestore", key, columns)
        }
      })
    )
    const snapshot = store.snapshot()
    const rows = (after?: Uint8Array) =>
      snapshot
        .scanFrom("edgestore", after)
        .next(100)
        .map(({ key }) => Buffer.from(key).toString("hex"))
    const all = rows()
    expect(all.length).toBe(keys.length)
    all.forEach((key, at) => {
      expect(rows(Buffer.from(key, "hex"))).toEqual(all.slice(at + 1))
    })
    snapshot.close()
    await store.close()
  }
})
