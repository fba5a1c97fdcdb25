import { afterEach, describe, expect, it, vi } from "vitest"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import { ElementEntries } from "../../../src/storage/janusgraph/indexes/ElementEntries.ts"
import { context } from "../../layers/tools/Graphs.ts"
import { entriesIn, lose, opened, timeReads } from "./ExpiringGraph.ts"

const EDGES = 20

describe("verify --repair over Cassandra", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const withEdges = async (expiring: ReadonlyArray<string>) => {
    const { all, cluster, graph } = await opened(expiring)
    const edges = Array.from({ length: EDGES }, (_, at) => `.addE('knows').from('p').to('p').property('since', ${at})`)
    await all(`g.addV('person').as('p')${edges.join("")}.none()`)
    return { all, cluster, graph }
  }

  it("asks how long those cells live from which it makes missing entries, and no others", async () => {
    const { all, cluster, graph } = await withEdges(["knows"])
    await lose(graph, "graphindex", entriesIn(cluster, graph, "bySince").slice(-3))
    const reads = timeReads(cluster)
    cluster.ahead += 5000
    expect(await verifyGraph(graph, true, context())).toContain("3 findings were repaired")
    expect(reads()).toBe(3)
    expect(await all("g.E().has('since', 1).count()")).toEqual(["1"])
    cluster.ahead += 5000
    expect(entriesIn(cluster, graph, "bySince")).toEqual([])
  })

  it("visits the entries of a vertex once for all that are missing", async () => {
    const { cluster, graph } = await withEdges(["knows"])
    await lose(graph, "graphindex", entriesIn(cluster, graph, "bySince"))
    const visits = vi.spyOn(ElementEntries.prototype, "each")
    const reads = timeReads(cluster)
    expect(await verifyGraph(graph, true, context())).toContain(`${EDGES} findings were repaired`)
    expect(reads()).toBe(EDGES)
    // A commit over Cassandra runs again for what it lacks.
    const forRepair = visits.mock.calls.filter(([, , isDated]) => isDated !== undefined).length
    expect(forRepair).toBeGreaterThan(0)
    expect(forRepair).toBeLessThan(10)
  })

  it("asks nothing when no type has a TTL", async () => {
    const { all, cluster, graph } = await withEdges([])
    await lose(graph, "graphindex", entriesIn(cluster, graph, "bySince"))
    // The prefix of the copies of edges in vertex-centric indexes.
    const copies = cluster.cells("edgestore").filter(({ column }) => column[0]! >> 5 === 5)
    await lose(graph, "edgestore", copies.slice(0, 1))
    const reads = timeReads(cluster)
    expect(await verifyGraph(graph, true, context())).toContain(`${EDGES + 1} findings were repaired`)
    expect(reads()).toBe(0)
    expect(await all("g.E().has('since', 1).count()")).toEqual(["1"])
  })

  it("lets each entry of a unique index live as long as its own value", async () => {
    const { all, cluster, graph } = await opened()
    await all("g.addV('person').property(set, 'nick', 'one')")
    cluster.ahead += 5000
    await all("g.V().property(set, 'nick', 'two')")
    await lose(graph, "graphindex", entriesIn(cluster, graph, "byNick"))
    expect(await verifyGraph(graph, true, context())).toContain("2 findings were repaired")
    expect(await all("g.V().has('nick', 'one').has('nick', 'two').count()")).toEqual(["1"])
    cluster.ahead += 5000
    expect(entriesIn(cluster, graph, "byNick")).toHaveLength(1)
    expect(await all("g.V().has('nick', 'two').count()")).toEqual(["1"])
    cluster.ahead += 5000
    expect(entriesIn(cluster, graph, "byNick")).toEqual([])
  })
})
