import { describe, expect, it } from "vitest"
import { verifyGraph } from "../../../../src/layers/tools/Verification.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { context } from "../../../layers/tools/Graphs.ts"
import { opened } from "./DocumentGraphs.ts"

/** Vertices `visit`, edges `knows` and values of `code` have a TTL of ten seconds. */
const withTtl = async () => {
  const made = await opened({}, { forceIndex: true })
  const { management } = made.graph
  const editor = await management.edit()
  const types = [
    editor.makeVertexLabel("visit", true, false),
    editor.makeLabel("knows", "MULTI", false, []),
    editor.key("code")!
  ]
  for (const type of types) editor.setTimeToLive(type, 10)
  editor.makeKey("other", dataTypeOf("String"), "SINGLE")
  await management.commit(editor)
  return made
}

describe("Documents of elements whose TTL has ended", () => {
  it("are found by no search, and verify removes them or their fields", async () => {
    const { ask, cluster, engine, graph } = await withTtl()
    await ask(
      "g.addV('visit').property('age', 1).property('code', 'a').addV('person').property('age', 2).property('code', 'b').as('p')" +
        ".addE('knows').to('p').property('weight', height)"
    )
    for (const search of ["g.V().has('age', gt(0))", "g.V().has('code', within('a', 'b'))"]) {
      expect(await ask(`${search}.count()`)).toEqual(["2"])
    }
    cluster.ahead += 10_000
    // The engine still has all documents.
    expect([engine.names("janusgraph_people").length, engine.names("janusgraph_ties").length]).toEqual([2, 1])
    expect(await ask("g.V().has('age', gt(0)).values('age')")).toEqual(["2"])
    expect(await ask("g.V().has('age', gt(0)).count()")).toEqual(["1"])
    expect(await ask("g.V().has('code', within('a', 'b'))")).toEqual([])
    expect(await ask("g.V().hasLabel('visit').has('age', 1)")).toEqual([])
    expect(await ask("g.E().has('weight', gt(1)).count()")).toEqual(["0"])
    const report = await verifyGraph(graph, true, context())
    expect(report).toContain("2 x a document of a search engine without an element")
    expect(report).toContain("1 x an outdated document of a search engine")
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 2 }])
    expect(engine.documents("janusgraph_ties")).toEqual([])
  })
})
