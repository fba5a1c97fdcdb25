import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { newFolder } from "../Folders.ts"
import { configurationGraphOf, evaluated, withDynamicGraphs } from "../layers/support/DynamicGraphs.ts"
import { eventually, startInside } from "../layers/support/TestServers.ts"
import { type JanusGraphPeer, openJanusGraph } from "./JanusGraphPeer.ts"
import { newKeyspace } from "./Stores.ts"

describe("The configurations of graphs that JanusGraph and this server share", () => {
  let java: JanusGraphPeer
  const keyspace = newKeyspace()
  const port = inject("cassandraPort")

  beforeAll(async () => {
    java = await openJanusGraph(keyspace, "java", {}, "Configured")
    expect(await java.ask("template")).toBe("created")
  })
  afterAll(() => java?.close())

  /** Starts this server, which ends after the test. Returns a function that evaluates a script. */
  const started = async () => {
    const cql = ["storage.backend=cql", "storage.hostname=127.0.0.1", `storage.port=${port}`]
    const server = await startInside({
      ...withDynamicGraphs(newFolder(), { refreshInterval: 200 }),
      configurationGraph: configurationGraphOf([...cql, `storage.cql.keyspace=${keyspace}`])
    })
    return (script: string): Promise<ReadonlyArray<unknown>> => evaluated(server, script)
  }

  it("are those that JanusGraph has written, and open its graphs", async () => {
    const ask = await started()
    const data = newKeyspace()
    expect(await java.ask(`create there ${data}`)).toBe("created")
    await eventually(async () => (await ask("ConfiguredGraphFactory.getGraphNames()")).includes("there"))
    const found = await ask("ConfiguredGraphFactory.getConfiguration('there').get('storage.cql.keyspace')")
    expect(found).toEqual([data])
    await ask("there_traversal.addV('person').addV('person').iterate()")
    expect(await java.ask("count there")).toBe("2")
  })

  it("are those that this server has written, from the template of JanusGraph", async () => {
    const ask = await started()
    const name = newKeyspace().replace("test_", "here")
    await ask(`ConfiguredGraphFactory.create('${name}'); 1`)
    await ask(`${name}_traversal.addV('town').iterate()`)
    const options = await java.ask(`get ${name}`)
    for (const option of ["Created_Using_Template=true", `graph.graphname=${name}`, `storage.port=${port}`]) {
      expect(options).toContain(option)
    }
    expect(await java.ask("names")).toBe(`${name} there`)
    expect(await java.ask(`count ${name}`)).toBe("1")
  })

  it("follow changes of either", async () => {
    const ask = await started()
    expect(await java.ask("update there query.force-index true")).toBe("updated")
    await eventually(() =>
      ask("there_traversal.V().has('name', 'x').count()").then(
        () => false,
        (error: Error) => error.message.includes("force-index")
      )
    )
    await ask("ConfiguredGraphFactory.updateConfiguration('there', new MapConfiguration(['query.force-index': false]))")
    expect(await java.ask("get there")).toContain("query.force-index=false")
    expect(await ask("there_traversal.V().has('name', 'x').count()")).toEqual([0])
  })

  it("are forgotten when either removes them", async () => {
    const ask = await started()
    expect(await java.ask("remove there")).toBe("removed")
    await eventually(async () => !(await ask("ConfiguredGraphFactory.getGraphNames()")).includes("there"))
    const [name] = await ask("ConfiguredGraphFactory.getGraphNames()")
    await ask(`ConfiguredGraphFactory.drop('${name}')`)
    expect(await java.ask(`get ${name}`)).toBe("none")
    expect(await java.ask("names")).toBe("")
  })
})
