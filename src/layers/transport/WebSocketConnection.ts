import type { Socket } from "node:net"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { WebSocket } from "ws"
import type { RequestMessage } from "../../protocol/Messages.ts"
import { ProtocolError, requestIdOfFailure } from "../../protocol/ProtocolError.ts"
import type { Serializer } from "../../protocol/Serializer.ts"
import { serializers } from "../../protocol/Serializers.ts"
import { anonymous, type SaslExchange, type User } from "../../services/Authenticator.ts"
import type { Client } from "../../services/Dispatcher.ts"
import { InvalidRequestArguments, TooManyRequests, Unauthorized, UnknownOperation } from "../../services/Errors.ts"
import type { Evaluation } from "../../services/Evaluator.ts"
import { readBatchSize } from "../requests/RequestReader.ts"
import { type Arrival, arrived } from "./ArrivingBytes.ts"
import type { Watched } from "./Connections.ts"
import { LONG_MESSAGE, readLongMessage } from "./LongMessages.ts"
import { Outflow } from "./Outflow.ts"
import type { TransportContext } from "./TransportContext.ts"
import { type FrameOutput, WebSocketSink } from "./WebSocketSink.ts"

/** Requests that may wait for the authentication; together they are no larger than one message may be. */
const PARKED = 64

const binaryFrame = { binary: true, compress: false }
const textFrame = { binary: false, compress: false }
const binaryFrameDeflated = { binary: true, compress: true }
const textFrameDeflated = { binary: false, compress: true }

/** Drivers that lose step when an element in GraphBinary carries properties, by the User-Agent of their handshake. */
const readsReferencesOnly = /\bGremlin-(?:Javascript|Python)\.3\.[0-6]\./i

/** Drivers whose default format is GraphBinary. */
const speaksGraphBinary = /\bGremlin-(?:Python|Java|Go|Dotnet|Javascript\.3\.(?:[89]|\d\d))\./i

/** Status code of the WebSocket protocol for a client that does not keep the rules of this server. */
const POLICY = 1008

/** Status code of the WebSocket protocol for a server that has no room now. */
const TRY_AGAIN_LATER = 1013

/** What ws knows of the message that is arriving. It has no public name for it. */
interface Receiving {
  readonly _receiver?: {
    readonly _state: number
    readonly _bufferedBytes: number
    readonly _fragmented: number
    readonly _fragments: ReadonlyArray<Buffer>
    readonly _messageLength: number
  }
}

/** Whether a part of a message has arrived. */
const isReceiving = (ws: WebSocket): boolean => {
  const { _receiver: receiver } = ws as unknown as Receiving
  return receiver !== undefined && (receiver._state !== 0 || receiver._bufferedBytes > 0 || receiver._fragmented !== 0)
}

/** What ws has of it, bytes, where so many came in so many parts: compressed ones are more than came. */
const heldBy = (ws: WebSocket, bytes: number, parts: number): number => {
  const { _receiver: receiver } = ws as unknown as Receiving
  if (receiver === undefined) return arrived(bytes, parts)
  return arrived(Math.max(bytes, receiver._messageLength), parts + receiver._fragments.length)
}

interface Parked {
  readonly message: RequestMessage
  readonly sink: WebSocketSink
}

/** The SASL exchange of a connection that has not authenticated yet. */
interface Handshake {
  readonly exchange: SaslExchange
  readonly parked: Array<Parked>
  /** Bytes of their messages. */
  parkedBytes: number
  /** Answers to the challenge that are being looked at: the client's time does not run out meanwhile. */
  checking: number
  late: boolean
  readonly timer: NodeJS.Timeout
}

/** One client's WebSocket: reads its messages, and is the way back for answers. */
export class WebSocketConnection implements Client, Watched, FrameOutput {
  readonly transport = "websocket"
  readonly socket: Socket
  readonly remoteAddress: string
  readonly active = new Set<Evaluation>()
  readonly attributes: ReadonlyMap<string, unknown>
  readonly #context: TransportContext
  readonly #ws: WebSocket
  readonly #outflow: Outflow
  readonly #propertiesInGraphBinary: boolean
  /** Null until the client has authenticated. */
  #user: User | null
  #handshake: Handshake | null = null
  /** What the client speaks, by its driver. */
  readonly #presumed: { readonly serializer: Serializer; readonly binary: boolean }
  /** What the client speaks, as far as it has spoken. */
  #format: { readonly serializer: Serializer; readonly binary: boolean } | null = null
  /** Something was read since the clock last looked, and when it looked. */
  #read = false
  #readAt = performance.now()
  /** When a ping was sent that nothing was read after; 0 when there is none. */
  #pingedAt = 0
  /** Something was written since the clock last looked. */
  #wrote = false
  #wroteAt = this.#readAt
  /** What the memory of the process counts: what is arriving, what waits to be read, and what waits for the user's name. */
  readonly #arrival: Arrival
  /** Bytes and parts that came since the last whole message: ws may keep all of them, pings between them included. */
  #arrivingBytes = 0
  #arrivingParts = 0
  /** Bytes of a long message that is being read. */
  #readingBytes = 0
  /** When the clock first saw the message that is arriving; 0 when none is. */
  #messageSince = 0

  constructor(ws: WebSocket, socket: Socket, userAgent: string | undefined, context: TransportContext) {
    this.#ws = ws
    this.socket = socket
    this.remoteAddress = socket.remoteAddress ?? ""
    this.#context = context
    this.#outflow = new Outflow(socket, context.settings.writeBufferHighWaterMark)
    this.#user = context.authenticator.required ? null : anonymous
    this.#propertiesInGraphBinary = userAgent === undefined || !readsReferencesOnly.test(userAgent)
    this.#presumed =
      userAgent !== undefined && speaksGraphBinary.test(userAgent)
        ? { serializer: serializers.graphBinaryV1, binary: true }
        : { serializer: context.formats.json, binary: false }
    this.attributes = new Map([["host", `/${socket.remoteAddress}:${socket.remotePort}`]])
    this.#arrival = context.arriving.open()
    ws.on("message", (data, isBinary) => this.#received(data as Buffer, isBinary))
    ws.on("ping", (data) => this.#pinged(data))
    ws.on("pong", () => {
      this.#read = true
    })
    ws.on("error", () => {
      // The close that follows says all there is to say.
    })
    ws.on("close", () => this.#closed())
    // Behind the listener of ws, which has taken the bytes then.
    socket.on("data", (chunk) => this.#arrived(chunk.length))
  }

  // ---- out

  get hasRoom(): boolean {
    return this.#outflow.hasRoom
  }

  onRoom(resume: () => void): void {
    this.#outflow.onRoom(resume)
  }

  send(frame: Buffer | string, binary: boolean): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#outflow.cork()
    this.#wrote = true
    if (this.#context.settings.perMessageDeflate) {
      this.#ws.send(frame, binary ? binaryFrameDeflated : textFrameDeflated)
    } else this.#ws.send(frame, binary ? binaryFrame : textFrame)
  }

  /** Says goodbye with a WebSocket close code; whoever does not answer it is cut by the shutdown. */
  goodbye(code: number, reason: string): void {
    this.#ws.close(code, reason)
  }

  /** A message is larger than the limit: the client is told which, before ws closes the connection with 1009. */
  tooLarge(): void {
    // A first message of which nothing was read: its driver tells what it most likely speaks.
    const { serializer, binary } = this.#format ?? this.#presumed
    const error = new ProtocolError(
      `The message is larger than ${this.#context.settings.maxContentLength} bytes, the server's maxContentLength. ` +
        "Send less at once, or raise the setting. The connection is closed."
    )
    this.#refuse(error, null, "other", serializer, binary)
  }

  // ---- in

  /** Any pong answers the pings before it too, so that a client that does not read can do without. */
  #pinged(data: Buffer): void {
    if (this.#ws.readyState !== this.#ws.OPEN || !this.#outflow.hasRoom) return
    this.#outflow.cork()
    this.#wrote = true
    this.#ws.pong(data)
  }

  /** Whoever goes on asking without reading the answers is not read either. */
  #pauseWhenFull(): void {
    if (this.#outflow.hasRoom || this.#ws.isPaused) return
    this.#ws.pause()
    this.#outflow.onRoom(() => {
      if (this.#behindLong === null) this.#ws.resume()
    })
  }

  #arrived(bytes: number): void {
    if (isReceiving(this.#ws)) {
      this.#arrivingBytes += bytes
      this.#arrivingParts++
      this.#hasRoomToRead()
    } else if (this.#arrivingParts > 0) this.#nothingArrives()
  }

  #nothingArrives(): void {
    this.#arrivingBytes = 0
    this.#arrivingParts = 0
    this.#hasRoomToRead()
  }

  /** Counts what came and is not evaluated yet. Where there is no room for it, ends the connection and gives false. */
  #hasRoomToRead(): boolean {
    const arriving = heldBy(this.#ws, this.#arrivingBytes, this.#arrivingParts)
    const bytes = arriving + this.#readingBytes + (this.#handshake?.parkedBytes ?? 0)
    if (this.#arrival.set(bytes)) return true
    if (this.#ws.readyState === this.#ws.OPEN) {
      const { arriving: all, metrics } = this.#context
      metrics.refused("arriving")
      const { serializer, binary } = this.#format ?? this.#presumed
      this.#refuse(new TooManyRequests(`${all.refusal} The connection is closed.`), null, "other", serializer, binary)
      this.#ws.close(TRY_AGAIN_LATER, "too much is arriving")
    }
    // Nothing that goes on coming is kept, as when a message is too large.
    this.socket.removeAllListeners("data")
    this.socket.resume()
    return false
  }

  #received(data: Buffer, isBinary: boolean): void {
    this.#messageSince = 0
    if (this.#arrivingParts > 0) this.#nothingArrives()
    this.#read = true
    this.#takeInOrder(data, isBinary)
    this.#pauseWhenFull()
  }

  #takeInOrder(data: Buffer, isBinary: boolean): void {
    if (this.#behindLong === null) this.#take(data, isBinary)
    else this.#behindLong.push({ data, isBinary })
  }

  #take(data: Buffer, isBinary: boolean): void {
    const { formats, settings } = this.#context
    let serializer = this.#format?.serializer ?? formats.json
    const refuse = (error: unknown): void => {
      const requestId = requestIdOfFailure(error)
      this.#refuse(error, requestId, "other", serializer, isBinary)
    }
    const handle = (message: RequestMessage): void => {
      if (this.#format?.serializer !== serializer) this.#format = { serializer, binary: isBinary }
      this.#handle(message, data.length, serializer, isBinary)
    }
    let message: RequestMessage
    try {
      let payload = data
      if (isBinary) ({ payload, serializer } = formats.frame(data))
      else serializer = formats.json
      if (data.length > LONG_MESSAGE) {
        this.#readingBytes = data.length
        if (!this.#hasRoomToRead()) return
        this.#takeLong(() => serializer.readMessage(payload, settings.maxNestingDepth), handle, refuse)
        return
      }
      message = serializer.readMessage(payload, settings.maxNestingDepth)
    } catch (error) {
      refuse(error)
      return
    }
    handle(message)
  }

  /** Messages that came behind a long one, which is still being read: they keep their order. Null when there is none. */
  #behindLong: Array<{ readonly data: Buffer; readonly isBinary: boolean }> | null = null

  #takeLong(
    read: () => RequestMessage,
    handle: (message: RequestMessage) => void,
    refuse: (error: unknown) => void
  ): void {
    this.#behindLong = []
    this.#ws.pause()
    const goOn = (): void => {
      this.#readingBytes = 0
      this.#hasRoomToRead()
      const behind = this.#behindLong ?? []
      this.#behindLong = null
      for (const { data, isBinary } of behind) this.#takeInOrder(data, isBinary)
      if (this.#behindLong === null) this.#ws.resume()
      this.#pauseWhenFull()
    }
    readLongMessage(this.#context, {
      read,
      done: (message) => {
        handle(message)
        goOn()
      },
      failed: (error) => {
        refuse(error)
        goOn()
      },
      isGone: () => this.#ws.readyState === this.#ws.CLOSED
    })
  }

  #handle(message: RequestMessage, bytes: number, serializer: Serializer, binary: boolean): void {
    if (message.op === "authentication") {
      this.#authenticate(message, serializer, binary)
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
    // A user who was removed, or has another password since, has to say again who it is.
    if (this.#user !== null && !this.#context.authenticator.isCurrent(this.#user)) this.#user = null
    if (this.#user === null) this.#park(message, bytes, sink)
    else this.#context.dispatcher.dispatch(message, this.#user, this, sink)
  }

  #refuse(error: unknown, requestId: string | null, op: string, serializer: Serializer, binary: boolean): void {
    const sink = new WebSocketSink(this, requestId, serializer, binary, op === "bytecode", 1, 0)
    this.#context.dispatcher.refuse(error, op, this, sink)
  }

  // ---- authentication: requests wait until the client has said who it is

  #park(message: RequestMessage, bytes: number, sink: WebSocketSink): void {
    const handshake = this.#handshake ?? this.#beginHandshake()
    handshake.parkedBytes += bytes
    if (handshake.parked.length >= PARKED || handshake.parkedBytes > this.#context.settings.maxContentLength) {
      handshake.parkedBytes -= bytes
      const error = new Unauthorized("Too many requests wait for the authentication of this connection.")
      this.#context.dispatcher.refuse(error, message.op, this, sink)
      return
    }
    handshake.parked.push({ message, sink })
    this.#hasRoomToRead()
    if (handshake.parked.length === 1) sink.challenge()
  }

  #beginHandshake(): Handshake {
    const handshake: Handshake = {
      exchange: this.#context.authenticator.sasl(this.remoteAddress),
      parked: [],
      parkedBytes: 0,
      checking: 0,
      late: false,
      timer: setTimeout(() => {
        if (handshake.checking > 0) handshake.late = true
        else this.#timeOut(handshake)
      }, this.#context.settings.authentication.authenticationTimeout)
    }
    this.#handshake = handshake
    return handshake
  }

  #timeOut(handshake: Handshake): void {
    if (this.#handshake === handshake) this.#handshake = null
    const { authenticationTimeout } = this.#context.settings.authentication
    this.#refuseParked(
      handshake,
      new Unauthorized(`Authentication did not finish in the allowed duration (${authenticationTimeout} ms).`)
    )
  }

  #refuseParked(handshake: Handshake, error: Error): void {
    handshake.parkedBytes = 0
    this.#hasRoomToRead()
    for (const { message, sink } of handshake.parked.splice(0)) {
      this.#context.dispatcher.refuse(error, message.op, this, sink)
    }
  }

  #authenticate(message: RequestMessage, serializer: Serializer, binary: boolean): void {
    const refuse = (error: unknown): void => this.#refuse(error, message.requestId, message.op, serializer, binary)
    if (!this.#context.authenticator.required) {
      refuse(
        new UnknownOperation(
          "Message with op code [authentication] is not recognized: this server does not ask for authentication."
        )
      )
      return
    }
    const { sasl, saslMechanism } = message.args
    if (typeof sasl !== "string" && !(sasl instanceof Uint8Array)) {
      refuse(
        new InvalidRequestArguments("An [authentication] message requires a [sasl] argument: Base64 text or bytes.")
      )
      return
    }
    const handshake = this.#handshake ?? this.#beginHandshake()
    const mechanism = typeof saslMechanism === "string" ? saslMechanism : "PLAIN"
    const user = handshake.exchange.respond(mechanism, sasl)
    if (!Effect.isEffect(user)) {
      this.#authenticated(handshake, user)
      return
    }
    handshake.checking++
    this.#context.runFork(user, (exit) => {
      handshake.checking--
      if (Exit.isSuccess(exit)) {
        this.#authenticated(handshake, exit.value)
        return
      }
      const failure = Cause.failureOption(exit.cause)
      const error = failure._tag === "Some" ? failure.value : new Unauthorized("The authentication failed.")
      // What cannot be read at all is no answer to the challenge: the requests go on waiting for one.
      if (error instanceof InvalidRequestArguments || handshake.parked.length === 0) refuse(error)
      else this.#refuseParked(handshake, error)
      if (handshake.late && handshake.checking === 0) this.#timeOut(handshake)
    })
  }

  #authenticated(handshake: Handshake, user: User): void {
    clearTimeout(handshake.timer)
    // The client may have gone while its password was looked at.
    if (this.#ws.readyState !== this.#ws.OPEN) return
    // Another answer may have ended this handshake meanwhile, and requests wait in the next one.
    const waiting = this.#handshake ?? handshake
    clearTimeout(waiting.timer)
    this.#handshake = null
    this.#hasRoomToRead()
    this.#user = user
    for (const { message, sink } of waiting.parked.splice(0)) {
      this.#context.dispatcher.dispatch(message, user, this, sink)
    }
  }

  // ---- limits in time, and the end

  watch(now: number): void {
    const { idleConnectionTimeout, keepAliveInterval, writeStallTimeout } = this.#context.settings
    if (this.#read || this.active.size > 0) {
      this.#read = false
      this.#readAt = now
      this.#pingedAt = 0
    }
    if (writeStallTimeout > 0 && this.#outflow.stalledFor(now) > writeStallTimeout) {
      this.#ws.terminate()
      return
    }
    // What was compressed is larger a moment after it came.
    if (this.#arrivingParts > 0 && !this.#hasRoomToRead()) return
    if (this.#isLate(now)) return
    if (idleConnectionTimeout > 0 && now - this.#readAt > idleConnectionTimeout) {
      this.#ws.close(1000, "no request within idleConnectionTimeout")
      return
    }
    if (keepAliveInterval > 0) this.#keepAlive(now, keepAliveInterval)
  }

  /** Ends a connection whose message arrives too slowly, be it in one frame or in many, with pings between them or not. */
  #isLate(now: number): boolean {
    const { requestTimeout } = this.#context.settings
    if (requestTimeout === 0 || this.#ws.isPaused || !isReceiving(this.#ws)) {
      this.#messageSince = 0
      return false
    }
    if (this.#messageSince === 0) this.#messageSince = now
    if (now - this.#messageSince <= requestTimeout || this.#ws.readyState !== this.#ws.OPEN) return false
    const { serializer, binary } = this.#format ?? this.#presumed
    const error = new ProtocolError(
      `The message did not arrive in time: the server's requestTimeout is ${requestTimeout} ms. The connection is closed.`
    )
    this.#refuse(error, null, "other", serializer, binary)
    this.#ws.close(POLICY, "requestTimeout")
    return true
  }

  /** Pings a client that nothing was written to for a while; one that does not answer is gone. */
  #keepAlive(now: number, interval: number): void {
    if (this.#wrote) {
      this.#wrote = false
      this.#wroteAt = now
      // Its answer to the ping may stand behind what it reads first.
      this.#pingedAt = 0
    }
    if (this.#pingedAt > 0) {
      if (now - this.#pingedAt > interval) this.#ws.terminate()
    } else if (now - this.#wroteAt >= interval && this.#ws.readyState === this.#ws.OPEN) {
      this.#pingedAt = now
      this.#wroteAt = now
      this.#ws.ping()
    }
  }

  #closed(): void {
    if (this.#handshake !== null) {
      clearTimeout(this.#handshake.timer)
      this.#handshake = null
    }
    this.#arrival.end()
    this.#context.connections.remove(this)
    this.#context.dispatcher.release(this)
  }
}
