import { describe, expect, it } from "vitest"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import type { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import { isSchemaId } from "../../../src/storage/janusgraph/format/Ids.ts"
import { idOfRowKey } from "../../../src/storage/janusgraph/format/RowKeys.ts"
import { LaterBulkLoader, NeedsTransaction } from "../../../src/storage/janusgraph/maintenance/bulk/LaterBulkLoader.ts"
import { context, imported, written } from "../../layers/tools/Graphs.ts"
import { entriesIn, opened } from "./ExpiringGraph.ts"

describe("A TTL over Cassandra", () => {
  it("is stored with the cells, and not in a property key of the schema", async () => {
    const { graph } = await opened()
    expect([...graph.core.schema.keys.keys()].sort()).toEqual(["mood", "name", "nick", "since"])
    expect(graph.core.schema.timeToLive(graph.core.schema.labels.get("knows")!.id)).toBe(10)
  })

  it("removes expired edges, values and vertices with their index entries", async () => {
    const { all, cluster } = await opened()
    await all(
      `g.addV('person').property('name', 'p').property('mood', 'glad').as('p').addV('person').property('name', 'q')
        .addE('knows').from('p').property('since', 1).addV('visit').property('name', 'v').addE('made').from('p').none()`
    )
    expect(await all("g.V().has('mood', 'glad').outE('knows').has('since', 1).count()")).toEqual(["1"])
    expect(await all("g.V().has('name', 'p').out().values('name')")).toEqual(["q", "v"])
    cluster.ahead += 10_000
    expect(await all("g.V().values('name')")).toEqual(["p", "q"])
    expect(await all("g.E().count()")).toEqual(["0"])
    expect(await all("g.V().has('name', 'p').valueMap()")).toEqual(["{name=[p]}"])
    expect(await all("g.V().has('mood', 'glad').count()")).toEqual(["0"])
    expect(await all("g.E().has('since', 1).count()")).toEqual(["0"])
    expect(await all("g.V().has('name', 'p').outE('knows').has('since', 1).count()")).toEqual(["0"])
  })

  it("begins again when a value is set again or an edge is changed", async () => {
    const { all, cluster } = await opened()
    await all(
      "g.addV('person').property('name', 'p').property('mood', 'glad').as('p').addE('knows').to('p').property('since', 1)"
    )
    cluster.ahead += 6000
    await all("g.V().has('name', 'p').property('mood', 'glad').outE('knows').property('since', 1).property('since', 2)")
    cluster.ahead += 6000
    expect(await all("g.V().has('mood', 'glad').out('knows').values('name')")).toEqual(["p"])
    expect(await all("g.E().has('since', 2).count()")).toEqual(["1"])
    cluster.ahead += 6000
    expect(await all("g.V().has('mood', 'glad').count()")).toEqual(["0"])
    expect(await all("g.E().count()")).toEqual(["0"])
  })

  it("is kept by an import, which needs transactions for it", async () => {
    const { all, cluster, graph } = await opened()
    await expect(new LaterBulkLoader(graph.core).begin(1, 1)).rejects.toBeInstanceOf(NeedsTransaction)
    const files = {
      "v.csv": "~id,~label,name,mood\na,person,p,glad\n",
      "e.csv": "~from,~to,~label,since:Int\na,a,knows,1\n"
    }
    await imported(graph, written(files))
    expect(await all("g.V().has('mood', 'glad').outE('knows').has('since', 1).count()")).toEqual(["1"])
    expect(entriesIn(cluster, graph, "byMood")).toHaveLength(1)
    cluster.ahead += 10_000
    expect(await all("g.V().values()")).toEqual(["p"])
    expect(await all("g.E().count()")).toEqual(["0"])
    expect(entriesIn(cluster, graph, "byMood")).toEqual([])
  })

  it("is kept by a repair: what it adds expires with the relation from which it is made", async () => {
    const { all, cluster, graph } = await opened()
    await all(
      `g.addV('person').property('name', 'p').property('mood', 'glad').as('p').addV('person').property('name', 'q')
        .addE('knows').from('p').property('since', 1).none()`
    )
    const columns = (graph.core.cells as CqlStore).columns
    // The in-cell of an edge has the lowest bit of its header set.
    const [mine] = cluster
      .cells("edgestore")
      .filter(({ column, key }) => !isSchemaId(idOfRowKey(key, 5)) && column[0]! >> 5 === 3 && (column[0]! & 1) === 1)
    const [entry] = entriesIn(cluster, graph, "byMood")
    await new Promise((resolve) => setTimeout(resolve, 2))
    for (const [table, { column, key }] of [
      ["edgestore", mine!],
      ["graphindex", entry!]
    ] as const)
      await columns.mutate([{ table, key, additions: [], deletions: [column] }], BigInt(Date.now()) * 1000n, "write")
    cluster.ahead += 5000
    expect(await verifyGraph(graph, true, context())).toContain("findings were repaired")
    expect(await all("g.V().has('mood', 'glad').out('knows').in('knows').values('name')")).toEqual(["p"])
    cluster.ahead += 5000
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong")
    expect(entriesIn(cluster, graph, "byMood")).toEqual([])
    expect(await all("g.V().has('name', 'q').in('knows').count()")).toEqual(["0"])
  })

  it("of existing elements ends for the entries of a later index, too", async () => {
    const { all, cluster, graph } = await opened()
    await all(
      `g.addV('person').property('mood', 'glad').as('p').addE('knows').to('p').property('name', 'e')
        .addV('visit').property('name', 'v').addV('person').property('name', 'w')`
    )
    cluster.ahead += 5000
    const editor = await graph.management.edit()
    const [mood, name] = [editor.key("mood")!, editor.key("name")!]
    const later = editor.makeRelationIndex(editor.label("knows")!, "knowsName", "BOTH", false, [name])
    editor.makeIndex({
      unique: false,
      kind: "mixed",
      name: "moods",
      element: "vertex",
      keys: [mood],
      mappings: ["TEXT"]
    })
    editor.makeIndex({ unique: true, kind: "equality", name: "byName", element: "vertex", keys: [name] })
    editor.makeIndex({ unique: false, kind: "equality", name: "edgesByName", element: "edge", keys: [name] })
    await graph.management.commit(editor)
    await graph.management.done(later.type.id)
    for (const { id } of graph.core.schema.indexes) await graph.management.done(id)
    const entries = () => [...cluster.cells("graphindex"), ...cluster.cells("engine_ranges")].length
    const before = entries()
    expect(await all("g.V().has('mood', textContains('glad')).outE('knows').has('name', 'e').count()")).toEqual(["1"])
    cluster.ahead += 5000
    expect(await all("g.V().has('mood', textContains('glad')).count()")).toEqual(["0"])
    // Those of glad in two indexes, of the edge, and of v.
    expect(before - entries()).toBe(4)
    await all("g.addV('person').property('name', 'v')")
    await expect(all("g.addV('person').property('name', 'w')")).rejects.toThrow("unique")
  })
})
