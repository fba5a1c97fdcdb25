import { describe, expect, it } from "vitest"
import { BulkLoader } from "../../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const half = "\ud83d"
/** A text that is compressed. */
const long = "x".repeat(16_000)

describe("A text with half of a surrogate pair", () => {
  it("is kept if it is short", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, Cardinality.single, "text", `a${half}b`)
    const id = transaction.vertexId(ref)
    await settled(transaction.commit())
    const reading = graph.begin({ readOnly: true })
    const [property] = reading.vertexProperties(reading.vertexRef(id), ["text"])
    expect(property?.value).toBe(`a${half}b`)
    reading.rollback()
    await graph.close()
  })

  it("is refused where it would be changed: in a property of a vertex, of an edge, of a property, in an array, and in a file", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const text = long + half
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", undefined)
    const refusal = "The property text cannot hold this text of 16001 characters: the one at index 16000 is incomplete"
    const { single } = Cardinality
    expect(() => transaction.setVertexProperty(ref, single, "text", text)).toThrow(refusal)
    expect(() => transaction.setVertexProperty(ref, single, "a", 1, { meta: new Map([["text", text]]) })).toThrow(
      refusal
    )
    const edge = transaction.addEdge(ref, "knows", ref, undefined)
    expect(() => transaction.setEdgeProperty(edge, "text", text)).toThrow(refusal)
    expect(() => transaction.setVertexProperty(ref, single, "texts", [long, text])).toThrow("at index 16000")
    transaction.setVertexProperty(ref, single, "text", `${long}\u{1f600}`)
    await settled(transaction.commit())
    const properties = [{ id: undefined, key: "text", value: text, cardinality: "single", meta: null } as const]
    expect(() => new BulkLoader(graph.core, false).vertex({ id: 1, label: "person", properties }, 0)).toThrow(refusal)
    await graph.close()
  })
})
