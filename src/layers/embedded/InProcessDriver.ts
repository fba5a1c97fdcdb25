import { randomUUID } from "node:crypto"
import { createRequire } from "node:module"
import type { process } from "gremlin"
import { ChunkedMessage } from "../../protocol/ChunkedMessage.ts"
import { serializers } from "../../protocol/Serializers.ts"
import { anonymous } from "../../services/Authenticator.ts"
import type { Client, Dispatcher } from "../../services/Dispatcher.ts"
import type { Evaluation } from "../../services/Evaluator.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { LinkedList } from "../../structure/containers/LinkedList.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { readBatchSize } from "../requests/RequestReader.ts"
import type { DriverLimits } from "../transport/shared/DriverLimits.ts"
import { type FrameOutput, type Outgoing, WebSocketSink } from "../transport/websocket/WebSocketSink.ts"

/** A response as the driver reads it from a message. */
interface DriverResponse {
  readonly status: { readonly code: number; readonly message: string }
  readonly result: { readonly data: Array<unknown> }
}

/** A traversal of the driver as data. */
interface DriverBytecode {
  readonly sourceInstructions: ReadonlyArray<ReadonlyArray<unknown>>
}

/** The parts of the driver that a connection in the process needs. Its own declarations do not have all of them. */
interface Driver {
  readonly driver: {
    readonly RemoteConnection: new (url: string, options: object) => object
    readonly RemoteTraversal: new (traversers: ReadonlyArray<unknown>) => object
    readonly ResponseError: new (message: string, status: DriverResponse["status"]) => Error
  }
  readonly process: {
    readonly traversal: () => { readonly withRemote: (connection: object) => process.GraphTraversalSource }
    readonly Bytecode: { readonly GraphOp: { readonly commit: DriverBytecode; readonly rollback: DriverBytecode } }
  }
}

/** The driver's GraphBinary, which its main module does not export. */
interface DriverBinary {
  readonly graphBinaryReader: { readonly readResponse: (message: Buffer) => DriverResponse }
  readonly graphBinaryWriter: { readonly writeRequest: (request: object) => Buffer }
  /** Absent in 3.7. */
  readonly offsetDateTimeSerializer?: object
}

const NO_ATTRIBUTES: ReadonlyMap<string, unknown> = new Map()

/** Options of `g.with_(...)` that the driver sends as arguments of the request. */
const requestOptions: ReadonlySet<string> = new Set([
  "evaluationTimeout",
  "scriptEvaluationTimeout",
  "batchSize",
  "requestId",
  "userAgent",
  "materializeProperties"
])

/** Loads the driver, which is an optional package. Throws an error that says how to install it. */
const loadDriver = (): Driver & DriverBinary => {
  const require = createRequire(import.meta.url)
  try {
    return { ...require("gremlin"), ...require("gremlin/lib/structure/io/binary/GraphBinary") }
  } catch (cause) {
    const message = "server.traversal() needs the driver of Apache TinkerPop, 3.7 or 3.8: npm install gremlin@3.8"
    throw new Error(message, { cause })
  }
}

/** The server as the connections of its process use it. */
interface InProcessServer {
  readonly dispatcher: typeof Dispatcher.Service
  readonly settings: ServerSettings
}

/** Makes traversal sources of the driver whose requests do not pass a socket. */
export class InProcessDriver {
  readonly #server: InProcessServer
  readonly #driver = loadDriver()
  readonly #limits: DriverLimits

  constructor(server: InProcessServer) {
    this.#server = server
    this.#limits = { referencesOnly: false, datesOnly: this.#driver.offsetDateTimeSerializer === undefined }
  }

  /** The driver's `g`. `source` is the name of the traversal source on the server. */
  traversal(source: string): process.GraphTraversalSource {
    return this.#driver.process.traversal().withRemote(this.#connection(source, undefined))
  }

  /** A connection of the driver. `session`: its requests belong to one transaction. */
  #connection(source: string, session: string | undefined): object {
    const { driver, process } = this.#driver
    const client = new InProcessClient()
    let ended: Promise<unknown> | undefined
    const evaluate = (bytecode: DriverBytecode): Promise<object> =>
      session !== undefined && ended !== undefined
        ? Promise.reject(new Error("The transaction has ended: begin another one with g.tx().begin()."))
        : this.#ask(client, "bytecode", session, { gremlin: bytecode, aliases: { g: source }, ...optionsOf(bytecode) })
    const end = (): Promise<unknown> => {
      const closed = (): Promise<unknown> =>
        session === undefined ? Promise.resolve() : this.#ask(client, "close", session, {})
      // The driver ends a transaction without a handler of errors. A server that has stopped has ended the session already.
      ended ??= closed()
        .catch(() => undefined)
        .finally(() => this.#server.dispatcher.release(client))
      return ended
    }
    const child = (): object => {
      if (session === undefined) return this.#connection(source, randomUUID())
      throw new Error("Connection is already bound to a session - child sessions are not allowed")
    }
    return new (class InProcessConnection extends driver.RemoteConnection {
      get isOpen() {
        return ended === undefined
      }
      readonly isSessionBound = session !== undefined
      open = () => Promise.resolve()
      submit = evaluate
      createSession = child
      commit = () => evaluate(process.Bytecode.GraphOp.commit)
      rollback = () => evaluate(process.Bytecode.GraphOp.rollback)
      close = end
    })("", {})
  }

  /** Sends a request to the dispatcher, as a message of the driver, and resolves with its results. */
  #ask(client: Client, op: string, session: string | undefined, given: Record<string, unknown>): Promise<object> {
    const { dispatcher, settings } = this.#server
    const { driver, graphBinaryReader, graphBinaryWriter } = this.#driver
    const { requestId = randomUUID(), ...args } = given
    const processor = session === undefined ? "traversal" : "session"
    const request = { requestId, op, processor, args: session === undefined ? args : { ...args, session } }
    return new Promise((resolve, reject) => {
      const serializer = serializers.graphBinaryV1
      const message = serializer.readMessage(graphBinaryWriter.writeRequest(request), settings.maxNestingDepth)
      const rows: Array<unknown> = []
      const output = new InProcessOutput(settings.maxResults, (bytes) => {
        const response = readable(() => graphBinaryReader.readResponse(bytes), reject)
        if (response === undefined) return
        const { result, status } = response
        if (status.code >= 400)
          reject(new driver.ResponseError(`Server error: ${status.message} (${status.code})`, status))
        else {
          for (const row of result.data ?? []) rows.push(row)
          if (status.code !== 206) resolve(new driver.RemoteTraversal(rows))
        }
      })
      const batchSize = readBatchSize(message.args.batchSize, settings.resultIterationBatchSize)
      const format = { binary: true, serializer }
      const sink = new WebSocketSink(output, message.requestId, format, op === "bytecode", batchSize)
      sink.materialize(message.args.materializeProperties, this.#limits)
      dispatcher.dispatch(message, anonymous, client, sink)
    })
  }
}

/**
 * The response that `read` returns. Undefined if the driver cannot read it: its reader knows fewer types than the server writes.
 * The error must not reach the server, which sends the last frame after the commit and cannot undo the request anymore.
 */
const readable = (read: () => DriverResponse, reject: (error: Error) => void): DriverResponse | undefined => {
  try {
    return read()
  } catch (cause) {
    const message =
      `The driver cannot read the answer: ${reasonOf(cause)}. The server has evaluated ` +
      "the request, and its changes may be committed. GraphBinary of the JavaScript driver does not read, for example, the result " +
      "of profile(), trees, BigDecimal and durations: let the traversal return other values, or send it as a script over HTTP."
    reject(new Error(message, { cause }))
    return undefined
  }
}

class InProcessClient implements Client {
  readonly transport = "websocket"
  readonly remoteAddress = ""
  readonly active = new LinkedList<Evaluation>()
  closing = 0
  previous: Client | undefined
  next: Client | undefined
}

/** Gives each frame of an answer to the driver's reader. It always has room: the driver keeps all results, too. */
class InProcessOutput implements FrameOutput {
  readonly hasRoom = true
  readonly attributes = NO_ATTRIBUTES
  readonly maxResults: number
  readonly #receive: (bytes: Buffer) => void

  constructor(maxResults: number, receive: (bytes: Buffer) => void) {
    this.maxResults = maxResults
    this.#receive = receive
  }

  send(message: Outgoing): void {
    this.#receive(
      message instanceof ChunkedMessage
        ? Buffer.concat(message.buffers)
        : Buffer.isBuffer(message)
          ? message
          : Buffer.from(message)
    )
  }

  onRoom(resume: () => void): void {
    resume()
  }
}

/** The options of `g.with_(...)` that belong to the request. */
const optionsOf = ({ sourceInstructions }: DriverBytecode): Record<string, unknown> => {
  const found: Record<string, unknown> = {}
  for (const [operator, strategy] of sourceInstructions) {
    if (operator !== "withStrategies") continue
    // Other strategies have no configuration with these names.
    const { configuration = {} } = strategy as { readonly configuration?: Readonly<Record<string, unknown>> }
    for (const [name, value] of Object.entries(configuration)) if (requestOptions.has(name)) found[name] = value
  }
  return found
}
