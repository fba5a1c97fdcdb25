import type { Socket } from "node:net"
import type { RequestMessage } from "../../../protocol/Messages.ts"
import { ProtocolError, requestIdOfFailure } from "../../../protocol/ProtocolError.ts"
import type { Serializer } from "../../../protocol/Serializer.ts"
import type { Client } from "../../../services/Dispatcher.ts"
import { TooManyRequests } from "../../../services/Errors.ts"
import type { Evaluation } from "../../../services/Evaluator.ts"
import { readBatchSize } from "../../requests/RequestReader.ts"
import { arrivedParts } from "../shared/ArrivedParts.ts"
import type { Watched } from "../shared/Connections.ts"
import { Outflow } from "../shared/Outflow.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { ServerWebSocket } from "./ServerWebSocket.ts"
import { WebSocketAdmission } from "./WebSocketAdmission.ts"
import { WebSocketArrival } from "./WebSocketArrival.ts"
import { presumedFormat, readsPropertiesInGraphBinary } from "./WebSocketDrivers.ts"
import { WebSocketLiveness } from "./WebSocketLiveness.ts"
import { WebSocketMessages } from "./WebSocketMessages.ts"
import { WebSocketOutput } from "./WebSocketOutput.ts"
import { type FrameOutput, type Outgoing, WebSocketSink } from "./WebSocketSink.ts"
import { receiveInParts } from "./WsInternals.ts"

/** Status code of the WebSocket protocol for a client that does not keep the rules of this server. */
const POLICY = 1008

/** Status code of the WebSocket protocol for a server that failed. */
const INTERNAL_ERROR = 1011

/** Status code of the WebSocket protocol for a server that has no room now. */
const TRY_AGAIN_LATER = 1013

/** One client's WebSocket: hands its messages on, and is the way back for answers. */
export class WebSocketConnection implements Client, Watched, FrameOutput {
  readonly transport = "websocket"
  readonly socket: Socket
  readonly remoteAddress: string
  readonly active = new Set<Evaluation>()
  readonly attributes: ReadonlyMap<string, unknown>
  readonly #context: TransportContext
  readonly #ws: ServerWebSocket
  readonly #outflow: Outflow
  readonly #output: WebSocketOutput
  readonly #propertiesInGraphBinary: boolean
  readonly #liveness: WebSocketLiveness
  readonly #arrival: WebSocketArrival
  readonly #admission: WebSocketAdmission
  readonly #messages: WebSocketMessages

  constructor(ws: ServerWebSocket, socket: Socket, userAgent: string | undefined, context: TransportContext) {
    this.#ws = ws
    this.socket = socket
    this.remoteAddress = socket.remoteAddress ?? ""
    this.#context = context
    this.#outflow = new Outflow(socket, context.settings.writeBufferHighWaterMark, context.runQueue.atTurnEnd)
    this.#output = new WebSocketOutput(ws, socket, this.#outflow, context.memory)
    this.#propertiesInGraphBinary = readsPropertiesInGraphBinary(userAgent)
    this.attributes = new Map([["host", `/${socket.remoteAddress}:${socket.remotePort}`]])
    this.#liveness = new WebSocketLiveness(ws, this.#outflow, context.settings)
    this.#arrival = new WebSocketArrival(ws, context.arriving, () => this.#tooMuchArrives())
    const isOpen = (): boolean => ws.readyState === ws.OPEN
    this.#admission = new WebSocketAdmission(context, this, isOpen, (bytes) => this.#arrival.parks(bytes))
    const presumed = presumedFormat(userAgent, context.formats)
    this.#messages = new WebSocketMessages(context, ws, this.#output, this.#arrival, presumed, {
      handle: (message, bytes, serializer, binary) => {
        this.#attempt(message.op, () => this.#handle(message, bytes, serializer, binary))
      },
      unreadable: (error, serializer, binary) => {
        this.#attempt("other", () => this.#refuse(error, requestIdOfFailure(error), "other", serializer, binary))
      }
    })
    receiveInParts(ws)
    ws.on("message", (data, isBinary) => {
      this.#liveness.received()
      this.#arrival.completed()
      this.#messages.received(Array.isArray(data) ? arrivedParts(data) : (data as Buffer), isBinary)
    })
    ws.on("ping", (data) => this.#pinged(data))
    ws.on("pong", () => this.#liveness.answered())
    ws.on("error", () => {
      // The close that follows says all there is to say.
    })
    ws.on("close", () => this.#closed())
    // Behind the listener of ws, which has taken the bytes then.
    socket.on("data", (chunk) => {
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

  /** Any pong answers the pings before it too, so that a client that does not read can do without. */
  #pinged(data: Buffer): void {
    if (this.#ws.readyState !== this.#ws.OPEN || !this.#output.hasRoom) return
    this.#outflow.cork()
    this.#liveness.wrote()
    this.#ws.pong(data)
  }

  /** Says goodbye with a WebSocket close code; whoever does not answer it is cut by the shutdown. */
  goodbye(code: number, reason: string): void {
    this.#ws.close(code, reason)
  }

  // ---- in

  /** Works on a message; when that throws, the server itself has failed: the log has the error, and the connection ends. */
  #attempt(op: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#context.failed(`A message over a WebSocket failed (${op.slice(0, 100)})`, error)
      this.#ws.close(INTERNAL_ERROR, "internal error; the server's log has the reason")
    }
  }

  #handle(message: RequestMessage, bytes: number, serializer: Serializer, binary: boolean): void {
    if (message.op === "authentication") {
      this.#admission.authenticate(message, (error) => {
        this.#refuse(error, message.requestId, message.op, serializer, binary)
      })
      return
    }
    const { args } = message
    const { settings } = this.#context
    let sink: WebSocketSink
    try {
      const batchSize = readBatchSize(args.batchSize, settings.resultIterationBatchSize)
      const bytecode = message.op === "bytecode"
      sink = new WebSocketSink(this, message.requestId, serializer, binary, bytecode, batchSize, settings.maxResults)
      sink.materialize(args.materializeProperties, this.#propertiesInGraphBinary || !serializer.binary)
    } catch (error) {
      this.#refuse(error, message.requestId, message.op, serializer, binary)
      return
    }
    this.#admission.dispatch(message, bytes, sink)
  }

  #refuse(error: unknown, requestId: string | null, op: string, serializer: Serializer, binary: boolean): void {
    const sink = new WebSocketSink(this, requestId, serializer, binary, op === "bytecode", 1, 0)
    this.#context.dispatcher.refuse(error, op, this, sink)
  }

  /** Of a message that is not read, nothing is known: its driver tells what it most likely speaks. */
  #refuseUnread(error: Error): void {
    const { serializer, binary } = this.#messages.format
    this.#refuse(error, null, "other", serializer, binary)
  }

  /** A message is larger than the limit: the client is told which, before ws closes the connection with 1009. */
  tooLarge(): void {
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
    // Nothing that goes on coming is kept, as when a message is too large.
    this.socket.removeAllListeners("data")
    this.socket.resume()
  }

  // ---- limits in time, and the end

  watch(now: number): void {
    const { isInside } = this.#output
    if (!this.#liveness.reads(now, this.active.size > 0 || isInside)) return
    // A ping inside of a message would end it.
    if (isInside) this.#liveness.wrote()
    if (this.#liveness.isMessageLate(now)) {
      const { requestTimeout } = this.#context.settings
      this.#refuseUnread(
        new ProtocolError(
          `The message did not arrive in time: the server's requestTimeout is ${requestTimeout} ms. ` +
            "The connection is closed."
        )
      )
      this.#ws.close(POLICY, "requestTimeout")
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
