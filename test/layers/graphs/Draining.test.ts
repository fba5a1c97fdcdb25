import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { http, post } from "../support/HttpClient.ts"
import { bundled, startProcess, stop } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"

const VERTICES = 10_000
const numbers = Array.from({ length: VERTICES }, (_, i) => i)
const add = "g.inject(x).unfold().as('n').addV('many').property('n', __.select('n')).count()"
const write = (authority: string) =>
  post(authority, add, { bindings: { x: numbers }, evaluationTimeout: 60_000 * patience })
const count = async (authority: string) => (await post(authority, "g.V().count()")).json.result.data[0]

describe("A server that is stopped during a long commit", () => {
  it.each([
    { name: "in memory", properties: ["storage.backend=inmemory", "storage.memory.schema=false"] },
    { name: "on disk", properties: ["storage.backend=lmdb", "storage.directory=db"] }
  ])(
    "answers the commit, at whatever moment SIGTERM arrives: $name",
    async ({ name, properties }) => {
      const bundle = await bundled({ main: "src/main.ts" })
      const folder = newFolder()
      let server = await startProcess(bundle, folder, { properties })
      const begun = performance.now()
      expect((await write(`127.0.0.1:${server.port}`)).status).toBe(200)
      const duration = performance.now() - begun
      let written = VERTICES
      // The later ones are during the commit, which takes most of the time on disk.
      for (const part of [0.4, 0.75]) {
        const authority = `127.0.0.1:${server.port}`
        let isAnswered = false
        const answer = write(authority).finally(() => {
          isAnswered = true
        })
        const accepted = async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount > 0
        await eventually(async () => isAnswered || (await accepted()))
        await new Promise((resolve) => setTimeout(resolve, duration * part))
        await stop(server)
        const { status, json } = await answer
        expect([status, json.result?.data]).toEqual([200, [VERTICES]])
        expect(server.child.exitCode).toBe(0)
        server = await startProcess(bundle, folder, { properties })
        written = name === "on disk" ? written + VERTICES : 0
        expect(await count(`127.0.0.1:${server.port}`)).toBe(written)
      }
      await stop(server)
    },
    120_000
  )
})
