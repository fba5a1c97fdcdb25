import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { ROUTES, writeRoutes } from "../../fixtures/Routes.ts"
import { withRandom } from "../../fuzz/Seeds.ts"
import { http, post } from "../support/HttpClient.ts"
import { startServer } from "../support/TestServers.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-memory-graphs-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The single result of a script. */
const result = async (authority: string, gremlin: string): Promise<unknown> => {
  const { json, status } = await post(authority, gremlin)
  expect([gremlin, status, json?.message]).toEqual([gremlin, 200, undefined])
  return json.result.data[0]
}

describe("A graph in memory", () => {
  it.each([
    ["vertices", "addV('a').property('x',1)", "addV('b')", "g.addV('a').property('x',1)", "g.V().has('x').count()"],
    [
      "edges",
      "addE('a').from(V().limit(1)).to(V().limit(1)).property('x',1)",
      "addE('b').from(V().limit(1)).to(V().limit(1))",
      "g.addE('a').from(V().limit(1)).to(V().limit(1)).property('x',1)",
      "g.E().has('x').count()"
    ]
  ])(
    "keeps the property values of %s when a value is added far after all others",
    async (_, has, other, add, count) => {
      const { authority } = await startServer()
      await result(authority, "g.addV('end').count()")
      await post(authority, `g.inject(0).repeat(${has}).times(70).iterate()`)
      await post(authority, `g.inject(0).repeat(${other}).times(700).iterate()`)
      await result(authority, `${add}.count()`)
      expect(await result(authority, count)).toBe(71)
    }
  )

  it("can be emptied and loaded again nine times", () =>
    withRandom(async (random) => {
      await writeRoutes(join(folder, "routes.graphml"), random)
      const { authority } = await startServer({ ioDirectory: folder })
      const counts =
        "g.V().count().union(identity(), V().has('lat').count(), E().count(), E().has('dist').count()).fold()"
      for (let round = 0; round < 9; round++) {
        // In one request: slots of dropped elements are reused while some are not yet released.
        await post(authority, "g.V().drop().iterate(); g.io('routes.graphml').read().iterate()")
        const { airports, edges, vertices } = ROUTES
        const counted = await result(authority, counts)
        expect([round, counted]).toEqual([round, [vertices, airports, edges, edges - 2 * airports]])
      }
      expect((await http(authority, { path: "/health/ready" })).json).toEqual({ status: "ready" })
    }))
})
