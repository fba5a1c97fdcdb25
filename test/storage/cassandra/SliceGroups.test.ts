import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { GroupingOptions } from "../../../src/storage/cassandra/CqlOptions.ts"
import { CqlPages } from "../../../src/storage/cassandra/CqlPages.ts"
import type { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import { GROUPED_CELLS, GroupLimits } from "../../../src/storage/cassandra/GroupLimits.ts"
import { fetchAll } from "../../../src/storage/cassandra/LargeFetch.ts"
import { grouped } from "../../../src/storage/cassandra/SliceGroups.ts"
import type { Page, SliceQuery } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { settled } from "../Completion.ts"
import { Sent } from "./CountedClient.ts"
import { FakeCluster } from "./FakeCluster.ts"

const START = Buffer.from([0x10])
const END = Buffer.from([0x80])
const keyOf = (number: number): Buffer => {
  const key = Buffer.alloc(8)
  key.writeUInt32BE(number * 8 + 0x10, 4)
  return key
}
const sliceOf = (number: number, limit?: number): SliceQuery => ({
  table: "edgestore",
  key: keyOf(number),
  start: START,
  end: END,
  limit
})
const limitsOf = (changes: Partial<GroupingOptions> = {}): GroupLimits =>
  new GroupLimits({ allowed: true, limit: 100, least: 2, ...changes })
const oneNode = { of: () => 0 }

describe("Slices of several rows", () => {
  it("share a statement up to the limit of rows, and one row has its own", () => {
    const placesOf = (count: number, limit: number) =>
      grouped(
        Array.from({ length: count }, (_, i) => sliceOf(i, 1)),
        limitsOf({ limit }),
        oneNode
      )
    const { groups, singles } = placesOf(201, 100)
    expect(groups.map(({ positions }) => positions.length)).toEqual([67, 67, 67])
    expect(groups.flatMap(({ positions }) => positions)).toEqual(Array.from({ length: 201 }, (_, i) => i))
    expect(singles).toEqual([])
    expect(placesOf(1, 100).singles).toEqual([0])
    expect(placesOf(2, 1).singles).toEqual([0, 1])
  })

  it("share a statement only up to the cells of twenty long rows", () => {
    const queries = Array.from({ length: 100 }, (_, i) => sliceOf(i))
    expect(grouped(queries, limitsOf(), oneNode).groups.map(({ positions }) => positions.length)).toEqual([
      20, 20, 20, 20, 20
    ])
    const fewer = grouped(queries, limitsOf({ limit: 7 }), oneNode)
    expect(Math.max(...fewer.groups.map(({ positions }) => positions.length))).toBe(7)
  })

  it("do not share a statement when they differ in columns, order, limit or replicas", () => {
    const queries = [
      sliceOf(1),
      { ...sliceOf(2), end: Buffer.from([0x90]) },
      { ...sliceOf(3), reverse: true },
      sliceOf(4, 7),
      { ...sliceOf(5), table: "graphindex" as const }
    ]
    expect(grouped(queries, limitsOf(), oneNode).groups).toEqual([])
    const byNode = grouped(
      [0, 1, 2, 3].map((i) => sliceOf(i)),
      limitsOf(),
      { of: (key) => (key[7]! >> 3) % 2 }
    )
    expect(byNode.groups.map(({ positions }) => positions)).toEqual([
      [0, 2],
      [1, 3]
    ])
  })

  it("are single slices when the options forbid groups, or when they are too few", () => {
    const queries = [1, 2, 3].map((i) => sliceOf(i))
    const forbidden = grouped(queries, limitsOf({ allowed: false }), oneNode)
    expect([forbidden.groups, forbidden.singles]).toEqual([[], [0, 1, 2]])
    expect(grouped(queries, limitsOf({ least: 4 }), oneNode).groups).toEqual([])
  })

  it("share a statement when there are a few more of them than it may have, and the rest has its own", () => {
    const queries = [1, 2, 3, 4].map((i) => sliceOf(i))
    const { groups, singles } = grouped(queries, limitsOf({ least: 3, limit: 3 }), oneNode)
    expect([groups.map(({ positions }) => positions), singles]).toEqual([[[0, 1, 2]], [3]])
  })

  it("share statements again after rows that are large, also if three rows are the least of a statement", () => {
    const limits = limitsOf({ least: 3 })
    const queries = Array.from({ length: 12 }, (_, i) => sliceOf(i))
    for (let answer = 0; answer < 60; answer++) limits.answered(queries[0]!, 20, 100 * 1024 * 1024)
    expect(grouped(queries, limits, oneNode).groups.map(({ positions }) => positions.length)).toEqual([3, 3, 3, 3])
  })

  it("share one larger statement a minute after the cluster has refused larger ones", () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    try {
      const limits = limitsOf()
      const queries = Array.from({ length: 60 }, (_, i) => sliceOf(i))
      const lengths = () => grouped(queries, limits, oneNode).groups.map(({ positions }) => positions.length)
      limits.refused(queries[0]!, 20)
      expect(lengths()).toEqual([10, 10, 10, 10, 10, 10])
      vi.advanceTimersByTime(61_000)
      expect(lengths()).toEqual([20, 10, 10, 10, 10])
      expect(lengths()).toEqual([10, 10, 10, 10, 10, 10])
    } finally {
      vi.useRealTimers()
    }
  })

  it("are read once when they are equal, also when they have a statement of their own", () => {
    const { groups, repeated, singles } = grouped([sliceOf(1), sliceOf(2), sliceOf(1), sliceOf(1)], limitsOf(), oneNode)
    expect([groups.map(({ positions }) => positions), singles, [...repeated]]).toEqual([[[0, 1]], [], [[0, [2, 3]]]])
    const alone = grouped([sliceOf(1), sliceOf(1), sliceOf(1, 5)], limitsOf(), oneNode)
    expect([alone.groups, alone.singles, [...alone.repeated]]).toEqual([[], [0, 2], [[0, [1]]]])
  })

  it("with many different columns and replicas at once share statements, and are read once when they are equal", () => {
    const starts = Array.from({ length: 10 }, (_, i) => Buffer.from([i]))
    const keys = Array.from({ length: 12 }, (_, i) => keyOf(i))
    const all = keys.flatMap((key) => starts.map((start): SliceQuery => ({ table: "edgestore", key, start, limit: 1 })))
    const byNode = grouped([...all, ...all], limitsOf(), { of: (key) => (key[7]! >> 3) % 6 })
    expect([byNode.groups.length, byNode.singles]).toEqual([60, []])
    expect([...byNode.repeated]).toEqual(all.map((_, at) => [at, [at + all.length]]))
  })

  it("are found again among many rows, in statements with other columns too", () => {
    const keys = Array.from({ length: 300 }, (_, i) => keyOf((i * i) % 97))
    const queries = keys.map((key, i): SliceQuery => ({ table: i % 3 === 0 ? "graphindex" : "edgestore", key }))
    const { repeated } = grouped(queries, limitsOf(), oneNode)
    const nameOf = (position: number): string =>
      `${queries[position]!.table} ${Buffer.from(keys[position]!).toString("hex")}`
    const expected = new Map<string, Array<number>>()
    for (const position of queries.keys()) {
      const positions = expected.get(nameOf(position))
      if (positions === undefined) expected.set(nameOf(position), [position])
      else positions.push(position)
    }
    const found = [...repeated].map(([first, others]) => [first, ...others])
    expect(found.sort()).toEqual([...expected.values()].filter(({ length }) => length > 1).sort())
  })

  it("are not compared with all others when somebody has chosen their keys for it", () => {
    const keys = keysOfOneSlot(200, 512)
    let reads = 0
    const queries = keys.map(
      (key): SliceQuery => ({
        table: "edgestore",
        get key() {
          reads++
          return key
        }
      })
    )
    const { repeated } = grouped(queries, limitsOf(), oneNode)
    expect(repeated.size).toBe(0)
    expect(reads).toBeLessThan(20 * keys.length)
  })

  it("of one row with other columns each have no equal slice, and are found again", () => {
    const starts = Array.from({ length: 12 }, (_, i) => Buffer.from([i]))
    const queries = [...starts, ...starts].map((start): SliceQuery => ({ table: "edgestore", key: keyOf(7), start }))
    const { repeated, singles } = grouped(queries, limitsOf(), oneNode)
    expect(singles).toEqual([...starts.keys()])
    expect([...repeated]).toEqual(starts.map((_, at) => [at, [at + starts.length]]))
  })
})

describe("A cluster", () => {
  const ROWS = 40
  const sent = new Sent()
  const cluster = new FakeCluster()
  let store: CqlStore
  let pages: CqlPages

  beforeAll(async () => {
    store = await cluster.store({}, sent, { newsInterval: 3_600_000 })
    pages = new CqlPages(store.columns, new Set(["edgestore"]))
    await settled(
      store.commit((batch) => {
        for (let row = 0; row < ROWS; row++) {
          // Row 0 is empty, and row 7 is longer than a group reads.
          const length = row === 7 ? 3 * GROUPED_CELLS : row
          const changes = Array.from({ length }, (_, i) => ({
            column: Buffer.from([0x20, i >> 8, i & 255]),
            value: Buffer.from([row, i & 255])
          }))
          if (length > 0) batch.change("edgestore", keyOf(row), changes)
        }
      })
    )
  })
  afterAll(() => store.close())

  const cells = ({ cells, more }: Page): ReadonlyArray<string> => {
    const cursor = new CellCursor().over(cells)
    const found: Array<string> = []
    while (cursor.next())
      found.push(`${Buffer.from(cursor.column()).toString("hex")}=${Buffer.from(cursor.value()).toString("hex")}`)
    return more ? [...found, "more"] : found
  }
  const queriesOf = (limit?: number) => Array.from({ length: ROWS }, (_, i) => sliceOf(i, limit))

  for (const limit of [undefined, 1, 5, GROUPED_CELLS, GROUPED_CELLS + 1, 10_000]) {
    it(`answers a group as it answers each slice, with the limit ${limit}`, async () => {
      const queries = queriesOf(limit)
      const single = await Promise.all(queries.map((query) => pages.read(query)))
      sent.clear()
      const group = await fetchAll(pages, queries)
      expect(group.map(cells)).toEqual(single.map(cells))
      // The groups, and one statement for the rest of the long row.
      const groups = limit === 1 || limit === 5 ? 1 : 2
      expect(sent.reads).toBe(groups + (limit === undefined || limit > GROUPED_CELLS ? 1 : 0))
    })
  }

  it("that limits the rows of a statement gets a statement for each row", async () => {
    cluster.weather = async (text) => {
      if (text.includes("IN ?")) throw Object.assign(new Error("guardrail partition_keys_in_select"), { code: 0x2200 })
    }
    const queries = queriesOf()
    sent.clear()
    const answers = await fetchAll(pages, queries)
    cluster.weather = async () => undefined
    expect(answers.map(cells)).toEqual((await fetchAll(pages, queries)).map(cells))
    expect(sent.reads).toBeGreaterThan(ROWS)
  })

  it("that limits the rows of a statement soon gets no more of them", async () => {
    const most = 6
    let refused = 0
    cluster.weather = async (_, parameters) => {
      if (!Array.isArray(parameters?.[0]) || parameters[0].length <= most) return
      refused++
      throw Object.assign(new Error("guardrail partition_keys_in_select"), { code: 0x2200 })
    }
    const other = new CqlPages(cluster.columns({}, sent), new Set(["edgestore"]))
    const queries = queriesOf(5)
    // 40 rows, 20, 10, and 5: the last ones are accepted.
    for (let fetch = 0; fetch < 3; fetch++) await fetchAll(other, queries)
    const before = refused
    sent.clear()
    const answers = await fetchAll(other, queries)
    expect([sent.reads, refused - before]).toEqual([8, 0])
    cluster.weather = async () => undefined
    expect(answers.map(cells)).toEqual((await fetchAll(pages, queries)).map(cells))
  })

  it("whose statement fails makes the fetch fail", async () => {
    cluster.weather = async (text) => {
      if (text.includes("IN ?")) throw Object.assign(new Error("overloaded"), { code: 0x1001 })
    }
    await expect(fetchAll(pages, queriesOf())).rejects.toThrow("overloaded")
    cluster.weather = async () => undefined
  })
})

it("A hundred rows on three nodes are two statements for each node", () => {
  const queries = Array.from({ length: 100 }, (_, i) => sliceOf(i))
  const { groups, singles } = grouped(queries, limitsOf(), { of: (key) => (key[7]! >> 3) % 3 })
  expect(groups).toHaveLength(6)
  expect(singles).toEqual([])
  const positions = groups.flatMap((group) => group.positions)
  expect([...positions].sort((a, b) => a - b)).toEqual(queries.map((_, i) => i))
})

/** Different keys that a hash (FNV-1 of 32 bits) without a seed puts into one slot of a table. */
const keysOfOneSlot = (count: number, slots: number): ReadonlyArray<Buffer> => {
  const keys: Array<Buffer> = []
  for (let i = 0; keys.length < count; i++) {
    const key = Buffer.alloc(8)
    key.writeInt32BE(i)
    let hash = key.length
    for (const byte of key) hash = Math.imul(hash ^ byte, 0x01000193)
    if (((hash ^ (hash >>> 15)) & (slots - 1)) === 0) keys.push(key)
  }
  return keys
}
