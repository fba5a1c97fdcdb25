import { describe, expect, it } from "vitest"
import { SourceTimes } from "../../../../src/storage/janusgraph/indexes/SourceTimes.ts"
import { opened } from "../../cassandra/ExpiringGraph.ts"

describe("A cell from which another one is made", () => {
  it("lives as long as a new one when the store does not find it", async () => {
    const { schema } = (await opened(["mood", "visit"])).graph.core
    const times = SourceTimes.of({ secondsLeft: () => undefined }, schema)!
    const cell = { key: Buffer.from("key"), column: Buffer.from("column") }
    const visit = schema.vertexLabels.get("visit")!.id
    const [mood, name] = [schema.keys.get("mood")!.id, schema.keys.get("name")!.id]
    expect(times.left({ ...cell, type: mood, label: 0 })).toBe(10)
    expect(times.left({ ...cell, type: name, label: visit })).toBe(10)
    expect(times.left({ ...cell, type: name, label: 0 })).toBe(0)
    expect(times.left({ ...cell, type: schema.labels.get("made")!.id })).toBe(0)
  })
})
