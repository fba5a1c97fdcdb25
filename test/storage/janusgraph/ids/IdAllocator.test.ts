import { describe, expect, it } from "vitest"
import { IdAllocator } from "../../../../src/storage/janusgraph/ids/IdAllocator.ts"
import { StorageFailure } from "../../../../src/structure/errors/StoreErrors.ts"
import { runLater } from "../../../process/run.ts"
import { cellGraph } from "../Graphs.ts"
import { SlowClaims, SlowlyClaimingStore } from "./SlowClaims.ts"

describe("The id allocator of a store with asynchronous claims", () => {
  it("makes a traversal wait that needs more ids than a block has", async () => {
    const store = new SlowlyClaimingStore(10)
    const graph = await cellGraph(store)
    const add =
      "g.inject(1).repeat(__.addV('person').property('name', 'x').as('a').addE('knows').to('a').inV()).times(400)"
    await runLater(graph, `${add}.none()`)
    const ids = (await runLater(graph, "g.V().id()")) as Array<bigint | number>
    expect(ids.length).toBe(400)
    expect(new Set(ids.map(Number)).size).toBe(400)
    expect(await runLater(graph, "g.E().count()")).toEqual([400n])
    expect(await runLater(graph, "g.E().id().dedup().count()")).toEqual([400n])
  })

  it("makes a commit wait that needs more relation ids than are left", async () => {
    // A block has 8 relation ids. The commit of a vertex needs two.
    const store = new SlowlyClaimingStore(1)
    const graph = await cellGraph(store)
    const adds = Array.from({ length: 30 }, () => ".addV('person')").join("")
    await runLater(graph, `g${adds}.none()`)
    expect(await runLater(graph, "g.V().hasLabel('person').count()")).toEqual([30n])
  })

  it("allocates each count once, with the partition and the tag of its block", async () => {
    const ids = new IdAllocator(new SlowClaims(10), 5)
    await ids.ensure("vertex", 25)
    const given = Array.from({ length: 25 }, () => ids.vertex())
    // count, 5 bits of partition, 3 bits of kind
    expect(given).toEqual(Array.from({ length: 25 }, (_, i) => (((i + 1) * 16 + 3) * 32 + 7) * 8))
    await ids.ensure("schema", 50)
    expect(ids.schema("propertyKey")).toBe((16 + 3) * 64 + 0b000101)
  })

  it("claims the next block before the current one is used up", async () => {
    const source = new SlowClaims(100)
    const ids = new IdAllocator(source, 5)
    await ids.ensure("vertex", 1)
    for (let i = 0; i < 70; i++) ids.vertex()
    expect(source.claims).toBe(1)
    ids.vertex()
    expect(source.claims).toBe(2)
    expect(ids.missing("vertex", 29)).toBeUndefined()
  })

  it("reports the failure of the last claim when no ids are left", async () => {
    const source = new SlowClaims(1)
    const ids = new IdAllocator(source, 5)
    await ids.ensure("vertex", 1)
    source.failure = new StorageFailure("no replica answers")
    ids.vertex()
    await expect(ids.ensure("vertex", 1)).rejects.toThrow("no replica answers")
    expect(() => ids.vertex()).toThrow(/Run the request again in a moment, or raise ids.block-size.*no replica answers/)
    // The size of a block of schema ids is fixed.
    expect(() => ids.schema("edgeLabel")).toThrow("Run the request again in a moment.")
    source.failure = undefined
    await ids.ensure("vertex", 1)
    expect(ids.vertex()).toBe((2 * 16 + 3) * 256 + 7 * 8)
  })
})
