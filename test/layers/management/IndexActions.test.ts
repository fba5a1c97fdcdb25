import { describe, expect, it } from "vitest"
import { updateIndex } from "../../../src/layers/management/IndexActions.ts"
import type { ScriptObject } from "../../../src/layers/management/ScriptObject.ts"
import { Pending } from "../../../src/scheduling/Pending.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { newFolder } from "../../Folders.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

describe("The wait for the status of an index", () => {
  it("ends after a time in a unit that it knows, and refuses any other unit", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    const wait = async (unit: string) => {
      const schema =
        "mgmt = graph.openManagement(); name = mgmt.makePropertyKey('name').dataType(String.class).make(); " +
        "mgmt.buildIndex('byName', Vertex.class).addKey(name).buildCompositeIndex(); mgmt.commit(); "
      const awaited = "ManagementSystem.awaitGraphIndexStatus(graph, 'byName').status(SchemaStatus.DISABLED)"
      const isNew = unit === "ChronoUnit.MILLIS"
      return post(authority, `${isNew ? schema : ""}${awaited}.timeout(5, ${unit}).call().getSucceeded()`)
    }
    expect((await wait("ChronoUnit.MILLIS")).json.result.data).toEqual([false])
    expect((await wait("TimeUnit.MILLISECONDS")).json.result.data).toEqual([false])
    for (const unit of ["ChronoUnit.WEEKS", "ChronoUnit.constructor", "TimeUnit.constructor"]) {
      const { json, status } = await wait(unit)
      expect([unit, status, String(json.message)]).toEqual([
        unit,
        500,
        expect.stringMatching(/timeout\(\) does not know the unit|has no constant/)
      ])
    }
  })
})

describe("An index on edges by a text", () => {
  it("refuses a text with U+0000, which its entries cannot store, when an edge is written and when the index is built", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    const ask = async (gremlin: string) => {
      const { json, status } = await post(authority, gremlin)
      return status === 200 ? json.result.data : `${json["Exception-Class"]}: ${json.message}`
    }
    const refusal = expect.stringMatching(
      /^(?!InternalError).*cannot store a text with the character U\+0000.*"a\\u0000b"/
    )
    await ask(
      "m = graph.openManagement(); k = m.makePropertyKey('name').dataType(String.class).make(); m.makeEdgeLabel('later').make(); " +
        "m.buildEdgeIndex(m.makeEdgeLabel('knows').make(), 'byName', Direction.BOTH, Order.asc, k); m.commit()"
    )
    const add = (label: string) => `g.addV().as('a').addE('${label}').to('a').property('name', 'a\\u0000b').iterate()`
    expect(await ask(add("knows"))).toEqual(refusal)
    expect(await ask("g.V().count()")).toEqual([0])
    expect(await ask(add("later"))).toEqual([])
    const build =
      "m = graph.openManagement(); l = m.getEdgeLabel('later'); m.buildEdgeIndex(l, 'later', Direction.OUT, Order.asc, m.getPropertyKey('name')); " +
      "m.commit(); ManagementSystem.awaitRelationIndexStatus(graph, 'later', 'later').call()"
    expect(await ask(build)).toEqual(refusal)
    expect(await ask("g.E().has('name', 'a\\u0000b').count()")).toEqual([1])
  })
})

it.each(["DISABLE_INDEX", "MARK_DISCARDED"])(
  "%s fails again while another server has not acknowledged it, though the status is stored",
  async (action) => {
    const cluster = new FakeCluster()
    const { sleep } = cluster
    // The time of an announcement passes with its pauses.
    cluster.sleep = (milliseconds) => {
      if (milliseconds === 500) cluster.elapsed += 10_000
      return sleep(milliseconds)
    }
    const graph = await cellGraph(await cluster.store())
    const editor = await graph.management.edit()
    const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique: false, keys: [name] })
    await graph.management.commit(editor)
    const { id } = graph.core.schema.indexes[0]!
    if (action === "MARK_DISCARDED") await graph.management.setStatus(id, "DISABLED")
    const other = await cellGraph(await cluster.store({}, undefined, { newsInterval: 20 }))
    const transaction = other.begin()
    await Pending.toPromise(transaction.prefetch([]))
    const act = async (): Promise<void> => {
      const now = await graph.management.edit()
      const done = updateIndex(graph, now, { kind: "index", index: now.schema.indexes[0]! }, action)
      const job = await done.run(
        () => undefined,
        () => undefined
      )
      await Pending.toPromise((job as ScriptObject).call("get", [], () => undefined).later!)
    }
    for (let attempt = 0; attempt < 2; attempt++) await expect(act()).rejects.toThrow("have not acknowledged it")
    transaction.rollback()
    await act()
    for (const each of [graph, other]) await each.close()
  }
)
