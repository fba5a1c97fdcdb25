import { createServer, type Socket } from "node:net"
import { expect, it } from "vitest"
import { Outflow } from "../../../../src/layers/transport/shared/Outflow.ts"
import { openSocket } from "../../support/HttpClient.ts"

/** The server's end of a connection whose client does not read. */
const unread = async (): Promise<{ readonly socket: Socket; readonly end: () => void }> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve))
  openSocket(`127.0.0.1:${(server.address() as { port: number }).port}`).pause()
  const socket = await accepted
  const end = (): void => {
    socket.destroy()
    server.close()
  }
  return { socket, end }
}

it("A client whose first answer has just begun has not stalled", async () => {
  const { end, socket } = await unread()
  const begin = performance.now()
  const outflow = new Outflow(socket, 65_536, setImmediate)
  socket.write(Buffer.alloc(50_000_000))
  const stalled = outflow.stalledFor(performance.now())
  expect(stalled).toBeLessThanOrEqual(performance.now() - begin)
  await new Promise((resolve) => setTimeout(resolve, 100))
  outflow.stalledFor(performance.now())
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(outflow.stalledFor(performance.now())).toBeGreaterThan(90)
  end()
})
