import { describe, expect, it } from "vitest"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { open, opened } from "../../storage/janusgraph/documents/DocumentGraphs.ts"
import { context } from "./Graphs.ts"

const verified = (graph: CellGraph, repair = false): Promise<string> =>
  verifyGraph(graph, repair, context()).catch((error: Error) => error.message)

const PEOPLE = "janusgraph_people"

/** Elements with values of every type that documents have. */
const EVERY_TYPE =
  "g.addV('person').property('bio', 'Likes graphs').property('code', 'A').property('title', 'Two Words').property('age', 42)" +
  ".property('big', 9007199254740993L).property('height', height).property('ratio', ratio).property('born', born).property('seen', seen)" +
  ".property('tag', 'x').property('tag', 'y').property('token', token).property('place', place).as('p')" +
  ".addE('knows').to('p').property('note', 'in Bern').property('weight', height)"

const nameOf = (id: string): string => Number(id).toString(36)

describe("verify of a graph whose mixed indexes are in a search engine", () => {
  it("finds nothing wrong after commits, and compares each document", async () => {
    const { ask, engine, graph } = await opened()
    await ask(EVERY_TYPE)
    await ask("g.addV().property('free', 'x')")
    const report = await verified(graph)
    // Two vertices, an edge and two documents.
    expect(report).toContain("5 comparisons with search engines")
    expect(report).toContain("Nothing is wrong.")
    // JanusGraph writes shorter fractions, lists in another order, and leaves documents without fields.
    const [id] = await ask("g.V().has('age', 42).id()")
    const json = engine.json(PEOPLE, nameOf(id!))
    const same = json
      .replace(/"ratio":[\d.]+/, '"ratio":0.1')
      .replace('["x","y"]', '["y","x"]')
      .replace("+00:00", "Z")
    engine.putJson(PEOPLE, nameOf(id!), same)
    engine.put(PEOPLE, "zz0", { tag: [] })
    expect(await verified(graph)).toContain("Nothing is wrong.")
  })

  it("finds and repairs documents that are missing, outdated, or without an element", async () => {
    const { ask, cluster, engine, graph } = await opened()
    await ask(EVERY_TYPE)
    const [id] = await ask("g.V().id()")
    const [edge] = await ask("g.E().id()")
    const right = engine.document(PEOPLE, nameOf(id!))!
    // A server without the engine writes an element.
    engine.put(PEOPLE, "zz0", { age: 1 })
    engine.put(PEOPLE, "not-a-vertex", { age: 1 })
    engine.put(PEOPLE, nameOf(id!), { ...right, age: 41 })
    engine.forget("janusgraph_ties", edge!)
    const report = await verified(graph)
    expect(report).toContain("1 x an outdated document of a search engine:")
    expect(report).toContain(`index People, document ${nameOf(id!)}`)
    expect(report).toContain("1 x a missing document of a search engine:")
    expect(report).toContain(`index ties, document ${edge}`)
    expect(report).toContain("2 x a document of a search engine without an element:")
    expect(report).toContain("4 findings. Run verify --repair to repair them.")
    expect(engine.document(PEOPLE, nameOf(id!))).toMatchObject({ age: 41 })
    const other = await open(cluster, engine.port)
    expect(await verified(other.graph, true)).toContain("4 findings were repaired.")
    expect(engine.documents(PEOPLE)).toEqual([right])
    expect(engine.document("janusgraph_ties", edge!)).toEqual({ note: "in Bern", weight: 2 })
    expect(await verified(graph)).toContain("Nothing is wrong.")
  })

  it("finds a document in which one field differs", async () => {
    const { ask, engine, graph } = await opened()
    const wrong: ReadonlyArray<readonly [field: string, json: string]> = [
      ["big", "9007199254740992"],
      ["big", "9007199254740993.5"],
      ["height", "2.5"],
      ["ratio", "0.2"],
      ["born", '"2023-11-14T22:13:20.124+00:00"'],
      ["title__STRING", '"Two words"'],
      ["tag", '["x"]'],
      ["place", "[13.4,52.6]"]
    ]
    for (const [field, json] of wrong) {
      const [id] = await ask(`${EVERY_TYPE}.outV().id()`)
      const right = engine.json(PEOPLE, nameOf(id!))
      engine.putJson(PEOPLE, nameOf(id!), right.replace(/}$/, `,"${field}":${json}}`))
    }
    expect(await verified(graph)).toContain(`${wrong.length} x an outdated document`)
  })

  it("finds the same for 300 vertices with edges, whatever the pages", async () => {
    const { ask, engine, graph } = await opened({ pageSize: 7 })
    await ask(
      "g.inject(0).repeat(addV().property('age', 1).as('v').addE('knows').to('v').property('weight', 0.5d).inV()).times(300)"
    )
    for (const name of engine.names(PEOPLE).slice(0, 20)) engine.forget(PEOPLE, name)
    for (const name of engine.names("janusgraph_ties").slice(0, 30)) engine.forget("janusgraph_ties", name)
    expect(await verified(graph)).toContain("50 findings.")
    expect(await verified(graph, true)).toContain("50 findings were repaired.")
    expect([engine.names(PEOPLE).length, engine.names("janusgraph_ties").length]).toEqual([300, 300])
  })

  it("says why it cannot compare", async () => {
    const { ask, engine, graph } = await opened()
    await ask(EVERY_TYPE)
    engine.fault = () => ({ status: 403, body: "no permission" })
    expect(await verified(graph)).toContain("answered POST /_mget with the status 403: no permission")
    engine.fault = ({ path }) => (path.startsWith("/_bulk") ? { status: 429, body: "too much" } : undefined)
    for (const name of engine.names(PEOPLE)) engine.forget(PEOPLE, name)
    expect(await verified(graph, true)).toContain("has not taken 1 documents of the index People")
  })
})
