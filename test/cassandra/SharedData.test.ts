import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { runLater } from "../process/run.ts"
import { type JanusGraphPeer, openJanusGraph } from "./JanusGraphPeer.ts"
import { cqlGraph, newKeyspace } from "./Stores.ts"

/** Seconds of the TTLs of this file, and a time after which they have passed. */
const TTL_SECONDS = 8
const PASSED_MS = 9000

describe("Data that JanusGraph and this server share", () => {
  let java: JanusGraphPeer
  let graph: CellGraph

  beforeAll(async () => {
    const keyspace = newKeyspace()
    java = await openJanusGraph(keyspace, "java")
    await java.ask("partitioned part")
    await java.ask("hub part to 40")
    await java.ask(`expiring mood meets ${TTL_SECONDS}`)
    graph = await cqlGraph(keyspace)
  })

  afterAll(async () => {
    await graph?.close()
    await java?.close()
  })

  const ask = async (script: string): Promise<ReadonlyArray<string>> =>
    (await runLater(graph, script, { as: text })) as ReadonlyArray<string>

  it("includes all edges of a partitioned vertex of JanusGraph", async () => {
    expect(await java.ask("in part to")).toBe("40")
    expect(await ask("g.V().hasLabel('part').in('to').count()")).toEqual(["40"])
    expect(await ask("g.V().hasLabel('part').id().dedup().count()")).toEqual(["1"])
    expect(await ask("g.E().hasLabel('to').inV().dedup().count()")).toEqual(["1"])
  })

  it("includes edges that each of them adds to a partitioned vertex of the other", async () => {
    await ask("g.V().hasLabel('part').as('p').addV().addE('to').to('p')")
    await ask("g.V().hasLabel('part').as('p').V().hasLabel('part').addE('to').to('p')")
    expect(await java.ask("in part to")).toBe("42")
    expect(await ask("g.V().hasLabel('part').in('to').count()")).toEqual(["42"])
    await ask("g.V().hasLabel('part').inE('to').limit(20).drop()")
    expect(await java.ask("in part to")).toBe("22")
  })

  it("has no partitioned vertex, nor its edges, that one of them has dropped", async () => {
    await ask("g.V().hasLabel('part').drop()")
    expect(await java.ask("label part")).toBe("0")
    expect(await java.ask("edges to")).toBe("0")
    await ask("g.addV('part').as('p').addV().as('q').addE('to').to('p').select('q').addE('to').to('p')")
    expect(await java.ask("in part to")).toBe("2")
    expect(await java.ask("drop part")).toBe("dropped")
    expect(await ask("g.V().hasLabel('part').count()")).toEqual(["0"])
    expect(await ask("g.E().hasLabel('to').count()")).toEqual(["0"])
  })

  it("includes a partitioned label that is made here", async () => {
    const editor = await graph.management.edit()
    editor.makeVertexLabel("ours", false, true)
    await graph.management.commit(editor)
    await ask("g.addV('ours').as('p').addV().addE('into').to('p')")
    expect(await java.ask("in ours into")).toBe("1")
    await java.ask("hub ours into 5")
    expect(await ask("g.V().hasLabel('ours').in('into').count()")).toEqual(["6"])
  })

  it("ends for both when a TTL that JanusGraph defined has passed", async () => {
    await ask("g.addV().property('mood', 'glad').property('lasting', 'yes').as('p').addE('meets').to('p')")
    expect(await java.ask("count mood glad")).toBe("1")
    expect(await java.ask("edges meets")).toBe("1")
    await pause(PASSED_MS)
    for (const script of [
      "g.V().has('mood', 'glad').count()",
      "g.V().has('mood').count()",
      "g.E().hasLabel('meets').count()"
    ]) {
      expect(await ask(script)).toEqual(["0"])
    }
    expect(await java.ask("count mood glad")).toBe("0")
    expect(await java.ask("edges meets")).toBe("0")
    expect(await java.ask("count lasting yes")).toBe("1")
  })

  it("ends for both when a TTL that is defined here has passed", async () => {
    const editor = await graph.management.edit()
    const tag = editor.makeKey("tag", dataTypeOf("String"), "SINGLE")
    editor.setTimeToLive(tag, TTL_SECONDS)
    await graph.management.commit(editor)
    await java.ask("put tag java")
    await ask("g.addV().property('tag', 'here')")
    expect(await java.ask("count tag here")).toBe("1")
    expect(await ask("g.V().has('tag', 'java').count()")).toEqual(["1"])
    await pause(PASSED_MS)
    expect(await java.ask("count tag here")).toBe("0")
    expect(await ask("g.V().has('tag').count()")).toEqual(["0"])
  })
})
