import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import {
  awaitedAnswer,
  isHttpPaused,
  pauseHttp,
  resumeHttp,
  unwrittenBytes
} from "../../../../src/layers/transport/shared/NodeInternals.ts"

interface OpenRequest {
  readonly server: Socket
  readonly client: Socket
  readonly answer: ServerResponse
  readonly close: () => void
}

/** A request that a client has sent and the server has not answered. */
const openRequest = async (): Promise<OpenRequest> => {
  const http = createServer()
  http.listen(0, "127.0.0.1")
  await once(http, "listening")
  const client = connect((http.address() as { port: number }).port, "127.0.0.1")
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
  const [request, answer] = (await once(http, "request")) as [IncomingMessage, ServerResponse]
  const close = (): void => {
    client.destroy()
    http.close()
  }
  return { server: request.socket, client, answer, close }
}

describe("This version of Node.js", () => {
  it("tells which answer an HTTP client waits for", async () => {
    const { answer, close, server } = await openRequest()
    expect(awaitedAnswer(server)).toBe(answer)
    close()
  })

  it("pauses and resumes the socket of an HTTP connection", async () => {
    const { close, server } = await openRequest()
    expect(isHttpPaused(server)).toBe(false)
    pauseHttp(server)
    expect([isHttpPaused(server), server.isPaused()]).toEqual([true, true])
    resumeHttp(server)
    expect([isHttpPaused(server), server.isPaused()]).toEqual([false, false])
    close()
  })

  it("tells how many bytes the kernel has not taken", async () => {
    const { client, close, server } = await openRequest()
    client.pause()
    server.write(Buffer.alloc(50_000_000))
    expect(unwrittenBytes(server)).toBeGreaterThan(1_000_000)
    close()
  })
})
