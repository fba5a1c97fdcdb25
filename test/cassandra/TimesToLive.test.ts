import { describe, expect, it } from "vitest"
import { cqlStore, newKeyspace } from "./Stores.ts"

describe("The remaining time to live of a cell of Cassandra", () => {
  it("is read in seconds, is 0 for a cell that does not expire, and undefined without the cell", async () => {
    const store = await cqlStore(newKeyspace())
    const { columns } = store
    const key = Buffer.from("row")
    const cell = (name: string, ttl: number) => ({ column: Buffer.from(name), value: Buffer.from([1]), ttl })
    const additions = [cell("brief", 100), cell("lasting", 0)]
    await columns.mutate([{ table: "edgestore", key, additions, deletions: [] }], 1001n, "write")
    const left = await columns.secondsLeft("edgestore", key, Buffer.from("brief"))
    expect(left).toBeGreaterThan(50)
    expect(left).toBeLessThanOrEqual(100)
    expect(await columns.secondsLeft("edgestore", key, Buffer.from("lasting"))).toBe(0)
    // It may have expired since it was read.
    expect(await columns.secondsLeft("edgestore", key, Buffer.from("gone"))).toBeUndefined()
    await store.close()
  })
})
