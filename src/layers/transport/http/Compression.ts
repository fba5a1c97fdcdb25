import type { IncomingMessage, ServerResponse } from "node:http"
import { pipeline, type Transform, type Writable } from "node:stream"
import { constants, createBrotliCompress, createGzip } from "node:zlib"
import { readTarget } from "./RequestTarget.ts"

/** Shorter answers are sent as they are: compression costs more than it saves. */
export const MIN_COMPRESSED_BYTES = 8_192

/** Of gzip and brotli. Higher levels take several times as long for a few percent. */
const LEVEL = 4

/** 2^18 bytes. The default window of brotli takes several megabytes for each answer. */
const BROTLI_WINDOW_BITS = 18

/** Approximate memory of a compressor. */
export const COMPRESSOR_BYTES = 524_288

type Coding = "br" | "gzip"

/** The weight of a coding in a part of Accept-Encoding: 0 to 1. RFC 9110, section 12.4.2. */
const weightOf = (parameters: ReadonlyArray<string>): number => {
  for (const parameter of parameters) {
    const given = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)
    if (given !== null) return Number(given[1])
  }
  return parameters.length === 0 ? 1 : 0
}

/** The best coding that a client accepts; undefined for none. Of equal weights, brotli comes first: its answers are shorter. */
export const acceptedCoding = (header: string | undefined): Coding | undefined => {
  if (header === undefined || header === "") return undefined
  const weights = new Map<string, number>()
  for (const part of header.split(",")) {
    const [name = "", ...parameters] = part.split(";")
    weights.set(name.trim().toLowerCase(), weightOf(parameters))
  }
  const others = weights.get("*") ?? 0
  const br = weights.get("br") ?? others
  const gzip = weights.get("gzip") ?? weights.get("x-gzip") ?? others
  // Without a weight of its own, identity is always acceptable, but not preferred.
  const best = Math.max(br, gzip)
  if (best === 0 || (weights.get("identity") ?? 0) > best) return undefined
  return br === best ? "br" : "gzip"
}

/**
 * Whether a page of another origin made the browser send the request. The length of a compressed answer tells such a page
 * whether a text that it chose is also in the rest of the answer (the attack BREACH).
 */
const isFromOtherOrigin = ({ headers }: IncomingMessage): boolean => {
  const { host, origin } = headers
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return true
  return origin !== undefined && (host === undefined || !origin.endsWith(`://${host}`))
}

/** The coding of a long answer; undefined when it is sent as it is. Answers of `/session` contain secrets. */
const codingFor = ({ req: request }: ServerResponse): Coding | undefined => {
  if (request.method === "HEAD" || request.httpVersion === "1.0" || isFromOtherOrigin(request)) return undefined
  const coding = acceptedCoding(request.headers["accept-encoding"])
  return coding !== undefined && readTarget(request.url ?? "/").path === "/session" ? undefined : coding
}

const compressor = (coding: Coding): Transform =>
  coding === "gzip"
    ? createGzip({ level: LEVEL })
    : createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: LEVEL,
          [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS
        }
      })

/** Where the body of a long answer is written. */
export interface BodyOutput {
  readonly stream: Writable
  /**
   * Takes the answer back: true if nothing of it was sent, so that another answer can be sent. Otherwise the answer is cut, which the
   * client notices.
   */
  readonly takeBack: () => boolean
}

/**
 * The output of a long answer: a compressor in front of the response when the client asks for that, else the response. Writes the
 * header, which is sent with the first output.
 *
 * The compressor works in other threads. It has the backpressure of the response. When it is destroyed before its end, so is the
 * response, without the last chunk; when the client closes the connection, the compressor is freed.
 *
 * @param length the Content-Length of an answer that is not compressed; undefined where it is not known
 */
export const bodyOutput = (
  response: ServerResponse,
  status: number,
  headers: ReadonlyArray<string | number>,
  length?: number
): BodyOutput => {
  const coding = codingFor(response)
  const varied = [...headers, "vary", "Accept-Encoding"]
  if (coding === undefined) {
    if (length !== undefined) varied.push("content-length", length)
    response.writeHead(status, varied as Array<string>)
    const takeBack = (): boolean => {
      response.destroy()
      return false
    }
    return { stream: response, takeBack }
  }
  varied.push("content-encoding", coding)
  return compressed(compressor(coding), response, () => response.writeHead(status, varied as Array<string>))
}

/** The compressor keeps a part of its input. Until its first output, nothing is sent. */
const compressed = (stream: Transform, response: ServerResponse, writeHead: () => void): BodyOutput => {
  let state: "empty" | "begun" | "taken back" = "empty"
  const free = (): void => void stream.destroy()
  response.once("close", free)
  // An error of the compressor cuts the answer.
  stream.on("error", () => response.destroy())
  stream.once("close", () => {
    if (state === "empty") response.destroy()
  })
  stream.once("readable", () => {
    if (state !== "empty" || stream.destroyed) return
    state = "begun"
    // A request has one answer. When another one has begun, it is cut.
    if (response.headersSent) {
      response.destroy()
      return
    }
    writeHead()
    pipeline(stream, response, () => {
      // An error has cut the answer, which the client notices.
    })
  })
  return {
    stream,
    takeBack: () => {
      if (state !== "empty") {
        stream.destroy()
        response.destroy()
        return false
      }
      state = "taken back"
      response.off("close", free)
      stream.destroy()
      return true
    }
  }
}
