import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
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
