import { randomUUID } from "node:crypto"
import { type AddressInfo, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RequestArgs, RequestMessage } from "../../../src/protocol/Messages.ts"
import { anonymous } from "../../../src/services/Authenticator.ts"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import { type AnsweringSink, type Client, Dispatcher } from "../../../src/services/Dispatcher.ts"
import type { Evaluation } from "../../../src/services/Evaluator.ts"

/** A script a line, a result a line. */
class LineSink implements AnsweringSink {
  status = 0
  rows = 0
  readonly sent = false
  readonly #socket: Socket
  #lines = ""
  constructor(socket: Socket) {
    this.#socket = socket
  }
  accept(values: ReadonlyArray<unknown>, length: number): boolean {
    this.rows += length
    for (let i = 0; i < length; i++) this.#lines += `${String(values[i])}\n`
    return true
  }
  pump(): "ready" {
    return "ready"
  }
  onRoom(): void {}
  hold(): void {}
  configure(): void {}
  restart(): void {
    this.#lines = ""
  }
  finish(): void {}
  complete(): void {
    this.status = 200
    this.#socket.write(this.#lines)
  }
  fail(error: unknown): void {
    this.status = 500
    this.#socket.write(`! ${String(error)}\n`)
  }
}

export default Layer.scoped(
  Channelizer,
  Effect.gen(function* () {
    const dispatcher = yield* Dispatcher
    const server = createServer((socket) => {
      const client: Client = { transport: "http", active: new Set<Evaluation>() }
      socket.on("data", (data) => {
        const args = new RequestArgs()
        args.gremlin = data.toString().trim()
        dispatcher.dispatch(new RequestMessage(randomUUID(), "eval", "", args), anonymous, client, new LineSink(socket))
      })
      socket.on("close", () => dispatcher.release(client))
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close())
    )
    return { address: server.address() as AddressInfo, drain: Effect.void, connections: () => 0 }
  })
)
