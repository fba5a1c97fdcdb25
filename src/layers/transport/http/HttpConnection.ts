import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Client } from "../../../services/Dispatcher.ts"
import type { Evaluation } from "../../../services/Evaluator.ts"
import type { MemoryBudget } from "../../../services/MemoryBudget.ts"
import type { ServerSettings } from "../../../services/Settings.ts"
import { LinkedList } from "../../../structure/containers/LinkedList.ts"
import { Ring } from "../../../structure/containers/Ring.ts"
import { clientAddress } from "../shared/ClientAddress.ts"
import type { ConnectionLimits, Watched } from "../shared/Connections.ts"
import { awaitedAnswer, isHttpPaused, pauseHttp, resumeHttp } from "../shared/NodeInternals.ts"
import { Outflow } from "../shared/Outflow.ts"
import { Pace, type Reader, type ReadingShare } from "../shared/ReadingShare.ts"
import { refuse } from "../shared/Refusal.ts"
import { type Broken, CLOSING, type ErrorAnswer, type Intake, LAST, OPEN } from "./Intake.ts"
import { UnsentAnswers } from "./UnsentAnswers.ts"

/** Requests of one connection that may be unanswered; the server reads no more until some are answered. Each takes some kilobytes. */
const MAX_PIPELINED_REQUESTS = 64

/** How often the server probes a client that it does not read from, ms. */
const PROBE_INTERVAL_MS = 1_000

/** Reads the body of a request. */
export interface BodyReader {
  /** Answers the request because its body is broken or late. False when the body is complete: then the caller sends the error. */
  answerBroken(error: ErrorAnswer): boolean
}

/** One TCP connection that speaks HTTP. Its requests are answered in their order. */
export class HttpConnection implements Client, Watched, Reader {
  readonly transport = "http"
  readonly socket: Socket
  readonly remoteAddress: string
  readonly active = new LinkedList<Evaluation>()
  closing = 0
  previous: Client | undefined
  next: Client | undefined
  readonly outflow: Outflow
  readonly unsent: UnsentAnswers
  /** It came while the server ended, and its first request may be under way. */
  isAwaited = false
  readonly #limits: ConnectionLimits
  readonly #reading: ReadingShare
  readonly #pace: Pace
  #intake: Intake = OPEN
  /** Reads the body that is arriving; null between bodies. */
  #body: BodyReader | null = null
  /** The last request with a body, until the body has arrived and the request is answered. */
  #unread: IncomingMessage | null = null
  /** The answers that are not completely written, in the order of their requests. */
  readonly #answers: Array<ServerResponse> = []
  #isFirst = true
  #isPaused = false
  #idleSince = performance.now()
  #probedAt = 0
  #onIdle: (() => void) | null = null
  /** Serves requests that wait for a later turn of the event loop; null when none waits. */
  #queued: Ring<() => void> | null = null

  constructor(
    socket: Socket,
    limits: ConnectionLimits & Pick<ServerSettings, "writeBufferHighWaterMark">,
    reading: ReadingShare,
    memory: typeof MemoryBudget.Service
  ) {
    this.socket = socket
    this.remoteAddress = clientAddress(socket)
    this.outflow = new Outflow(socket, limits.writeBufferHighWaterMark, reading.atTurnEnd)
    this.unsent = new UnsentAnswers(socket, memory)
    this.#limits = limits
    this.#reading = reading
    this.#pace = new Pace(reading)
  }

  // ---- requests

  /** Whether what arrives is read as a request. */
  get takesRequests(): boolean {
    return this.#intake.state === "open"
  }

  /** Whether every request is answered. */
  get idle(): boolean {
    return this.#answers.length === 0
  }

  /** Milliseconds since the last answer; 0 while a request is unanswered. `now`: `performance.now()` ms. */
  idleMs(now: number): number {
    return this.idle ? now - this.#idleSince : 0
  }

  /** Whether an answer is being made or sent. The answer to a request whose body is still arriving does not count. */
  get isAnswering(): boolean {
    return this.#answers.length > (this.#body === null ? 0 : 1)
  }

  /** A request arrived. Returns true for the first one of the connection. */
  requestBegins(request: IncomingMessage, response: ServerResponse): boolean {
    // The connection ends with this answer.
    if (!response.shouldKeepAlive) this.#intake = LAST
    if (hasBody(request)) this.#unread = request
    this.#answers.push(response)
    response.on("close", this.#answerEnds)
    if (this.#answers.length >= MAX_PIPELINED_REQUESTS) this.#pause()
    const isFirst = this.#isFirst
    this.#isFirst = false
    this.isAwaited = false
    return isFirst
  }

  /** The first answer is completely written, or the connection is closed. */
  readonly #answerEnds = (): void => {
    this.#answers.shift()
    if (this.#unread?.complete === true) this.#unread = null
    this.#resumeWithRoom()
    if (!this.idle) return
    this.#idleSince = performance.now()
    const onIdle = this.#onIdle
    this.#onIdle = null
    onIdle?.()
  }

  /** Calls back when every request is answered: at once when none is pending. */
  whenIdle(callback: () => void): void {
    if (this.idle) callback()
    else this.#onIdle = callback
  }

  // ---- bodies

  bodyBegins(reader: BodyReader): void {
    this.#body = reader
  }

  /** Ignored when the body of the next request is already being read. */
  bodyEnds(reader: BodyReader): void {
    if (this.#body === reader) this.#body = null
  }

  // ---- the last answer

  /** The answer under way ends the connection. */
  closesAfterAnswer(): void {
    if (this.#intake.state === "broken") this.#intake.isClosing = true
    else this.#intake = CLOSING
  }

  get #isClosing(): boolean {
    return this.#intake.state === "closing" || (this.#intake.state === "broken" && this.#intake.isClosing)
  }

  /** The error that must still be sent to the client. */
  get unsentError(): ErrorAnswer | null {
    return this.#intake.state === "broken" ? this.#intake.error : null
  }

  /** The error has been sent to the client. */
  errorSent(): void {
    if (this.#intake.state === "broken") this.#intake.error = null
  }

  /**
   * What arrives is not HTTP, or arrives too slowly. Earlier requests are answered first. Then the error is sent, and the
   * connection ends. Only the first call counts.
   */
  endWith(error: ErrorAnswer): void {
    const { state } = this.#intake
    if (state === "broken") return
    const broken: Broken = {
      state: "broken",
      error: null,
      wasLast: state !== "open",
      isClosing: state === "closing"
    }
    this.#intake = broken
    if (this.#body?.answerBroken(error) !== true) broken.error = error
    this.whenIdle(() => {
      // A request whose body broke is answered by now, and no other answer is due.
      if (broken.wasLast || broken.error === null || this.#unread?.complete === false) this.socket.destroySoon()
      else refuse(this.socket, ...broken.error)
    })
  }

  // ---- fairness

  /** Whether a request that arrived waits for a later turn, because its client sends faster than others. */
  mustWait(): boolean {
    if (this.#queued === null && this.#pace.isTooFast()) {
      this.#queued = new Ring()
      this.#reading.resume(this)
    }
    return this.#queued !== null
  }

  /** Serves a request that must wait, in a later turn. */
  wait(serve: () => void): void {
    this.#queued?.push(serve)
    this.#reading.waiting++
  }

  takeNext(): boolean {
    const queued = this.#queued
    if (queued === null) return false
    // A client must not expect answers after the last one.
    if (this.socket.destroyed || this.#isClosing) {
      this.forget()
      return false
    }
    if (!this.outflow.hasRoom) {
      this.outflow.onRoom(() => this.#reading.resume(this))
      return false
    }
    const serve = queued.shift()
    if (serve === undefined) {
      this.#queued = null
      this.#resumeWithRoom()
      return false
    }
    this.#reading.waiting--
    serve()
    return true
  }

  /** Drops the requests that wait: their answers cannot be sent. */
  forget(): void {
    this.#reading.waiting -= this.#queued?.length ?? 0
    this.#queued = null
  }

  /**
   * The connection is closed. Node.js closes the answer that was being written. It does not close those that waited for it, so
   * this does: what they hold, such as memory and files, is released when they close.
   */
  closed(): void {
    this.forget()
    for (const answer of [...this.#answers]) {
      if (answer.socket !== null || answer.writableFinished) continue
      answer.destroy()
      answer.emit("close")
    }
  }

  #resumeWithRoom(): void {
    if (this.#isPaused && this.#queued === null && this.#answers.length < MAX_PIPELINED_REQUESTS / 2) this.#resume()
  }

  #pause(): void {
    this.#isPaused = true
    pauseHttp(this.socket)
  }

  #resume(): void {
    this.#isPaused = false
    resumeHttp(this.socket)
  }

  // ---- limits in time

  /**
   * The system does not report that a client has gone while its socket is paused. It does when something is written, so
   * `100 Continue` is written: every client of HTTP/1.1 accepts and ignores it before an answer.
   */
  #probe(now: number): void {
    if (!isHttpPaused(this.socket) || now - this.#probedAt < PROBE_INTERVAL_MS) return
    const awaited = awaitedAnswer(this.socket)
    if (awaited === undefined || awaited.headersSent) return
    this.#probedAt = now
    if (awaited.req.httpVersion !== "1.0") awaited.writeContinue()
  }

  watch(now: number): void {
    const { idleConnectionTimeout, writeStallTimeout } = this.#limits
    this.#probe(now)
    if (writeStallTimeout > 0 && this.outflow.stalledFor(now) > writeStallTimeout) this.socket.destroy()
    else if (idleConnectionTimeout > 0 && this.idle && now - this.#idleSince > idleConnectionTimeout) {
      this.socket.destroy()
    }
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined
