import { writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { newFolder } from "../../../Folders.ts"
import { http, UNTYPED } from "../../support/HttpClient.ts"
import { bundled, stop } from "../../support/ServerProcess.ts"
import { startWorkers } from "../../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

/** A server with workers and a configuration graph, and a caller for each worker. */
const start = async (count: number) => {
  const folder = newFolder()
  writeFileSync(
    join(folder, "configurations.properties"),
    "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=configurations\n"
  )
  const server = await startWorkers(bundle, count, [], folder, {
    graphs: "graphs: {graph: graph.properties, ConfigurationManagementGraph: configurations.properties}"
  })
  const calls = Array.from({ length: count }, () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    return async (method: string, path: string, body?: unknown) => {
      const headers = { accept: UNTYPED, connection: "keep-alive" }
      const text = body === undefined ? undefined : JSON.stringify(body)
      const { json, status } = await http(server.authority, { agent, method, path, headers }, text)
      return { status, json }
    }
  })
  for (const call of calls) expect((await call("GET", "/health/live")).status).toBe(200)
  return { server, calls }
}

describe.each([2, 4])("Dynamic graphs of a server with %i workers", (count) => {
  it("are created, changed and dropped by one worker for all, at once", async () => {
    const { calls, server } = await start(count)
    const [first = calls[0]!] = calls
    for (let round = 0; round < 3; round++) {
      const made = await first("PUT", "/graphs/made", { "storage.backend": "lmdb" })
      expect([made.status, made.json.state]).toEqual([201, "open"])
      for (const [i, call] of calls.entries()) {
        const added = await call("POST", "/", {
          gremlin: "made_traversal.addV('by').iterate(); made_traversal.V().count()"
        })
        expect([added.status, added.json.result?.data]).toEqual([200, [i + 1]])
      }
      const changed = await calls[1]!("PUT", "/graphs/made", { "query.limit-batch-size": true })
      expect(changed.status).toBe(200)
      for (const call of calls) {
        const { json } = await call("GET", "/graphs/made")
        expect(json.configuration["query.limit-batch-size"]).toBe(true)
        expect((await call("POST", "/", { gremlin: "made_traversal.V().count()" })).json.result.data).toEqual([count])
      }
      const dropped = await calls[count - 1]!("DELETE", "/graphs/made")
      expect(dropped).toEqual({ status: 200, json: { name: "made", dropped: true } })
      for (const call of calls) {
        expect((await call("GET", "/graphs/made")).status).toBe(404)
        expect((await call("GET", "/graphs")).json.graphs).toEqual([])
        expect((await call("POST", "/", { gremlin: "made_traversal.V().count()" })).status).toBe(500)
      }
    }
    await stop(server)
  })

  it("are created and dropped once by workers that do it at the same time", async () => {
    const { calls, server } = await start(count)
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all(calls.map((call) => call("PUT", "/graphs/made", { "storage.backend": "lmdb" })))
      // A worker that begins later finds the graph, and changes its options.
      expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(made.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status))).toEqual([])
      for (const { json, status } of made) {
        if (status === 409) expect(json.message).toContain("Configuration for graph made already exists.")
      }
      for (const call of calls) {
        const added = await call("POST", "/", { gremlin: "made_traversal.addV('by').iterate()" })
        expect(added.status).toBe(200)
      }
      const dropped = await Promise.all(calls.map((call) => call("DELETE", "/graphs/made")))
      expect(dropped.map(({ status }) => status).sort()).toEqual([200, ...Array(count - 1).fill(404)])
      for (const call of calls) expect((await call("GET", "/graphs")).json.graphs).toEqual([])
    }
    await stop(server)
  })

  it("cannot be in memory", async () => {
    const { calls, server } = await start(count)
    for (const call of calls) {
      const refused = await call("PUT", "/graphs/kept", { "storage.backend": "inmemory" })
      expect(refused.status).toBe(400)
      expect(refused.json.message).toContain(
        "the graph 'kept' is in the memory of one process, and workers cannot share it. Set workers to 1, or keep the graph " +
          "on a memory disk: storage.backend=lmdb with storage.directory on a tmpfs and storage.lmdb.sync=none."
      )
    }
    await stop(server)
  })
})
