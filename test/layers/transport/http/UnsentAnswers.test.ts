import * as Context from "effect/Context"
import { it } from "vitest"
import { Channelizer } from "../../../../src/index.ts"
import { MemoryBudget } from "../../../../src/services/MemoryBudget.ts"
import { openSocket } from "../../support/HttpClient.ts"
import { eventually, startInside } from "../../support/TestServers.ts"

const ANSWER_BYTES = 500_000
/** The system takes about ten megabytes of them. */
const COUNT = 50

/** Pipelined requests whose answers are not sent before they are complete. */
const requests = [
  `GET /?gremlin=${encodeURIComponent(`'x' * ${ANSWER_BYTES}`)} HTTP/1.1`,
  "Host: x",
  "Accept: application/vnd.graphbinary-v1.0",
  "\r\n"
].join("\r\n")

it("Complete answers of a client that does not read count against the memory budget until they have left the process", async () => {
  const server = await startInside({ memoryBudget: 256 * 1_048_576 })
  const { used } = Context.get(server.services, MemoryBudget)
  const socket = openSocket(server.authority)
  socket.pause()
  socket.write(requests.repeat(COUNT))
  await eventually(() => used() > (COUNT / 4) * ANSWER_BYTES)
  let bytes = 0
  socket.on("data", (chunk) => {
    bytes += chunk.length
  })
  socket.resume()
  await eventually(() => bytes > COUNT * ANSWER_BYTES && used() === 0)
})

it("A client whose unread answers use up the memory budget is cut", async () => {
  const server = await startInside({ memoryBudget: 4 * 1_048_576 })
  const { connections } = Context.get(server.services, Channelizer)
  const { used } = Context.get(server.services, MemoryBudget)
  const socket = openSocket(server.authority)
  socket.pause()
  await eventually(() => connections() === 1)
  socket.write(requests.repeat(COUNT))
  await eventually(() => connections() === 0)
  await eventually(() => used() === 0)
})
