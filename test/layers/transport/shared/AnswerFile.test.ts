import { afterEach, describe, expect, it, vi } from "vitest"
import { http, post } from "../../support/HttpClient.ts"
import { sourcesOnly } from "../../support/Packed.ts"
import { startInside } from "../../support/TestServers.ts"

/** Bytes for which the folder of temporary files has room. */
const folder = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY }))

vi.mock("node:fs", async (original) => {
  const files = await original<typeof import("node:fs")>()
  type Callback = (error: Error | null, written: number) => void
  return {
    ...files,
    write: (file: number, bytes: Buffer, offset: number, length: number, position: number, then: Callback) => {
      const fitting = Math.min(length, folder.room - position)
      if (fitting <= 0) setTimeout(then, 20, new Error("ENOSPC: no space left on device"), 0)
      else files.write(file, bytes, offset, fitting, position, then)
    }
  }
})

sourcesOnly("replaces the writing of files within the modules of the server")

afterEach(() => {
  folder.room = Number.POSITIVE_INFINITY
})

describe("A request whose long answer does not fit into the folder of temporary files", () => {
  // About 2 MB: nothing is written to the file after the first part has failed.
  const rows = `repeat(__.identity()).emit().times(10000).constant('${"x".repeat(200)}')`

  it("is not committed, and its answer names the folder", async () => {
    const { authority } = await startInside()
    for (const room of [0, 500_000]) {
      folder.room = room
      const failed = await post(authority, `g.addV('written').${rows}`)
      expect([failed.status, failed.json.message]).toEqual([500, expect.stringMatching(/TMPDIR.*ENOSPC/)])
      folder.room = Number.POSITIVE_INFINITY
      expect((await post(authority, "g.V().hasLabel('written').count()")).json.result.data).toEqual([0])
    }
    expect((await post(authority, `g.addV('written').${rows}`)).json.result.data.length).toBe(10_000)
    expect((await post(authority, "g.V().hasLabel('written').count()")).json.result.data).toEqual([1])
  })

  it("has an error as its answer in GraphBinary", async () => {
    const { authority } = await startInside()
    folder.room = 0
    const headers = { accept: "application/vnd.graphbinary-v1.0" }
    const failed = await http(authority, { headers }, JSON.stringify({ gremlin: `g.inject(1).${rows}` }))
    expect([failed.status, failed.json.message]).toEqual([500, expect.stringMatching(/TMPDIR.*ENOSPC/)])
  })
})
