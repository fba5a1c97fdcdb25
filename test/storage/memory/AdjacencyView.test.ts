import { expect, it, vi } from "vitest"
import { GraphData } from "../../../src/storage/memory/GraphData.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { EdgeRequest } from "../../../src/structure/graph/GraphReads.ts"
import { settled } from "../Completion.ts"

const EDGES = 20_000
const LIMIT = 4_096

it("Blocks of edges are held while reads have stopped inside a vertex, and not until the end of their transaction", async () => {
  const graph = new MemoryGraph(tinkerGraph("test"))
  const writing = graph.begin()
  const hub = writing.addVertex("hub", undefined)
  const hubId = writing.vertexId(hub)
  for (let i = 0; i < EDGES; i++) writing.addEdge(hub, "to", hub, undefined)
  await settled(writing.commit())
  const transaction = graph.begin({ readOnly: true })
  const refs = transaction.newRefs(1)
  refs[0] = transaction.vertexRef(hubId)
  const request = (direction: "OUT" | "IN"): EdgeRequest => ({
    edges: true,
    refs,
    length: 1,
    direction,
    labels: null,
    cursor: { row: 0, offset: 0 },
    limit: LIMIT,
    out: { rows: new Int32Array(LIMIT), refs: transaction.newRefs(LIMIT), length: 0 }
  })
  const [pin, unpin] = [vi.spyOn(GraphData.prototype, "pin"), vi.spyOn(GraphData.prototype, "unpin")]
  const held = () => pin.mock.calls.length - unpin.mock.calls.length
  const [out, into, rest] = [request("OUT"), request("IN"), request("OUT")]
  const finish = (read: EdgeRequest): void => {
    for (let done = false; !done; ) {
      read.out.length = 0
      done = transaction.expand(read)
    }
  }
  for (const read of [out, into]) expect(transaction.expand(read)).toBe(false)
  expect(held()).toBe(1)
  finish(out)
  expect(held()).toBe(1)
  finish(into)
  expect(held()).toBe(0)
  // A read that nobody ends is over with its transaction.
  expect(transaction.expand(rest)).toBe(false)
  expect(held()).toBe(1)
  transaction.rollback()
  expect(held()).toBe(0)
  await graph.close()
})
