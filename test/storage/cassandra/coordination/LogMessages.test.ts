import { describe, expect, it } from "vitest"
import { runWhole } from "../../../../src/scheduling/Task.ts"
import { writeRelations, writeStatus } from "../../../../src/storage/cassandra/coordination/LogMessages.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { isSchemaId } from "../../../../src/storage/janusgraph/format/Ids.ts"
import { rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import { dumpedCells } from "../../janusgraph/Fixtures.ts"
import { readMessage } from "./LoggedMessages.ts"

/** The messages in a dump of JanusGraph's write-ahead log. One more cell is the number of messages of an instance. */
const messagesOf = (name: string) => dumpedCells(`${name}.txlog.csv`).filter(({ column }) => column.length > 1)

describe("A message of a log of transactions", () => {
  it("has the bytes of JanusGraph's message", () => {
    for (const name of ["jgfmt", "jgstr"]) {
      const messages = messagesOf(name)
      expect(messages.length).toBeGreaterThan(1)
      for (const { value } of messages) {
        const message = readMessage(value)
        const writer = new ByteWriter()
        writeStatus(writer, message, message.status, message.logName)
        if (message.status === "begun") runWhole(writeRelations(writer, message.added, message.removed))
        expect(writer.copy().toString("hex")).toBe(value.toString("hex"))
      }
    }
  })

  it("has the cells of its relations in the row of their vertex", () => {
    const hexOf = (...parts: ReadonlyArray<Uint8Array>): string => Buffer.concat(parts).toString("hex")
    const stored = new Set(dumpedCells("jgfmt.edgestore.csv").map((cell) => hexOf(cell.key, cell.column, cell.value)))
    const removed = new Set<string>()
    const added: Array<string> = []
    for (const { value } of messagesOf("jgfmt")) {
      const message = readMessage(value)
      for (const each of message.removed) removed.add(hexOf(rowKey(each.vertex, 5), each.column, each.value))
      for (const each of message.added) {
        if (!isSchemaId(each.vertex)) added.push(hexOf(rowKey(each.vertex, 5), each.column, each.value))
      }
    }
    expect(added.length).toBeGreaterThan(100)
    expect(added.filter((cell) => !stored.has(cell) && !removed.has(cell))).toEqual([])
  })

  it("gives other work a turn between its relations, and ends when it is too large", () => {
    const relation = { vertex: 256, column: Buffer.alloc(10), value: Buffer.alloc(1000) }
    const relations = Array.from({ length: 2000 }, () => relation)
    const turns = (most?: number) => {
      const task = writeRelations(new ByteWriter(), relations, relations, most)
      let count = 0
      for (let next = task.next(); ; next = task.next(), count++) if (next.done) return { count, isWhole: next.value }
    }
    expect(turns()).toEqual({ count: 15, isWhole: true })
    expect(turns(1_000_000)).toEqual({ count: 3, isWhole: false })
  })
})
