import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connect } from "../../src/storage/cassandra/Connection.ts"
import { CqlColumns } from "../../src/storage/cassandra/CqlColumns.ts"
import { prepareKeyspace } from "../../src/storage/cassandra/Keyspace.ts"
import type { CellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { canonicalId } from "../../src/storage/janusgraph/format/Ids.ts"
import { edgeIdText, parseRelationId } from "../../src/storage/janusgraph/format/RelationIds.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { runLater } from "../process/run.ts"
import { dumpedCells } from "../storage/janusgraph/Fixtures.ts"
import { cqlGraph, cqlOptions, newKeyspace } from "./Stores.ts"

/** The number of partition bits of the dump. */
const PARTITION_BITS = 5

interface Dumped {
  readonly vertices: ReadonlyArray<{ readonly id: string; readonly label: string }>
  readonly edges: ReadonlyArray<{ readonly id: string; readonly label: string; readonly out: string }>
}

const dumped = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "fixtures", "janusgraph-format", "jgfmt.graph.json"), "utf8")
) as Dumped

/** JanusGraph names some edges of a partitioned vertex by another row of that vertex. */
const canonicalEdgeId = (text: string): string => {
  const { into, out, relation, type } = parseRelationId(text)!
  return edgeIdText(relation, canonicalId(out, PARTITION_BITS), type, canonicalId(into!, PARTITION_BITS))
}

const edges = dumped.edges.map((edge) => ({ ...edge, id: canonicalEdgeId(edge.id) }))

/** Copies all cells that JanusGraph wrote into another keyspace. */
const load = async (keyspace: string): Promise<void> => {
  const options = cqlOptions(keyspace)
  const client = await connect(options)
  const columns = new CqlColumns(client, options)
  try {
    await prepareKeyspace(client, options)
    for (const table of [
      "edgestore",
      "graphindex",
      "janusgraph_ids",
      "system_properties",
      "systemlog",
      "txlog"
    ] as const) {
      for (const { column, key, value } of dumpedCells(`jgfmt.${table}.csv`)) {
        // Older than every write of this test.
        await columns.mutate(
          [{ table, key, additions: [{ column, value }], deletions: [] }],
          1_795_000_000_000_000n,
          "write"
        )
      }
    }
  } finally {
    await columns.close()
  }
}

describe("A keyspace that JanusGraph wrote", () => {
  const keyspace = newKeyspace()
  let graph: CellGraph

  beforeAll(async () => {
    await load(keyspace)
    graph = await cqlGraph(keyspace)
  })
  afterAll(() => graph.close())

  const query = async (script: string): Promise<ReadonlyArray<string>> => {
    const transaction = graph.begin()
    try {
      return (await runLater(graph, script, { as: text, transaction })) as ReadonlyArray<string>
    } finally {
      transaction.rollback()
    }
  }

  it("has the vertices and edges that JanusGraph read from it", async () => {
    // One more was added after the expected list was written.
    const late = await query("g.V().has('name', 'FromSecondInstance').id()")
    const ids = (await query("g.V().id()")).filter((id) => !late.includes(id))
    expect([...ids].sort()).toEqual(dumped.vertices.map(({ id }) => id).sort())
    expect([...(await query("g.E().id()"))].sort()).toEqual(edges.map(({ id }) => id).sort())
    for (const [kind, elements] of [
      ["V", dumped.vertices],
      ["E", edges]
    ] as const) {
      for (const label of new Set(elements.map((each) => each.label))) {
        const count = elements.filter((each) => each.label === label).length
        const extra = kind === "V" && label === "city" ? late.length : 0
        expect(await query(`g.${kind}().hasLabel('${label}').count()`)).toEqual([String(count + extra)])
      }
    }
  })

  it("is searched through the indexes that JanusGraph made", async () => {
    expect(await query("g.V().has('name', 'Alice').values('age')")).toEqual(["31"])
    expect(await query("g.V().has('name', 'Alice').outE('knows').has('since', 1999).values('note')")).toEqual([
      "old friends"
    ])
    expect(await query("g.E().has('since', 1999).label()")).toEqual(["knows"])
    expect(await query("g.V().has('ssn', '123-45').values('name')")).toEqual(["Alice"])
  })

  it("has the new values in its indexes after a write, and not the old ones", async () => {
    await query("g.V().has('name', 'Alice').property('age', 32)")
    expect(await query("g.V().has('name', 'Alice').values('age')")).toEqual(["32"])
    await query("g.V().has('name', 'Bob').property('name', 'Robert')")
    expect(await query("g.V().has('name', 'Robert').count()")).toEqual(["1"])
    expect(await query("g.V().has('name', 'Bob').count()")).toEqual(["0"])
    await query(
      "g.addV('person').property('name', 'Eve').as('e').V().has('name', 'Alice').addE('knows').to('e').property('since', 2026)"
    )
    expect(await query("g.V().has('name', 'Alice').outE('knows').has('since', 2026).inV().values('name')")).toEqual([
      "Eve"
    ])
    await query("g.V().has('name', 'Eve').drop()")
    expect(await query("g.V().has('name', 'Alice').outE('knows').has('since', 2026).count()")).toEqual(["0"])
    expect(await query("g.V().has('name', 'Eve').count()")).toEqual(["0"])
  })

  it("has no counters, and new ids that JanusGraph has not claimed", async () => {
    expect(graph.core.keepsCounts).toBe(false)
    const ids = await query("g.inject(1,2,3).addV('person').id()")
    const known = new Set(dumped.vertices.map(({ id }) => id))
    for (const id of ids) expect(known.has(id)).toBe(false)
    expect(new Set(ids).size).toBe(3)
  })
})
