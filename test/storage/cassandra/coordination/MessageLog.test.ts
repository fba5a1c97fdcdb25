import { describe, expect, it } from "vitest"
import { logRowKey } from "../../../../src/storage/cassandra/coordination/MessageLog.ts"
import { dumpedCells } from "../../janusgraph/Fixtures.ts"

describe("The row of a message in a log", () => {
  it("is that of JanusGraph for its time and its partition", () => {
    const messages = dumpedCells("jgfmt.txlog.csv").filter(({ column }) => column.length > 1)
    const partitions = new Set<number>()
    for (const { column, key } of messages) {
      const partition = key[0]! >> 6
      partitions.add(partition)
      expect(logRowKey(column.readBigInt64BE(0), 0, partition, 2).toString("hex")).toBe(key.toString("hex"))
    }
    expect(partitions.size).toBeGreaterThan(1)
  })
})
