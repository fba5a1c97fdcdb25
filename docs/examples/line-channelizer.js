/**
 * A channelizer of one's own: a script a line over plain TCP, a result a line back. In the server's YAML file:
 *
 *   channelizer: /path/to/line-channelizer.js
 *
 * The default export is a Layer that provides Channelizer. It may use every service of the server; what it needs is the
 * Dispatcher, which takes requests and gives each exactly one answer by way of its sink. Who sends a request is for the
 * channelizer to find out: here nobody is asked, so it does not start where the settings want users.
 */
import { randomUUID } from "node:crypto"
import { createServer } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  Authenticator,
  anonymous,
  Channelizer,
  ChannelizerUnusable,
  Config,
  Dispatcher,
  ListenFailed,
  RequestArgs,
  RequestMessage
} from "engine-server"

/** Takes the results of one request. The server hands them over as they come, and ends with complete() or fail(). */
class LineSink {
  /** The status of the answer, for the metrics. */
  status = 0
  /** Results so far, for the slow-query log. */
  rows = 0
  /** Nothing leaves before complete(): a request that conflicts with another can be run again. */
  sent = false
  #socket
  #lines = []

  constructor(socket) {
    this.#socket = socket
  }

  /** `bulks` tells how often each result occurred; null is once. False would mean: no room, wait for onRoom. */
  accept(values, length, bulks) {
    for (let i = 0; i < length; i++) {
      for (let times = bulks?.[i] ?? 1; times > 0; times--) this.#lines.push(`${values[i]}\n`)
    }
    this.rows += length
    return true
  }
  pump() {
    return "ready"
  }
  onRoom() {}
  hold() {}
  configure() {}
  restart() {
    this.#lines = []
  }
  finish() {}
  complete() {
    this.status = 200
    this.#socket.write(this.#lines.join(""))
  }
  fail(error) {
    this.status = 500
    this.#socket.write(`! ${error.message}\n`)
  }
}

const serve = (dispatcher) => (socket) => {
  /** By its identity the server knows whose requests these are. */
  const client = { transport: "http", active: new Set() }
  let text = ""
  socket.on("data", (data) => {
    const lines = (text + data).split("\n")
    text = lines.pop()
    for (const line of lines) {
      const args = new RequestArgs()
      args.gremlin = line
      dispatcher.dispatch(new RequestMessage(randomUUID(), "eval", "", args), anonymous, client, new LineSink(socket))
    }
  })
  socket.on("error", () => socket.destroy())
  // What still runs for a client that is gone is ended.
  socket.on("close", () => dispatcher.release(client))
}

export default Layer.scoped(
  Channelizer,
  Effect.gen(function* () {
    const { host, port, shutdownTimeout } = yield* Config
    const dispatcher = yield* Dispatcher
    const authenticator = yield* Authenticator
    // A transport that asks nobody would open a protected server to everybody.
    if (authenticator.required) {
      const reason = "its lines have no place for a user's name, and the settings have authentication"
      return yield* Effect.fail(new ChannelizerUnusable({ module: import.meta.filename, reason }))
    }
    const server = createServer(serve(dispatcher))
    const drain = Effect.async((resume) => {
      dispatcher.stop(() => resume(Effect.void))
      setTimeout(() => resume(Effect.void), shutdownTimeout).unref()
    })
    yield* Effect.acquireRelease(
      Effect.async((resume) => {
        // Without a listener for its errors, a port that is taken would end the process.
        server.on("error", (cause) => resume(Effect.fail(new ListenFailed({ host, port, cause }))))
        server.listen(port, host, () => resume(Effect.void))
      }),
      () =>
        Effect.zipRight(
          drain,
          Effect.sync(() => server.close())
        )
    )
    return { address: server.address(), drain, connections: () => 0 }
  })
)
