/**
 * A channelizer that reads one script per line over plain TCP and answers one result per line. In the server's YAML file:
 *
 *   channelizer: /path/to/line-channelizer.js
 *
 * The default export is a Layer that provides Channelizer. It may use every service of the server. It needs the Dispatcher,
 * which takes requests and gives each exactly one answer through its sink. A channelizer authenticates its clients itself.
 * This one cannot, so it does not start if the settings require users.
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

/** Receives the results of one request. The server passes results when they are ready, and ends with complete() or fail(). */
class LineSink {
  /** The status of the answer, for the metrics. */
  status = 0
  /** Results so far, for the slow-query log. */
  rows = 0
  /** Whether results have left. None leave before complete(), so the server can run the request again after a conflict. */
  sent = false
  #socket
  #lines = []

  constructor(socket) {
    this.#socket = socket
  }

  /** `bulks` says how often each result occurred; null means once each. Returning false would mean: full, wait for onRoom. */
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
  /** The object identifies the client: the server groups its requests by it. */
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
  // Ends the requests of a client that has disconnected.
  socket.on("close", () => dispatcher.release(client))
}

export default Layer.scoped(
  Channelizer,
  Effect.gen(function* () {
    const { host, port, shutdownTimeout } = yield* Config
    const dispatcher = yield* Dispatcher
    const authenticator = yield* Authenticator
    // A transport without authentication would open a protected server to all clients.
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
        // Without a listener for errors, a port that is in use would end the process.
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
