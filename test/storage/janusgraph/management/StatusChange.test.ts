import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { SchemaStatus } from "../../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { runLater } from "../../../process/run.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { cellGraph } from "../Graphs.ts"

describe("A status that a user sets while a build repeats its own change", () => {
  let cluster: FakeCluster
  let graph: CellGraph
  let id: number

  beforeEach(async () => {
    cluster = new FakeCluster()
    graph = await cellGraph(await cluster.store())
    onTestFinished(() => graph.close())
    const editor = await graph.management.edit()
    const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique: true, keys: [name] })
    await graph.management.commit(editor)
    await runLater(graph, "g.addV().property('name', 'a')")
    id = graph.core.schema.indexes[0]!.id
    await graph.management.setStatus(id, "DISABLED")
    const other = await cellGraph(await cluster.store({}, undefined, { newsInterval: 20 }))
    onTestFinished(() => other.close())
  })

  const statusOf = (): SchemaStatus | undefined => graph.core.schema.indexes[0]?.status

  /** Fails the announcement with this number, after which a user sets a status. */
  const setAfter = (number: number, status: SchemaStatus): (() => Promise<void> | undefined) => {
    let set: Promise<void> | undefined
    let announced = 0
    graph.core.onRepetition = () => {
      cluster.weather = async () => undefined
      set = graph.management.setStatus(id, status)
    }
    cluster.weather = async (text, parameters = []) => {
      // The other server writes its acknowledgements to the same table: they begin with the number 1.
      if (!/INSERT .*systemlog/.test(text) || (parameters[2] as Buffer)[0] !== 0x80) return
      if (++announced === number) throw Object.assign(new Error("no answer"), { name: "OperationTimedOutError" })
    }
    return () => set
  }

  it.for([
    ["enables an index that is disabled again", 1, "ENABLED"],
    ["disables an index that is registered", 2, "DISABLED"]
  ] as const)("stays, and ends the build, when it %s", async ([, number, status]) => {
    const set = setAfter(number, status)
    await expect(graph.management.rebuild(id)).rejects.toThrow(`byName has got the status ${status}`)
    await set()
    expect(statusOf()).toBe(status)
  })

  it("stays when the values do not allow the index, which gets its earlier status back", async () => {
    await runLater(graph, "g.addV().property('name', 'a')")
    const set = setAfter(3, "ENABLED")
    await expect(graph.management.rebuild(id)).rejects.toThrow(/unique/)
    expect(set()).toBeDefined()
    await set()
    expect(statusOf()).toBe("ENABLED")
  })
})
