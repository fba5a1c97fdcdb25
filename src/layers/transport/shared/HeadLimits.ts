import type { IncomingMessage } from "node:http"
import type { ServerSettings } from "../../../services/Settings.ts"

/** The limits of the head of a request, in bytes. Each applies for itself, as in Netty. */
type HeadLimits = Pick<ServerSettings, "maxHeaderSize" | "maxInitialLineLength">

type Head = Pick<IncomingMessage, "httpVersion" | "method" | "rawHeaders" | "url">

/** Why the first line of a request is refused (414); undefined when it is short enough. */
export const longRequestLine = (
  { httpVersion, method = "", url = "/" }: Head,
  { maxInitialLineLength }: HeadLimits
): string | undefined => {
  if (method.length + url.length + `  HTTP/${httpVersion}`.length <= maxInitialLineLength) return undefined
  return (
    `The request line is longer than ${maxInitialLineLength} bytes, the server's maxInitialLineLength. ` +
    "Send the script by POST."
  )
}

/** Why the headers of a request are refused (431); undefined when they are small enough. The ends of the lines do not count. */
export const longHeaders = ({ rawHeaders }: Head, { maxHeaderSize }: HeadLimits): string | undefined => {
  let bytes = (rawHeaders.length / 2) * ": ".length
  for (const part of rawHeaders) bytes += part.length
  if (bytes <= maxHeaderSize) return undefined
  return `The headers are larger than ${maxHeaderSize} bytes, the server's maxHeaderSize.`
}

/**
 * The limit of Node.js, which counts the target of a request among its headers: no request within both limits exceeds it. It refuses
 * the rest before the whole head has arrived.
 */
export const headLimit = ({ maxHeaderSize, maxInitialLineLength }: HeadLimits): number =>
  maxInitialLineLength + maxHeaderSize

/** What a client is told whose head exceeds {@link headLimit}. */
export const longHead = ({ maxHeaderSize, maxInitialLineLength }: HeadLimits): string =>
  "The request line and the headers together are larger than the server allows: its maxInitialLineLength is " +
  `${maxInitialLineLength} bytes, its maxHeaderSize ${maxHeaderSize}. Send long scripts by POST.`
