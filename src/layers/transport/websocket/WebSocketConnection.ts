import type { Socket } from "node:net"
import type { RequestMessage } from "../../../protocol/Messages.ts"
import { ProtocolError, requestIdOfFailure, UnservedFormat } from "../../../protocol/ProtocolError.ts"
import type { Client } from "../../../services/Dispatcher.ts"
import { TooManyRequests } from "../../../services/Errors.ts"
import type { Evaluation } from "../../../services/Evaluator.ts"
import { LinkedList } from "../../../structure/containers/LinkedList.ts"
import { readBatchSize } from "../../requests/RequestReader.ts"
import { arrivedParts } from "../shared/ArrivedParts.ts"
import { clientAddress } from "../shared/ClientAddress.ts"
import type { Watched } from "../shared/Connections.ts"
import { type DriverLimits, driverLimits } from "../shared/DriverLimits.ts"
import { Outflow } from "../shared/Outflow.ts"
import { ignoreError } from "../shared/Refusal.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { ServerWebSocket } from "./ServerWebSocket.ts"
import { WebSocketAdmission } from "./WebSocketAdmission.ts"
import { WebSocketArrival } from "./WebSocketArrival.ts"
import { presumedFormat, type SpokenFormat } from "./WebSocketDrivers.ts"
import { WebSocketLiveness } from "./WebSocketLiveness.ts"
import { WebSocketMessages } from "./WebSocketMessages.ts"
import { WebSocketOutput } from "./WebSocketOutput.ts"
import { type FrameOutput, type Outgoing, WebSocketSink } from "./WebSocketSink.ts"
import { beginningOf, receiveInParts } from "./WsInternals.ts"

/** Close codes of WebSocket: RFC 6455, section 7.4.1, and the IANA registry. */
const UNSUPPORTED_DATA = 1003
const POLICY_VIOLATION = 1008
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013

/** Characters of an operation's name in the log. */
const MAX_LOGGED_OP_CHARS = 100

/** One client's WebSocket: passes its messages to the dispatcher, and sends the answers. */
export class WebSocketConnection implements Client, Watched, FrameOutput {
  readonly transport = "websocket"
  readonly socket: Socket
  readonly remoteAddress: string
  readonly active = new LinkedList<Evaluation>()
  closing = 0
  previous: Client | undefined
  next: Client | undefined
  readonly attributes: ReadonlyMap<string, unknown>
  readonly maxResults: number
  readonly #context: TransportContext
  readonly #ws: ServerWebSocket
  readonly #outflow: Outflow
  readonly #output: WebSocketOutput
  readonly #driver: DriverLimits
  readonly #liveness: WebSocketLiveness
  readonly #arrival: WebSocketArrival
  readonly #admission: WebSocketAdmission
  readonly #messages: WebSocketMessages

  constructor(ws: ServerWebSocket, socket: Socket, userAgent: string | undefined, context: TransportContext) {
    this.#ws = ws
    this.socket = socket
    this.remoteAddress = clientAddress(socket)
    this.#context = context
    this.maxResults = context.settings.maxResults
    this.#outflow = new Outflow(socket, context.settings.writeBufferHighWaterMark, context.runQueue.atTurnEnd)
    this.#output = new WebSocketOutput(ws, socket, this.#outflow, context.memory)
    this.#driver = driverLimits(userAgent)
    this.attributes = new Map([["host", `/${this.remoteAddress}:${socket.remotePort}`]])
    this.#liveness = new WebSocketLiveness(ws, this.#outflow, context.settings)
    this.#arrival = new WebSocketArrival(ws, context.arriving, () => this.#tooMuchArrives())
    this.#admission = new WebSocketAdmission(context, this, {
      isOpen: () => ws.readyState === ws.OPEN,
      parks: (bytes) => this.#arrival.parks(bytes),
      hangUp: () => ws.close(POLICY_VIOLATION, "too many wrong answers to the challenge")
    })
    const presumed = presumedFormat(userAgent, context.formats)
    const source = { ws, output: this.#output, arrival: this.#arrival, presumed }
    this.#messages = new WebSocketMessages(context, source, {
      handle: (message, bytes, format) => {
        this.#attempt(message.op, () => this.#handle(message, bytes, format))
      },
      unreadable: (error, format) => {
        this.#attempt("other", () => this.#refuse(error, requestIdOfFailure(error), "other", format))
        // The client can read neither this answer nor a later one. Its log has the reason.
        if (error instanceof UnservedFormat && error.ofOtherServers)
          ws.close(UNSUPPORTED_DATA, "unserved format: set GraphBinary 1.0 or GraphSON")
      }
    })
    ws.onTooBig = () => this.#tooLarge()
    receiveInParts(ws)
    this.#listen()
  }

  #listen(): void {
    const ws = this.#ws
    ws.on("message", (data, isBinary) => {
      this.#liveness.received()
      this.#arrival.completed()
      this.#messages.received(Array.isArray(data) ? arrivedParts(data) : (data as Buffer), isBinary)
    })
    ws.on("ping", (data) => this.#pinged(data))
    ws.on("error", ignoreError)
    ws.on("close", () => this.#closed())
    // ws added its listener before: when this one is called, ws has taken the bytes.
    this.socket.on("data", (chunk) => {
      this.#liveness.heard()
      this.#arrival.came(chunk.length)
      this.#messages.came(chunk.length)
    })
  }

  // ---- out

  get hasRoom(): boolean {
    return this.#output.hasRoom
  }

  onRoom(resume: () => void): void {
    this.#output.onRoom(resume)
  }

  send(message: Outgoing, binary: boolean): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#liveness.wrote()
    this.#output.send(message, binary)
  }

  /** A pong answers all pings before it, so a client that does not read needs none. */
  #pinged(data: Buffer): void {
    if (this.#ws.readyState !== this.#ws.OPEN || !this.#output.hasRoom) return
    this.#outflow.cork()
    this.#liveness.wrote()
    this.#ws.pong(data)
  }

  /** Closes with a WebSocket close code. The shutdown cuts the connection of a client that does not answer. */
  goodbye(code: number, reason: string): void {
    this.#ws.close(code, reason)
    // The answer to the close must be read. Messages before it are dropped.
    if (this.#ws.readyState !== this.#ws.OPEN) this.#messages.release()
  }

  // ---- in

  /** Begins no further request. Those that arrive wait until {@link release}, and are dropped if the connection is closed before. */
  hold(): void {
    this.#messages.hold()
  }

  /** Begins requests again. */
  release(): void {
    this.#messages.release()
  }

  /** Works on a message. When the work throws, the error is in the log, and the connection closes. */
  #attempt(op: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#context.failed(`A message over a WebSocket failed (${op.slice(0, MAX_LOGGED_OP_CHARS)})`, error)
      this.#ws.close(INTERNAL_ERROR, "internal error; the server's log has the reason")
    }
  }

  #handle(message: RequestMessage, bytes: number, format: SpokenFormat): void {
    // Without an answer, the client would repeat a request that was evaluated: no request begins after the close frame.
    if (this.#ws.readyState !== this.#ws.OPEN) return
    if (message.op === "authentication") {
      this.#admission.authenticate(message, {
        requestId: message.requestId,
        accept: () => new WebSocketSink(this, message.requestId, format, false, 1).complete(),
        refuse: (error) => this.#refuse(error, message.requestId, message.op, format)
      })
      return
    }
    const { args } = message
    const { settings } = this.#context
    let sink: WebSocketSink
    try {
      const batchSize = readBatchSize(args.batchSize, settings.resultIterationBatchSize)
      sink = new WebSocketSink(this, message.requestId, format, message.op === "bytecode", batchSize)
      sink.materialize(args.materializeProperties, this.#driver)
    } catch (error) {
      this.#refuse(error, message.requestId, message.op, format)
      return
    }
    this.#admission.dispatch(message, bytes, sink)
  }

  #refuse(error: unknown, requestId: string | null, op: string, format: SpokenFormat): void {
    const sink = new WebSocketSink(this, requestId, format, op === "bytecode", 1)
    this.#context.dispatcher.refuse(error, op, this, sink)
  }

  /** Answers a message that is not read, with the id of its request if its start has arrived: drivers find their request by it. */
  #refuseUnread(error: Error): void {
    const start = beginningOf(this.#ws)
    const { requestId, format } =
      start === undefined
        ? { requestId: null, format: this.#messages.format }
        : this.#messages.readBeginning(start.bytes, start.isBinary)
    this.#refuse(error, requestId, "other", format)
  }

  /** A message is larger than maxContentLength. The client is told the limit before ws closes the connection with 1009. */
  #tooLarge(): void {
    this.#refuseUnread(
      new ProtocolError(
        `The message is larger than ${this.#context.settings.maxContentLength} bytes, the server's maxContentLength. ` +
          "Send less at once, or raise the setting. The connection is closed."
      )
    )
  }

  #tooMuchArrives(): void {
    if (this.#ws.readyState === this.#ws.OPEN) {
      const { arriving, metrics } = this.#context
      metrics.refused("arriving")
      this.#refuseUnread(new TooManyRequests(`${arriving.refusal} The connection is closed.`))
      this.#ws.close(TRY_AGAIN_LATER, "too much is arriving")
    }
    // What still arrives is discarded, as when a message is too large.
    this.socket.removeAllListeners("data")
    this.socket.resume()
  }

  // ---- limits in time, and the end

  /** True when no request is being answered, waits, or has begun to arrive. Those that wait because of {@link hold} do not count. */
  get isIdle(): boolean {
    if (this.active.size > 0 || this.closing > 0 || !this.#admission.isIdle) return false
    return this.#messages.isHeld || (this.#messages.isIdle && this.#arrival.isIdle)
  }

  /** False while the client must read before its answers leave. A close would cut them if the client does not answer it in time. */
  get isSent(): boolean {
    return this.#output.isSent
  }

  watch(now: number): void {
    const { isInside } = this.#output
    if (!this.#liveness.reads(now, this.active.size > 0 || isInside)) return
    // A ping inside the frame of a long message would corrupt it.
    if (isInside) this.#liveness.wrote()
    if (this.#liveness.isMessageLate(now)) {
      const { requestTimeout } = this.#context.settings
      this.#refuseUnread(
        new ProtocolError(
          `The message did not arrive in time: the server's requestTimeout is ${requestTimeout} ms. ` +
            "The connection is closed."
        )
      )
      this.#ws.close(POLICY_VIOLATION, "requestTimeout")
    } else this.#liveness.keepAlive(now)
  }

  #closed(): void {
    this.#admission.end()
    this.#messages.end()
    this.#output.end()
    this.#arrival.end()
    this.#context.connections.remove(this)
    this.#context.dispatcher.release(this)
  }
}
