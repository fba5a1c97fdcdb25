import { describe, expect, it } from "vitest"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { CellCursor } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { RowChanges } from "../../../../src/storage/janusgraph/commit/RowChanges.ts"
import { connect } from "../../../../src/storage/janusgraph/commit/SchemaCommit.ts"
import type { Id } from "../../../../src/storage/janusgraph/format/Ids.ts"
import { JavaEnum } from "../../../../src/storage/janusgraph/format/JavaValues.ts"
import { decodeRelation } from "../../../../src/storage/janusgraph/format/Relations.ts"
import { schemaRelated, systemType } from "../../../../src/storage/janusgraph/format/RelationTypes.ts"
import { fieldParameters } from "../../../../src/storage/janusgraph/management/IndexDefinition.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { parameter } from "../../../../src/storage/janusgraph/schema/DocumentFields.ts"
import { readWhole, schemaRowQuery } from "../../../../src/storage/janusgraph/schema/SchemaRead.ts"
import { readSchemaVertex } from "../../../../src/storage/janusgraph/schema/SchemaVertex.ts"
import { runLater } from "../../../process/run.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** A graph with an ordered index on `age`, a mixed one on `age` and `name`, and a composite one on `name`. */
const opened = async (store = new MemoryCellStore()): Promise<CellGraph> => {
  const graph = await cellGraph(store)
  const editor = await graph.management.edit()
  const [age, name] = [
    editor.makeKey("age", dataTypeOf("Integer"), "SINGLE"),
    editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  ]
  const index = { element: "vertex", unique: false } as const
  editor.makeIndex({ ...index, name: "byAge", kind: "ordered", keys: [age] })
  editor.makeIndex({ ...index, name: "words", kind: "mixed", keys: [age] })
  editor.makeIndex({ ...index, name: "byName", kind: "equality", keys: [name] })
  await graph.management.commit(editor)
  await runLater(graph, "g.addV().property('age', 3).property('name', 'a b')")
  const adding = await graph.management.edit()
  adding.addIndexKey(graph.core.schema.indexes.find((each) => each.name === "words")!, adding.key("name")!)
  await graph.management.commit(adding)
  await graph.management.built("words")
  return graph
}

const rowOf = (graph: CellGraph, id: number) => {
  const snapshot = graph.core.cells.snapshot()
  const row = readWhole((query) => snapshot.slice(query))(schemaRowQuery(id))
  snapshot.close()
  return row
}

const edgesOf = (graph: CellGraph, id: number) =>
  readSchemaVertex(id, rowOf(graph, id))!.edges.filter(({ category }) => category === "INDEX_FIELD")

/** The id of the connection of an index on one key with its key. */
const connectionOf = (graph: CellGraph, id: number): Id => {
  const cursor = new CellCursor().over(rowOf(graph, id))
  while (cursor.next()) {
    const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
    if (cell.type === schemaRelated) return cell.relation
  }
  return expect.fail("the index has no key")
}

/** The names of the indexes to which JanusGraph comes from a key. */
const indexesOf = (graph: CellGraph, key: string): ReadonlyArray<string | undefined> => {
  const { indexes, keys } = graph.core.schema
  const edges = edgesOf(graph, keys.get(key)!.id).filter(({ isIn }) => isIn)
  return edges.map(({ other }) => indexes.find(({ id }) => id === other)?.name)
}

const idOf = (graph: CellGraph, name: string): number =>
  graph.core.schema.indexes.find((each) => each.name === name)!.id

describe("A key in indexes that only this server knows", () => {
  it("is connected with none of them, so that JanusGraph can write and search it", async () => {
    const store = new MemoryCellStore()
    await (await opened(store)).close()
    const graph = await cellGraph(store)
    expect([indexesOf(graph, "age"), indexesOf(graph, "name")]).toEqual([[], ["byName"]])
    expect(graph.core.schema.indexes.map(({ fields }) => fields.map(({ name }) => name))).toEqual([
      ["age"],
      ["age", "name"],
      ["name"]
    ])
    expect(graph.core.schema.indexes.map(({ status }) => status)).toEqual(["ENABLED", "ENABLED", "ENABLED"])
    expect(await runLater(graph, "g.V().has('age', gt(2)).order().by('age').count()")).toEqual([1n])
    await graph.close()
  })

  it("is shown by JanusGraph as a field that is DISABLED", async () => {
    const graph = await opened()
    for (const name of ["byAge", "words"]) {
      for (const { modifier } of edgesOf(graph, idOf(graph, name))) {
        expect(parameter(modifier, "status")).toEqual(new JavaEnum("SchemaStatus", "DISABLED"))
      }
    }
    await graph.close()
  })

  it("loses the connection of an older version when the index is disabled or enabled", async () => {
    const graph = await opened()
    const [from, to] = [idOf(graph, "byAge"), graph.core.schema.keys.get("age")!.id]
    const changes = new RowChanges()
    await Pending.toPromise(
      graph.core.cells.commit((batch) => {
        const connection = { from, to, category: "INDEX_FIELD", modifier: fieldParameters(0, undefined) } as const
        connect(changes, connection, connectionOf(graph, from))
        changes.apply(batch)
        batch.advanceSchema()
      })
    )
    expect(indexesOf(graph, "age")).toEqual(["byAge"])
    await graph.management.setStatus(from, "DISABLED")
    expect(indexesOf(graph, "age")).toEqual([])
    await graph.management.enable(from)
    expect(await runLater(graph, "g.V().has('age', gt(2)).count()")).toEqual([1n])
    await graph.management.drop(from)
    expect(graph.core.schema.indexes.map(({ name }) => name)).toEqual(["words", "byName"])
    await graph.close()
  })
})
