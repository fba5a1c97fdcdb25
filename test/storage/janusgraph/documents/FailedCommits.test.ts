import { describe, expect, it } from "vitest"
import { CommitOutcomeUnknown, StorageUnavailable } from "../../../../src/structure/errors/StoreErrors.ts"
import { eventually } from "../../../layers/support/TestServers.ts"
import { open, opened } from "./DocumentGraphs.ts"

describe("A commit that fails", () => {
  it("after its changes are committed has its documents written", async () => {
    const { ask, cluster, engine } = await opened({}, { constraints: true })
    await open(cluster, engine.port)
    await ask("g.addV('person').property('age', 1)")
    cluster.weather = async (text) => {
      if (text.includes('"systemlog"') && !text.startsWith("SELECT")) throw new Error("no replica answers")
    }
    // The new constraint is announced to the other server.
    await expect(ask("g.V().hasLabel('person').property('code', 'a')")).rejects.toThrow("The changes are committed")
    cluster.weather = async () => undefined
    await eventually(() => engine.documents("janusgraph_people").some((each) => each.code === "a"))
  })

  it("because the cluster refuses its first element reports that, and leaves nothing in the log", async () => {
    const { ask, cluster, engine, graph } = await opened()
    await ask("g.addV().property('age', 1)")
    await graph.core.documents!.flush()
    cluster.weather = async (text) => {
      if (text.startsWith("SELECT") || !text.includes('"edgestore"')) return
      throw Object.assign(new Error("no MODIFY"), { code: 0x2100 })
    }
    const refused = await ask("g.addV().property('age', 2)").catch((cause: Error) => cause)
    expect(refused).toBeInstanceOf(StorageUnavailable)
    cluster.weather = async () => undefined
    await graph.core.documents!.flush()
    const count = engine.received.length
    const next = await open(cluster, engine.port)
    await next.graph.core.documents!.recover()
    expect(next.graph.core.documents!.waiting).toBe(0)
    expect(engine.received.length).toBe(count)
    expect(await ask("g.V().count()")).toEqual(["1"])
  })

  it("because the log of documents does not answer reports that, and not an unknown outcome", async () => {
    const { ask, cluster, engine, graph } = await opened()
    await ask("g.addV().property('age', 1)")
    await graph.core.documents!.flush()
    const changed: Array<string> = []
    cluster.weather = async (text) => {
      if (text.startsWith("SELECT")) return
      changed.push(text)
      throw Object.assign(new Error("no answer"), { name: "OperationTimedOutError" })
    }
    const refused = await ask("g.addV().property('age', 2)").catch((cause: Error) => cause)
    expect(refused).toBeInstanceOf(StorageUnavailable)
    expect((refused as Error).message).toContain("The commit has changed nothing in the graph: run it again.")
    cluster.weather = async () => undefined
    expect(changed.every((text) => text.includes('"engine_ranges"'))).toBe(true)
    expect(await ask("g.V().count()")).toEqual(["1"])
    await ask("g.addV().property('age', 2)")
    await graph.core.documents!.flush()
    expect(engine.documents("janusgraph_people")).toHaveLength(2)
  })

  it("with an unknown outcome has its documents written again, because its writes may arrive later", async () => {
    const { cluster, engine } = await opened()
    const latePauses = Array.from({ length: 1000 }, () => 10)
    const { ask, graph, told } = await open(
      cluster,
      engine.port,
      {},
      {},
      { requestTimeout: 100, limits: { latePauses } }
    )
    await ask("g.addV().property('age', 1)")
    let arrive: () => void = () => undefined
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    cluster.weather = async (statement) => {
      if (!statement.startsWith("SELECT") && statement.includes('"edgestore"')) await arrival
    }
    const count = () => engine.paths().filter((path) => path === "POST /_mget").length
    const before = count()
    await expect(ask("g.addV().property('age', 2)")).rejects.toBeInstanceOf(CommitOutcomeUnknown)
    // The documents were written from the state without the element.
    await eventually(() => count() > before + 1)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 1 }])
    arrive()
    await eventually(() => engine.documents("janusgraph_people").length === 2)
    await graph.close()
    expect(told.failures).toEqual([])
    // The entry is still in the log.
    const next = await open(cluster, engine.port)
    const known = count()
    await next.graph.core.documents!.recover()
    await eventually(() => count() > known)
  })
})
