import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { CqlPages } from "../../../src/storage/cassandra/CqlPages.ts"
import type { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import { Fetches } from "../../../src/storage/cassandra/Fetches.ts"
import type { Page, SliceQuery } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { settled } from "../Completion.ts"
import { Sent } from "./CountedClient.ts"
import { FakeCluster } from "./FakeCluster.ts"

const START = Buffer.from([0x10])
const END = Buffer.from([0x80])
const ROWS = 60

const keyOf = (row: number): Buffer => {
  const key = Buffer.alloc(8)
  key.writeUInt32BE(row * 8 + 0x10, 4)
  return key
}
const sliceOf = (row: number, limit?: number): SliceQuery => ({
  table: "edgestore",
  key: keyOf(row),
  start: START,
  end: END,
  limit
})

/** The row of each cell of a page: the first byte of each value has it. */
const rowsIn = ({ cells }: Page): ReadonlyArray<number> => {
  const cursor = new CellCursor().over(cells)
  const rows: Array<number> = []
  while (cursor.next()) rows.push(cursor.value()[0]!)
  return rows
}

/** A row has as many cells as its number says, up to four. */
const expectedOf = (row: number): ReadonlyArray<number> => new Array(row % 5).fill(row)

const failing = (code: number) => Object.assign(new Error(`error ${code} of a node`), { code })

describe("Fetches of several readers", () => {
  const sent = new Sent()
  const cluster = new FakeCluster()
  let store: CqlStore
  let fetches: Fetches

  beforeAll(async () => {
    store = await cluster.store({}, sent, { newsInterval: 3_600_000 })
    fetches = new Fetches(new CqlPages(store.columns, new Set(["edgestore"])))
    await settled(
      store.commit((batch) => {
        for (let row = 0; row < ROWS; row++) {
          const cells = expectedOf(row).map((_, i) => ({ column: Buffer.from([0x20, i]), value: Buffer.from([row]) }))
          if (cells.length > 0) batch.change("edgestore", keyOf(row), cells)
        }
      })
    )
  })
  afterAll(() => store.close())
  afterEach(() => {
    cluster.weather = async () => undefined
    sent.clear()
  })

  /** The rows in the answers of readers that all begin in one turn. */
  const read = (wanted: ReadonlyArray<ReadonlyArray<number>>) =>
    Promise.all(wanted.map((rows) => fetches.fetch(rows.map((row) => sliceOf(row))).then((pages) => pages.map(rowsIn))))

  it("that begin in one turn share statements, and each gets its own rows", async () => {
    sent.clear()
    const wanted = Array.from({ length: 12 }, (_, i) => [i, i + 12, i + 24])
    expect(await read(wanted)).toEqual(wanted.map((rows) => rows.map(expectedOf)))
    // 36 rows are two statements of 18.
    expect([sent.reads, sent.rows]).toEqual([2, 36])
  })

  it("read a row once that several of them want, in any place of their queries", async () => {
    sent.clear()
    const wanted = [[1, 2], [2, 3, 1], [4], [1]]
    expect(await read(wanted)).toEqual(wanted.map((rows) => rows.map(expectedOf)))
    expect([sent.reads, sent.rows]).toEqual([1, 4])
  })

  it("are answered when they want nothing, alone and beside others", async () => {
    expect(await read([[]])).toEqual([[]])
    expect(await read([[], [1], [2]])).toEqual([[], [expectedOf(1)], [expectedOf(2)]])
  })

  it("share nothing when they differ in columns or in the number of cells", async () => {
    sent.clear()
    const [first, second, third] = await Promise.all([
      fetches.fetch([sliceOf(4)]),
      fetches.fetch([sliceOf(9, 1)]),
      fetches.fetch([{ ...sliceOf(14), start: Buffer.from([0x20, 2]) }])
    ])
    expect([first, second, third].map((pages) => rowsIn(pages![0]!))).toEqual([
      expectedOf(4),
      [9],
      expectedOf(14).slice(2)
    ])
    expect(sent.reads).toBe(3)
  })

  it("do not wait for each other: a fetch that is alone leaves in its turn", async () => {
    sent.clear()
    const order: Array<string> = []
    const answered = fetches.fetch([sliceOf(2)]).then(() => order.push("answered"))
    const turn = new Promise((resolve) => setImmediate(resolve)).then(() => order.push(`${sent.reads} statement sent`))
    await Promise.all([answered, turn])
    expect(order).toEqual(["1 statement sent", "answered"])
  })

  it("do not get the error of another reader's row", async () => {
    for (const code of [0x0000, 0x1200, 0x1300]) {
      // A node fails for each statement that has the row 7.
      cluster.weather = async (text, parameters) => {
        if (text.startsWith("SELECT") && [parameters?.[0]].flat().some((key) => keyOf(7).equals(key as Buffer)))
          throw failing(code)
      }
      const [good, bad, other] = await Promise.allSettled([
        fetches.fetch([sliceOf(1), sliceOf(2)]),
        fetches.fetch([sliceOf(3), sliceOf(7)]),
        fetches.fetch([sliceOf(4)])
      ])
      expect([good, other].map((each) => each!.status)).toEqual(["fulfilled", "fulfilled"])
      expect((good as PromiseFulfilledResult<ReadonlyArray<Page>>).value.map(rowsIn)).toEqual([1, 2].map(expectedOf))
      expect(String((bad as PromiseRejectedResult).reason)).toContain("was not read")
    }
  })

  it("fail together, without further statements, when the cluster is overloaded", async () => {
    cluster.weather = async () => {
      throw failing(0x1001)
    }
    sent.clear()
    const outcomes = await Promise.allSettled([fetches.fetch([sliceOf(1)]), fetches.fetch([sliceOf(2)])])
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"])
    expect(sent.reads).toBe(1)
  })

  describe("of which one wants a long row", () => {
    const HUB = 3_000
    const CELLS = 2_600
    /** True for a statement that reads further pages of the hub. */
    const isRest = (parameters: ReadonlyArray<unknown> | undefined): boolean =>
      Buffer.isBuffer(parameters?.[0]) && keyOf(HUB).equals(parameters[0])

    beforeAll(async () => {
      const cells = Array.from({ length: CELLS }, (_, i) => ({
        column: Buffer.from([0x20, i >> 8, i & 0xff]),
        value: Buffer.from([i & 0xff])
      }))
      await settled(store.commit((batch) => batch.change("edgestore", keyOf(HUB), cells)))
    })

    const expected = Array.from({ length: CELLS }, (_, i) => i & 0xff)

    it("do not wait for its pages", async () => {
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      cluster.weather = async (_, parameters) => {
        if (isRest(parameters)) await held
      }
      const long = fetches.fetch([sliceOf(HUB)])
      const [page] = await fetches.fetch([sliceOf(4)])
      expect(rowsIn(page!)).toEqual(expectedOf(4))
      release()
      expect(rowsIn((await long)[0]!)).toEqual(expected)
    })

    it("keep nothing of what they have got while it is read", async () => {
      setFlagsFromString("--expose-gc")
      const collect = runInNewContext("gc") as () => void
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      cluster.weather = async (_, parameters) => {
        if (isRest(parameters)) await held
      }
      const long = fetches.fetch([sliceOf(HUB)])
      const short = await fetches.fetch([sliceOf(4)]).then((pages) => new WeakRef(pages))
      await expect
        .poll(() => {
          collect()
          return short.deref() === undefined
        })
        .toBe(true)
      release()
      expect(rowsIn((await long)[0]!)).toEqual(expected)
    })

    it("do not get the error of its pages, whatever it is", async () => {
      cluster.weather = async (_, parameters) => {
        if (isRest(parameters)) throw failing(0x1001)
      }
      const [long, short] = await Promise.allSettled([
        fetches.fetch([sliceOf(HUB), sliceOf(1)]),
        fetches.fetch([sliceOf(4)])
      ])
      expect([long.status, short.status]).toEqual(["rejected", "fulfilled"])
    })

    it("read no further page for it when its reader has ended", async () => {
      let isOver = false
      let rests = 0
      cluster.weather = async (_, parameters) => {
        if (isRest(parameters)) rests++
        isOver = true
      }
      const [long, short] = await Promise.allSettled([
        fetches.fetch([sliceOf(HUB)], () => isOver),
        fetches.fetch([sliceOf(4)])
      ])
      expect([long.status, short.status, rests]).toEqual(["rejected", "fulfilled", 0])
    })

    it("get all its cells in either direction, up to a limit", async () => {
      const [forward, backward, some, last] = await Promise.all([
        fetches.fetch([sliceOf(HUB)]),
        fetches.fetch([{ ...sliceOf(HUB), reverse: true }]),
        fetches.fetch([sliceOf(HUB, 1_500)]),
        fetches.fetch([{ ...sliceOf(HUB, 1_500), reverse: true }])
      ])
      expect(rowsIn(forward![0]!)).toEqual(expected)
      expect(rowsIn(backward![0]!)).toEqual(expected)
      expect([rowsIn(some![0]!), some![0]!.more]).toEqual([expected.slice(0, 1_500), true])
      expect([rowsIn(last![0]!), last![0]!.more]).toEqual([expected.slice(-1_500), true])
    })
  })

  it("send no statement for a reader that has ended, and answer the others", async () => {
    sent.clear()
    const [ended, other] = await Promise.allSettled([
      fetches.fetch([sliceOf(1)], () => true),
      fetches.fetch([sliceOf(2)])
    ])
    expect([ended.status, other.status]).toEqual(["rejected", "fulfilled"])
    expect([sent.reads, sent.rows]).toEqual([1, 1])
    const all = await Promise.allSettled([1, 2].map((row) => fetches.fetch([sliceOf(row)], () => true)))
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"])
    expect(sent.reads).toBe(1)
  })

  it("have their own statements when they want many rows", async () => {
    sent.clear()
    const many = Array.from({ length: 130 }, (_, i) => i % ROWS)
    const [large, small] = await read([many, [5]])
    expect(large).toEqual(many.map(expectedOf))
    expect(small).toEqual([expectedOf(5)])
    expect(sent.rows).toBe(ROWS + 1)
  })

  it("have at most 256 statements in flight, also when every row is longer than a group reads of it", async () => {
    const [rows, cells] = [400, 258]
    await settled(
      store.commit((batch) => {
        for (let row = ROWS; row < ROWS + rows; row++) {
          const changes = Array.from({ length: cells }, (_, i) => ({
            column: Buffer.from([0x20, i >> 8, i & 0xff]),
            value: Buffer.from([row & 0xff])
          }))
          batch.change("edgestore", keyOf(row), changes)
        }
      })
    )
    const queries = Array.from({ length: rows }, (_, i) => sliceOf(ROWS + i))
    for (const isGrouped of [true, false]) {
      // A guardrail of the cluster refuses statements for several rows.
      cluster.weather = async (_, parameters) => {
        if (!isGrouped && Array.isArray(parameters?.[0])) throw failing(0x2200)
      }
      cluster.mostInFlight = 0
      const pages = await fetches.fetch(queries)
      expect(pages.map((page) => rowsIn(page).length)).toEqual(new Array(rows).fill(cells))
      expect(cluster.mostInFlight).toBeGreaterThan(100)
      expect(cluster.mostInFlight).toBeLessThanOrEqual(256)
    }
  })
})
