import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { GraphSONSerializer } from "../../src/protocol/graphson/GraphSONSerializer.ts"
import { liveBytes } from "../layers/support/LiveMemory.ts"

const MESSAGES = 200
/** Characters of each message that are not part of what it says. */
const FILLING = 100_000

/** A message with a traversal, and with spaces. */
const messageOf = (requestId: string): string =>
  JSON.stringify({
    requestId: { "@type": "g:UUID", "@value": requestId },
    op: "bytecode",
    processor: "traversal",
    args: { gremlin: { "@type": "g:Bytecode", "@value": { step: [["V"], ["has", "name", "x"]] } }, aliases: { g: "g" } }
  }) + " ".repeat(FILLING)

it("A message that was read does not hold its text", () => {
  const serializer = new GraphSONSerializer(3, true)
  const before = liveBytes()
  const read = Array.from({ length: MESSAGES }, () => serializer.readMessage(messageOf(randomUUID())))
  const held = liveBytes() - before
  expect(new Set(read.map(({ requestId }) => requestId)).size).toBe(MESSAGES)
  expect(held / MESSAGES).toBeLessThan(FILLING / 10)
})
