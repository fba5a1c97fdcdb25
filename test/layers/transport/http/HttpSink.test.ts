import * as Context from "effect/Context"
import { expect, it } from "vitest"
import { Channelizer } from "../../../../src/index.ts"
import { heldGraph, serving } from "../../support/HeldGraph.ts"
import { openSocket, post } from "../../support/HttpClient.ts"
import { eventually, startInside } from "../../support/TestServers.ts"

it("The file of a long answer is closed when its client leaves during the commit", async () => {
  const graph = heldGraph("held")
  // A client has at most what it leaves to others: one file of a megabyte, and not two.
  const server = await startInside({ answerFileLimit: 3_000_000 }, { graphs: serving(graph) })
  const { connections } = Context.get(server.services, Channelizer)
  const gremlin = `g.addV().repeat(__.identity()).emit().times(10000).constant('${"x".repeat(200)}')`
  const body = JSON.stringify({ gremlin })
  for (const coding of ["identity", "gzip"]) {
    const socket = openSocket(server.authority)
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    await eventually(() => graph.waiting.length === 1)
    const closed = new Promise((resolve) => socket.once("close", resolve))
    socket.destroy()
    await closed
    await eventually(() => connections() === 0)
    graph.waiting.pop()!.finish()
  }
  graph.release()
  expect((await post(server.authority, gremlin)).status).toBe(200)
})
