import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

const running = async (...lines: ReadonlyArray<string>) => {
  const server = await startServer(onLmdb(newFolder(), ...lines))
  const ask = async (gremlin: string) => {
    const { json, status } = await post(server.authority, gremlin)
    return status === 200 ? json.result.data : String(json.message)
  }
  return { log: server.log, ask }
}

describe("The option schema.default", () => {
  it("=logging creates types as by default, with one log line for each", async () => {
    const { ask, log } = await running("schema.default=logging")
    for (let times = 0; times < 2; times++) {
      await ask("g.addV('person').property('name', 'a').as('p').addE('knows').to('p').iterate()")
    }
    expect(await ask("g.V().values('name')")).toEqual(["a", "a"])
    const lines = log.filter((line) => line.includes("which its schema did not have"))
    expect(lines.map((line) => line.slice(0, line.indexOf(",")))).toEqual([
      "INFO The graph 'graph' creates the vertex label person",
      "INFO The graph 'graph' creates the property key name",
      "INFO The graph 'graph' creates the edge label knows"
    ])
  })

  it("=default creates types without a log line, and a key has one value", async () => {
    const { ask, log } = await running()
    await ask("g.addV('person').property('name', 'a').property('name', 'b').iterate()")
    expect(await ask("g.V().values('name')")).toEqual(["b"])
    expect(log.filter((line) => line.includes("which its schema did not have"))).toEqual([])
  })

  it("=tp3 creates keys with the cardinality LIST", async () => {
    const { ask } = await running("schema.default=tp3")
    await ask("g.addV('person').property('name', 'a').property('name', 'b').property('name', 'a').iterate()")
    expect(await ask("g.V().values('name').order()")).toEqual(["a", "a", "b"])
    await ask("g.addV('one').property(single, 'age', 1).property(single, 'age', 2).iterate()")
    expect(await ask("g.V().hasLabel('one').values('age')")).toEqual([2])
    const cardinality = (key: string) => ask(`graph.openManagement().getPropertyKey('${key}').cardinality()`)
    expect([await cardinality("name"), await cardinality("age")]).toEqual([["LIST"], ["SINGLE"]])
  })

  it("=ignore-prop ignores properties with unknown keys, of vertices, edges and properties", async () => {
    const { ask } = await running("schema.default=ignore-prop")
    await ask(
      "mgmt = graph.openManagement(); mgmt.makePropertyKey('name').dataType(String.class).make(); " +
        "mgmt.makeVertexLabel('person').make(); mgmt.makeEdgeLabel('knows').make(); mgmt.commit()"
    )
    await ask(
      "g.addV('person').property('name', 'a', 'meta', 1).property('other', 2).as('p')" +
        ".addE('knows').to('p').property('name', 'e').property('since', 3).iterate()"
    )
    expect(await ask("g.V().properties().key()")).toEqual(["name"])
    expect(await ask("g.V().properties().properties()")).toEqual([])
    expect(await ask("g.E().properties().key()")).toEqual(["name"])
    expect(await ask("g.V().label().fold()")).toEqual([["person"]])
    expect(await ask("graph.openManagement().containsPropertyKey('other')")).toEqual([false])
  })

  it("=ignore-prop refuses unknown labels and missing constraints", async () => {
    const { ask } = await running("schema.default=ignore-prop", "schema.constraints=true")
    await ask(
      "mgmt = graph.openManagement(); mgmt.makePropertyKey('name').dataType(String.class).make(); " +
        "mgmt.makeVertexLabel('person').make(); mgmt.makeEdgeLabel('knows').make(); mgmt.commit()"
    )
    expect(await ask("g.addV('city')")).toContain(
      "Undefined vertex label: city. The graph makes no types by itself (schema.default=ignore-prop)"
    )
    expect(await ask("g.addV().as('a').addE('likes').to('a')")).toContain("Undefined edge label: likes")
    expect(await ask("g.addV('person').property('name', 'a')")).toContain("Property Key constraint does not exist")
    expect(await ask("g.addV('person').as('a').addE('knows').to('a')")).toContain(
      "Connection constraint does not exist"
    )
    await ask("g.addV('person').property('other', 'a').iterate()")
    expect(await ask("g.V().label()")).toEqual(["person"])
  })

  it("=none refuses unknown names", async () => {
    const { ask } = await running("schema.default=none")
    expect(await ask("g.addV('person')")).toContain("Undefined vertex label: person")
    expect(await ask("g.addV().property('name', 'a')")).toContain("Undefined property key: name")
    expect(await ask("g.addV().as('a').addE('knows').to('a')")).toContain("Undefined edge label: knows")
  })
})
