import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { writeRoutes } from "../../fixtures/Routes.ts"
import { withRandom } from "../../fuzz/Seeds.ts"
import { post } from "../support/HttpClient.ts"
import { bundled, startProcess, stop } from "../support/ServerProcess.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-idle-memory-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Time in which memory must be returned. The server needs 10 seconds from its last request. */
const RETURN_TIMEOUT_MS = 25_000

describe("A server with a graph in memory", () => {
  it("returns memory after queries with long paths, much earlier than V8 does by default", () =>
    withRandom(async (random) => {
      const bundle = await bundled({ main: "src/main.ts" })
      const home = join(folder, "routes")
      mkdirSync(join(home, "data"), { recursive: true })
      await writeRoutes(join(home, "data", "routes.graphml"), random)
      const server = await startProcess(bundle, home, {
        properties: ["storage.backend=inmemory", "storage.memory.schema=false"]
      })
      const authority = `127.0.0.1:${server.port}`
      const resident = (): number =>
        Number(execFileSync("ps", ["-o", "rss=", "-p", String(server.child.pid)], { encoding: "utf8" })) / 1024
      expect((await post(authority, "g.io('routes.graphml').read().iterate()")).status).toBe(200)
      const paths = "g.V().hasLabel('airport').limit(60).repeat(out('route').simplePath()).times(2).path().by('code')"
      let largest = 0
      // Runs until the heap is large. The size of a query's result depends on the routes.
      for (let i = 0; i < 20 && largest < 400; i++) {
        expect((await post(authority, `${paths}.fold().count(local)`)).status).toBe(200)
        largest = Math.max(largest, resident())
      }
      expect(largest).toBeGreaterThan(250)
      const begun = performance.now()
      // By default V8 reduces the heap 40 to 100 seconds after the last full collection.
      while (resident() > largest / 2 && performance.now() - begun < RETURN_TIMEOUT_MS) {
        await new Promise((resume) => setTimeout(resume, 500))
      }
      expect(resident()).toBeLessThan(largest / 2)
      expect((await post(authority, "g.V().count()")).status).toBe(200)
      await stop(server)
    }))
})
