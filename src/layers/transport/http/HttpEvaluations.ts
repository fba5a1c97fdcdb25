import type { LongRead } from "../../../protocol/LongReads.ts"
import type { RequestMessage } from "../../../protocol/Messages.ts"
import { MIME_JSON } from "../../../protocol/Mime.ts"
import { requestIdOfFailure } from "../../../protocol/ProtocolError.ts"
import type { User } from "../../../services/Authenticator.ts"
import { AnswerFiles } from "../shared/AnswerFile.ts"
import { ArrivedParts } from "../shared/ArrivedParts.ts"
import { LONG_MESSAGE } from "../shared/ArrivingBytes.ts"
import type { AcceptedFormat } from "../shared/Formats.ts"
import { type LongMessageReader, readLongMessage } from "../shared/LongMessages.ts"
import { comesFromElsewhere } from "../shared/Origins.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { readWholeBody } from "./HttpBody.ts"
import { ALLOWED_METHODS, attempt, type HttpExchange } from "./HttpExchange.ts"
import { refusePage } from "./HttpPages.ts"
import { replyJson } from "./HttpReply.ts"
import { type HttpAnswerLimits, HttpSink } from "./HttpSink.ts"

/** Reads what HTTP requests ask to evaluate, and hands it to the dispatcher. */
export class HttpEvaluations {
  readonly #context: TransportContext
  readonly #limits: HttpAnswerLimits

  constructor(context: TransportContext) {
    this.#context = context
    const { answerFileLimit, maxResults, poolFullStatus } = context.settings
    const files = new AnswerFiles(answerFileLimit, (error) =>
      context.failed("An answer that waited in a file could not be sent", error)
    )
    this.#limits = { maxResults, poolFullStatus, files }
  }

  /** @param query what follows the question mark of the URL */
  evaluate(exchange: HttpExchange, query: string, user: User): void {
    const { headers, request, response } = exchange
    if (comesFromElsewhere(request, this.#context.settings.allowedOrigins)) {
      refusePage(exchange, this.#context)
      return
    }
    switch (request.method) {
      case "POST":
        this.#post(exchange, user)
        return
      case "GET":
        this.#dispatch(exchange, user, () => this.#context.formats.readQuery(query))
        return
      default:
        headers.push("allow", ALLOWED_METHODS)
        replyJson(response, 405, headers, {
          message: `${request.method} is not allowed: send the script by POST, or by GET in the query string.`
        })
    }
  }

  #post(exchange: HttpExchange, user: User): void {
    const { request, response } = exchange
    readWholeBody(exchange, this.#context, (body, arrival) => {
      const read = (whole: Buffer, long?: LongRead): RequestMessage =>
        this.#context.formats.readBody(request.headers["content-type"], whole, long)
      if (Buffer.isBuffer(body) && body.length <= LONG_MESSAGE) {
        arrival?.end()
        this.#dispatch(exchange, user, () => read(body))
        return
      }
      const reader: LongMessageReader<RequestMessage> = {
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
      }
      readLongMessage(this.#context, reader)
    })
  }

  #dispatch(exchange: HttpExchange, user: User, read: () => RequestMessage): void {
    attempt(exchange, this.#context, () => this.#handOver(exchange, user, read))
  }

  #handOver(exchange: HttpExchange, user: User, read: () => RequestMessage): void {
    const { connection, headers, request, response } = exchange
    const { dispatcher, formats } = this.#context
    let message: RequestMessage
    let format: AcceptedFormat
    try {
      message = read()
      format = formats.accepted(request.headers.accept, message.requestId)
    } catch (error) {
      const requestId = requestIdOfFailure(error)
      const sink = new HttpSink(response, headers, requestId, formats.json, MIME_JSON, false, this.#limits)
      dispatcher.refuse(error, "other", connection, sink)
      return
    }
    const { mime, serializer } = format
    const bytecode = message.op === "bytecode"
    const sink = new HttpSink(response, headers, message.requestId, serializer, mime, bytecode, this.#limits)
    sink.materialize(message.args.materializeProperties, true)
    dispatcher.dispatch(message, user, connection, sink)
  }
}
