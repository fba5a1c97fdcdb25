import { describe, expect, it } from "vitest"
import { consoleScript } from "../../../src/layers/evaluation/ConsoleScript.ts"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { isPacked } from "../support/Packed.ts"
import { startServer } from "../support/TestServers.ts"

const initialization = (...texts: ReadonlyArray<string>) => ({
  initialization: {
    scripts: texts.map((text, index) => ({ file: `/data${index}.groovy`, text, isData: true })),
    defaultSources: new Set(["g"])
  }
})

describe("A script of dataScripts", () => {
  it("fills the graph before the server listens, in the order of the names", async ({ skip }) => {
    skip(isPacked, "the setting dataScripts names a folder; test/launcher runs one with the package")
    const { authority } = await startServer({
      ...onLmdb(newFolder()),
      ...initialization(
        "g = traversal().withRemote('conf/remote-graph.properties')\ng.addV('demigod').property('name', 'hercules').iterate()",
        ":remote connect tinkerpop.server conf/remote.yaml session\n:remote console\n" +
          ":> g.V().has('name', 'hercules').property('age', 30).iterate()\n:exit",
        "mgmt = graph.openManagement(); mgmt.makePropertyKey('made').dataType(Long.class).make(); mgmt.commit()"
      )
    })
    const asked = async (gremlin: string) => {
      const { json } = await post(authority, gremlin)
      return json.result?.data ?? json.message
    }
    expect(await asked("g.V().hasLabel('demigod').valueMap()")).toEqual([{ name: ["hercules"], age: [30] }])
    expect(await asked("graph.openManagement().containsPropertyKey('made')")).toEqual([true])
    expect(await asked("mgmt")).toContain("there is no variable mgmt")
  })

  it("stops the start when it fails, and commits nothing of its last transaction", async () => {
    const folder = newFolder()
    const failing = startServer({
      ...onLmdb(folder),
      ...initialization("g.addV('x').iterate()\nthrow new Exception('no data')")
    })
    await expect(failing).rejects.toThrow("no data")
    const { authority } = await startServer(onLmdb(folder))
    expect((await post(authority, "g.V().count()")).json.result?.data).toEqual([0])
  })

  it("has the statements of a console, on the same lines", () => {
    const text = [
      ":remote connect tinkerpop.server conf/remote.yaml",
      "x = 1",
      " :> g.V(x)",
      ":submit g.E()",
      "y ? 1 : 2"
    ]
    expect(consoleScript(text.join("\n")).split("\n")).toEqual(["", "x = 1", "g.V(x)", "g.E()", "y ? 1 : 2"])
    expect(consoleScript("h = traversal().with_(DriverRemoteConnection.using('localhost', 8182))")).toBe("h = g")
    expect(consoleScript("h = traversal().withEmbedded(graph)")).toBe("h = traversal().withEmbedded(graph)")
  })
})
