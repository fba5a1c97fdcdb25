import type { IncomingMessage } from "node:http"
import { ArrivedParts } from "../shared/ArrivedParts.ts"
import { type Arrival, arrived, LONG_MESSAGE } from "../shared/ArrivingBytes.ts"
import { linger } from "../shared/Refusal.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { Complaint } from "./HttpConnection.ts"
import { closeAfter, type HttpExchange, refuseUnread } from "./HttpExchange.ts"
import { RETRY_AFTER, replyJson } from "./HttpReply.ts"

const EMPTY = Buffer.alloc(0)

/**
 * Reads the body of a request, and answers where it cannot.
 *
 * @param then is given the body, a long one as it came, and what the memory of the process counts for that until it has been read
 */
export const readWholeBody = (
  exchange: HttpExchange,
  context: TransportContext,
  then: (body: Buffer | ArrivedParts, arrival: Arrival | null) => void
): void => {
  const { connection, headers, request, response } = exchange
  const unread = unreadableCoding(request)
  if (unread !== undefined) {
    headers.push("accept-encoding", "identity")
    refuseUnread(exchange, unread.status, unread.message)
    return
  }
  const limit = context.settings.maxContentLength
  const declared = request.headers["content-length"]
  if (declared !== undefined && Number(declared) > limit) {
    refuseTooLarge(exchange, limit)
    return
  }
  let first: Buffer | null = null
  let more: Array<Buffer> | null = null
  let length = 0
  let parts = 0
  let arrival: Arrival | null = null
  const hasRoom = (): boolean => {
    const bytes = arrived(length, parts)
    if (bytes <= LONG_MESSAGE) return true
    if (arrival === null) {
      arrival = context.arriving.open()
      response.once("close", arrival.end)
    }
    return arrival.set(bytes)
  }
  // The next request of the connection may be read already: that one is not to be forgotten.
  const noLongerReading = (): void => {
    if (connection.answerReading === answerBroken) connection.answerReading = null
  }
  // The request has its answer: what goes on arriving of it is no request any more.
  const discard = (): void => {
    noLongerReading()
    first = null
    more = null
    arrival?.end()
    request.removeAllListeners("data")
    request.removeAllListeners("end")
    request.resume()
  }
  const answerBroken = ([status, message]: Complaint): boolean => {
    // Its end may have arrived, in the same bytes as what is broken after it.
    if (request.complete) return false
    discard()
    connection.complaint = null
    closeAfter(exchange)
    replyJson(response, status, headers, { message })
    linger(request.socket)
    return true
  }
  connection.answerReading = answerBroken
  // The body may have broken while nobody listened, because it was not known yet whose it is.
  if (connection.complaint !== null && answerBroken(connection.complaint)) return
  if (request.headers.expect !== undefined && request.httpVersion !== "1.0") response.writeContinue()
  request.on("data", (chunk: Buffer) => {
    length += chunk.length
    parts++
    if (length > limit) {
      discard()
      refuseTooLarge(exchange, limit)
    } else if (!hasRoom()) {
      discard()
      refuseForNow(exchange, context)
    } else if (first === null) first = chunk
    else {
      more ??= [first]
      more.push(chunk)
    }
  })
  request.on("end", () => {
    noLongerReading()
    const parts = more ?? [first ?? EMPTY]
    first = null
    more = null
    then(
      parts.length === 1 ? parts[0]! : length > LONG_MESSAGE ? new ArrivedParts(parts, length) : Buffer.concat(parts),
      arrival
    )
  })
}

const refuseTooLarge = (exchange: HttpExchange, limit: number): void =>
  refuseUnread(
    exchange,
    413,
    `The request body is larger than ${limit} bytes, the server's maxContentLength. Send less at once, or raise the ` +
      "setting."
  )

/** A body that would be small enough, if it were alone. */
const refuseForNow = (exchange: HttpExchange, { arriving, metrics }: TransportContext): void => {
  metrics.refused("arriving")
  exchange.headers.push("retry-after", RETRY_AFTER)
  refuseUnread(exchange, 503, arriving.refusal)
}

/** Bodies are read as they are: not compressed, and in chunks at most. */
const unreadableCoding = ({ headers }: IncomingMessage): { status: number; message: string } | undefined => {
  const content = headers["content-encoding"]
  if (content !== undefined && content.toLowerCase() !== "identity" && content !== "") {
    return { status: 415, message: `A body with Content-Encoding ${content} is not read here: send it as it is.` }
  }
  const transfer = headers["transfer-encoding"]
  if (transfer !== undefined && transfer.toLowerCase() !== "chunked") {
    return { status: 501, message: `A body with Transfer-Encoding ${transfer} is not read here: chunked is.` }
  }
  return undefined
}
