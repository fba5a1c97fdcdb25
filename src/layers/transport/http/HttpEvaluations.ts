import type { RequestMessage } from "../../../protocol/Messages.ts"
import { MIME_JSON } from "../../../protocol/Mime.ts"
import { requestIdOfFailure } from "../../../protocol/ProtocolError.ts"
import type { ResumableRead } from "../../../protocol/ResumableRead.ts"
import type { User } from "../../../services/Authenticator.ts"
import { AnswerFiles } from "../shared/AnswerFiles.ts"
import { ArrivedParts } from "../shared/ArrivedParts.ts"
import { type Arrival, LONG_MESSAGE_BYTES } from "../shared/ArrivingBytes.ts"
import { driverLimits } from "../shared/DriverLimits.ts"
import type { AcceptedFormat } from "../shared/Formats.ts"
import { readLongMessage } from "../shared/LongMessages.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { reportFormat } from "./EvaluationReports.ts"
import { HttpBody } from "./HttpBody.ts"
import { attempt, type HttpExchange } from "./HttpExchange.ts"
import { type HttpAnswerLimits, HttpSink } from "./HttpSink.ts"

/** The speed of a client is measured over as many times `writeStallTimeout`, because the system sends in bursts. */
const STALLS_OF_PATIENCE = 4

/** Reads the scripts of HTTP requests, and hands them to the dispatcher. */
export class HttpEvaluations {
  readonly #context: TransportContext
  readonly #limits: HttpAnswerLimits

  constructor(context: TransportContext) {
    this.#context = context
    const { answerFileLimit, maxResults, poolFullStatus, writeStallTimeout } = context.settings
    const failed = (error: Error): void => context.failed("An answer that waited in a file could not be sent", error)
    const patience = STALLS_OF_PATIENCE * writeStallTimeout
    const files = new AnswerFiles(answerFileLimit, failed, { patience, shared: context.answers })
    this.#limits = { maxResults, poolFullStatus, files }
  }

  /** The method of the request is GET or POST. */
  evaluate(exchange: HttpExchange, user: User): void {
    if (exchange.request.method === "POST") {
      new HttpBody(exchange, (body, arrival) => this.#post(exchange, user, body, arrival)).read()
    } else this.#dispatch(exchange, user, () => this.#context.formats.readQuery(exchange.query))
  }

  #post(exchange: HttpExchange, user: User, body: Buffer | ArrivedParts, arrival: Arrival | null): void {
    const { request, response } = exchange
    const read = (whole: Buffer, long?: ResumableRead): RequestMessage =>
      this.#context.formats.readBody(request.headers["content-type"], whole, long)
    if (Buffer.isBuffer(body) && body.length <= LONG_MESSAGE_BYTES) {
      arrival?.end()
      this.#dispatch(exchange, user, () => read(body))
      return
    }
    readLongMessage<RequestMessage>(this.#context, {
      parts: Buffer.isBuffer(body) ? new ArrivedParts([body], body.length) : body,
      read,
      done: (message) => {
        arrival?.end()
        this.#dispatch(exchange, user, () => message)
      },
      failed: (error) => {
        arrival?.end()
        this.#dispatch(exchange, user, () => {
          throw error
        })
      },
      isGone: () => response.destroyed
    })
  }

  #dispatch(exchange: HttpExchange, user: User, read: () => RequestMessage): void {
    attempt(exchange, () => this.#handOver(exchange, user, read))
  }

  #handOver(exchange: HttpExchange, user: User, read: () => RequestMessage): void {
    const { connection, request } = exchange
    const { dispatcher, formats } = this.#context
    let message: RequestMessage
    let format: AcceptedFormat
    try {
      message = read()
      message.args.report = exchange.report
      format =
        exchange.report === null
          ? formats.accepted(request.headers.accept, message.requestId)
          : reportFormat(exchange.report)
    } catch (error) {
      const json: AcceptedFormat = { mime: MIME_JSON, serializer: formats.json }
      const sink = new HttpSink(exchange, this.#limits, json, requestIdOfFailure(error), false)
      dispatcher.refuse(error, "other", connection, sink)
      return
    }
    const sink = new HttpSink(exchange, this.#limits, format, message.requestId, message.op === "bytecode")
    sink.materialize(message.args.materializeProperties, driverLimits(request.headers["user-agent"]))
    dispatcher.dispatch(message, user, connection, sink)
  }
}
