import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type ChangedColumns, type ReadRange, RecentChanges } from "../../../src/storage/cassandra/RecentChanges.ts"

const column = (at: number): Uint8Array => Uint8Array.of(at)

const changes = (row: string, columns: ChangedColumns): ReadonlyMap<string, ChangedColumns> => new Map([[row, columns]])

const read = (since: number, start?: number, end?: number, row = "a row"): ReadRange => ({
  row,
  start: start === undefined ? undefined : column(start),
  end: end === undefined ? undefined : column(end),
  since,
  seen: undefined
})

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("Recent changes of a process", () => {
  it("tell a commit which write has changed what it has read", async () => {
    const recent = new RecentChanges()
    const commit = recent.begin()
    const before = recent.now
    const writing = recent.write(changes("a row", [column(5)]))
    expect(recent.conflict(read(recent.now, 5, 6))).toBe(writing)
    expect(recent.conflict(read(recent.now, 6))).toBeUndefined()
    expect(recent.conflict(read(recent.now, 0, 5))).toBeUndefined()
    expect(recent.conflict(read(recent.now, 5, 6, "another row"))).toBeUndefined()
    recent.finish(writing)
    await writing.done
    expect(recent.conflict(read(before))).toBe(writing)
    expect(recent.conflict(read(recent.now))).toBeUndefined()
    recent.end(commit)
    expect(recent.conflict(read(before))).toBeUndefined()
  })

  it("tell of the removal of a row whatever part of it was read", () => {
    const recent = new RecentChanges()
    const writing = recent.write(changes("a row", null))
    expect(recent.conflict(read(0, 200, 201))).toBe(writing)
  })

  // With work that grows with the square of the writes, this takes longer than a test may.
  it("of a commit that 200,000 others outlive are forgotten in short turns", async () => {
    const recent = new RecentChanges()
    const long = recent.begin()
    const before = recent.now
    let conflicts = 0
    for (let at = 0; at < 200_000; at++) {
      const commit = recent.begin()
      const since = recent.now
      const writing = recent.write(changes("a row", [column(1)]))
      if (recent.conflict(read(since, 2, 3)) !== undefined) conflicts++
      recent.finish(writing)
      recent.end(commit)
    }
    expect(conflicts).toBe(0)
    expect(recent.conflict(read(before, 1, 2))).toBeDefined()
    recent.end(long)
    let turns = 0
    while (recent.conflict(read(before, 1, 2)) !== undefined) {
      await turn()
      turns++
    }
    expect(turns).toBeGreaterThan(10)
  })

  it("of a commit that others outlive are forgotten a part in each turn, also while more commits end", async () => {
    const ROWS = 20_000
    const recent = new RecentChanges()
    const long = recent.begin()
    const before = recent.now
    const writeRow = (row: string): void => {
      const commit = recent.begin()
      recent.finish(recent.write(changes(row, [column(1)])))
      recent.end(commit)
    }
    for (let row = 0; row < ROWS; row++) writeRow(`row ${row}`)
    const known = (): number => {
      let rows = 0
      for (let row = 0; row < ROWS; row++) {
        if (recent.conflict(read(before, 1, 2, `row ${row}`)) !== undefined) rows++
      }
      return rows
    }
    recent.end(long)
    for (let left = known(); left > 0; left = known()) {
      for (let other = 0; other < 20; other++) writeRow("another row")
      expect(known()).toBe(left)
      await turn()
      expect(left - known()).toBeLessThan(10_000)
    }
  })

  it("of a commit with very many rows are known without a look at each row", async () => {
    const rows = new Map(Array.from({ length: 5000 }, (_, row) => [`row ${row}`, [column(1)]]))
    const recent = new RecentChanges()
    const long = recent.begin()
    const before = recent.now
    const opaque = new Proxy(rows, {
      get: (target, name) => {
        if (name === "size") return target.size
        if (name === "get") return target.get.bind(target)
        throw new Error(`${String(name)} is called`)
      }
    })
    const writing = recent.write(opaque)
    const asked = read(recent.now, 1, 2, "row 7")
    expect(recent.conflict(asked)).toBe(writing)
    expect(recent.conflict(read(before, 2, 3, "row 7"))).toBeUndefined()
    expect(recent.conflict(read(before, 1, 2, "another row"))).toBeUndefined()
    recent.finish(writing)
    await writing.done
    expect(recent.conflict(asked)).toBe(writing)
    expect(recent.conflict(read(recent.now, 1, 2, "row 7"))).toBeUndefined()
    recent.end(long)
    expect(recent.conflict(asked)).toBeUndefined()
  })

  it("of large writes are known also when many others are kept", () => {
    const recent = new RecentChanges(0)
    const long = recent.begin()
    const before = recent.now
    for (let at = 0; at < 100; at++) recent.finish(recent.write(changes(`row ${at}`, [column(1)])))
    const known = (): number => {
      let rows = 0
      for (let at = 0; at < 100; at++) if (recent.conflict(read(before, 1, 2, `row ${at}`)) !== undefined) rows++
      return rows
    }
    expect(known()).toBe(100)
    recent.end(long)
    expect(known()).toBe(0)
  })

  // With the limit 0 every write is large, until too many are kept.
  it.each([
    ["small", 1],
    ["large", 0]
  ])("are those of every write that has ended since a read, in any order of commits with %s writes", (_, maxRows) => {
    const actions = fc.array(fc.tuple(fc.constantFrom("begin", "end", "write", "finish"), fc.nat(9), fc.nat(2)))
    fc.assert(
      fc.property(actions, (all) => {
        const recent = new RecentChanges(maxRows)
        const commits: Array<{ readonly begun: ReturnType<RecentChanges["begin"]>; readonly since: number }> = []
        const running: Array<ReturnType<RecentChanges["write"]>> = []
        const known: Array<{ readonly writing: ReturnType<RecentChanges["write"]>; row: string; at: number }> = []
        for (const [action, which, row] of all) {
          if (action === "begin") commits.push({ begun: recent.begin(), since: recent.now })
          else if (action === "write") {
            const writing = recent.write(changes(`row ${row}`, [column(which)]))
            running.push(writing)
            known.push({ writing, row: `row ${row}`, at: which })
          } else if (action === "end") {
            for (const { begun } of commits.splice(which % (commits.length + 1), 1)) recent.end(begun)
          } else for (const writing of running.splice(which % (running.length + 1), 1)) recent.finish(writing)
          for (const { since } of commits) {
            for (let at = 0; at < 10; at++) {
              const asked = read(since, at, at + 1, "row 0")
              const touching = known.filter(
                (each) => each.row === "row 0" && each.at === at && each.writing.finished > since
              )
              const found = recent.conflict(asked)
              expect(found !== undefined).toBe(touching.length > 0)
              if (found !== undefined) expect(touching.map(({ writing }) => writing)).toContain(found)
            }
          }
        }
      })
    )
  })
})
