import { GraphBinaryReader } from "../../src/protocol/graphbinary/GraphBinaryReader.ts"

/** One HTTP answer. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** Returns the complete answers, and whether an incomplete one follows. Fails for malformed answers. */
export const httpAnswers = (
  bytes: Buffer,
  head: boolean,
  closed: boolean
): { readonly answers: ReadonlyArray<HttpAnswer>; readonly rest: Buffer } => {
  const answers: Array<HttpAnswer> = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n\r\n", at)
    if (end < 0) break
    const [line = "", ...lines] = bytes.toString("latin1", at, end).split("\r\n")
    const status = /^HTTP\/1\.1 ([1-5]\d\d) [A-Z][\w' -]*$/i.exec(line)?.[1]
    if (status === undefined) throw new Error(`no status line: ${line}`)
    const headers = new Map<string, string>()
    for (const header of lines) {
      const [, name, value] = /^([\w-]+): ([^\0\r\n]*)$/.exec(header) ?? []
      if (name === undefined) throw new Error(`no header: ${header}`)
      if (headers.has(name.toLowerCase())) throw new Error(`a header twice: ${header}`)
      headers.set(name.toLowerCase(), value!)
    }
    const start = end + 4
    const body = bodyAt(bytes, start, Number(status), headers, head, closed)
    if (body === undefined) break
    answers.push({ status: Number(status), headers, body: body.bytes })
    at = body.end
    if (status === "101") break
  }
  return { answers, rest: bytes.subarray(at) }
}

const bodyAt = (
  bytes: Buffer,
  start: number,
  status: number,
  headers: ReadonlyMap<string, string>,
  head: boolean,
  closed: boolean
): { readonly bytes: Buffer; readonly end: number } | undefined => {
  const length = headers.get("content-length")
  const chunked = headers.get("transfer-encoding") === "chunked"
  if (length !== undefined && chunked) throw new Error("an answer with Content-Length and chunks")
  if (status < 200 || status === 204 || head) return { bytes: Buffer.alloc(0), end: start }
  if (length !== undefined) {
    const end = start + Number(length)
    return end > bytes.length ? undefined : { bytes: bytes.subarray(start, end), end }
  }
  // HTTP/1.0 has no chunks: the end of the connection is the end of the answer.
  if (!chunked) return closed ? { bytes: bytes.subarray(start), end: bytes.length } : undefined
  const parts: Array<Buffer> = []
  let at = start
  for (;;) {
    const line = bytes.indexOf("\r\n", at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16)
    if (Number.isNaN(size)) throw new Error("no size of a chunk")
    const end = line + 2 + size
    if (bytes.length < end + 2) return undefined
    if (bytes.toString("latin1", end, end + 2) !== "\r\n") throw new Error("no end of a chunk")
    parts.push(bytes.subarray(line + 2, end))
    at = end + 2
    if (size === 0) return { bytes: Buffer.concat(parts), end: at }
  }
}

/** Fails unless an error has a JSON body with a message. */
export const checkHttpAnswer = ({ body, headers, status }: HttpAnswer, head: boolean): void => {
  if (status < 400 || head) return
  // The WebSocket library answers a handshake with plain text.
  if (headers.get("content-type")?.startsWith("text/html") === true) return
  const { message } = JSON.parse(body.toString()) as { message?: unknown }
  if (typeof message !== "string" || message === "") throw new Error(`an error without a message: ${body}`)
}

const codes = new Set([200, 204, 206, 401, 403, 407, 429, 498, 499, 500, 595, 596, 597, 598, 599])

/** The checked fields of an answer over a WebSocket. */
export interface Frame {
  readonly requestId: string | null
  readonly code: number
}

const checked = (requestId: unknown, code: unknown, message: unknown): Frame => {
  if (typeof code !== "number" || !codes.has(code)) throw new Error(`the code ${code}`)
  if (requestId !== null && !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(requestId))) {
    throw new Error(`the requestId ${requestId}`)
  }
  if (typeof message !== "string") throw new Error("no message")
  if (code >= 400 && code !== 407 && message === "") throw new Error(`${code} without a message`)
  if (/This is a defect/.test(message)) throw new Error(message)
  return { requestId: requestId as string | null, code }
}

/** An answer in text or binary; fails when it is not well-formed. */
export const readAnswer = (payload: Buffer): Frame => {
  if (payload[0] === 0x81) return readBinary(payload)
  const json = JSON.parse(payload.toString())
  const id = json.requestId
  const requestId = typeof id === "object" && id !== null ? (id["@value"] ?? id[1]) : id
  if (!("data" in json.result)) throw new Error("an answer without data")
  return checked(requestId, json.status.code, json.status.message)
}

const readBinary = (payload: Buffer): Frame => {
  const hasId = payload[1] === 0
  const hex = payload.toString("hex", 2, 18)
  const id = hasId ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : null
  const reader = new GraphBinaryReader(payload, hasId ? 18 : 2)
  const code = reader.input.int()
  const message = reader.input.unsignedByte() === 0 ? reader.input.string() : ""
  reader.map()
  reader.map()
  reader.value()
  if (reader.input.left !== 0) throw new Error("an answer with something behind its end")
  return checked(id, code, message)
}

export const isFinal = (code: number): boolean => code !== 206 && code !== 407
