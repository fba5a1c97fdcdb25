import * as ws from "ws"
import manifest from "ws/package.json" with { type: "json" }
import { arrived } from "../shared/ArrivingBytes.ts"

/**
 * Everything that this server uses of ws without a public name. The fields belong to exactly one version of ws, and
 * {@link requireTestedWs} refuses to start with another one.
 */

/** The version of ws whose private fields this file uses. package.json pins the same version. */
export const TESTED_WS_VERSION = "8.23.0"

/** Throws when ws has another version than the one whose private fields this file uses. Call it before the first WebSocket. */
export const requireTestedWs = (version: string = manifest.version): void => {
  if (version === TESTED_WS_VERSION) return
  throw new Error(
    `The library ws has version ${version}, but this server uses private fields of ws ${TESTED_WS_VERSION} and runs with no ` +
      `other version. Install ws ${TESTED_WS_VERSION}: run npm ci, or remove the override of ws from your package.json.`
  )
}

/** Messages with more bytes are given as the list of their parts. ws joins shorter ones and checks that they are UTF-8. */
const LONG_MESSAGE_BYTES = 1_048_576
/** Of a frame that is longer, the bytes that have arrived are taken at once, in parts of at least this length. */
const MIN_PART_BYTES = 65_536

/** The states of ws in which a frame's header comes next, and in which its payload comes next; the opcodes of messages. */
const GET_INFO = 0
const GET_DATA = 4
const OPCODE_BINARY = 2
const LAST_MESSAGE_OPCODE = 7

/** What reads the frames of one WebSocket. */
interface Receiver {
  _state: number
  _bufferedBytes: number
  _buffers: ReadonlyArray<Buffer>
  _payloadLength: number
  _totalPayloadLength: number
  _messageLength: number
  _fragmented: number
  _numFragments: number
  _fragments: Array<Buffer>
  readonly _mask: Buffer | undefined
  readonly _masked: boolean
  readonly _compressed: boolean
  readonly _fin: boolean
  readonly _opcode: number
  consume(bytes: number): Buffer
  getData(done: (error?: Error) => void): void
  dataMessage(done: (error?: Error) => void): void
  emit(event: "message", data: ReadonlyArray<Buffer>, isBinary: boolean): boolean
}

/** What compresses and decompresses the messages of one WebSocket, on other threads. */
interface PerMessageDeflate {
  compress(data: Buffer, isLast: boolean, done: (error: Error | null, bytes: Buffer) => void): void
  decompress(data: Buffer, isLast: boolean, done: (error: Error | null, bytes?: Buffer) => void): void
}

/** The private fields of a WebSocket. */
interface Internals {
  /** Missing before the handshake has ended. */
  readonly _receiver?: Receiver
  readonly _extensions?: { readonly "permessage-deflate"?: PerMessageDeflate }
}

const internalsOf = (webSocket: ws.WebSocket): Internals => webSocket as unknown as Internals

/** What compresses the messages of a WebSocket. */
export type Deflater = Pick<PerMessageDeflate, "compress">

/** Undefined when the client and the server did not agree on compression. */
export const deflaterOf = (webSocket: ws.WebSocket): Deflater | undefined =>
  internalsOf(webSocket)._extensions?.["permessage-deflate"]

/** Calls back each time ws has decompressed a part of a message and added it to the parts that it holds. */
export const onInflated = (webSocket: ws.WebSocket, inflated: () => void): void => {
  const inflater = internalsOf(webSocket)._extensions?.["permessage-deflate"]
  if (inflater === undefined) return
  const decompress = inflater.decompress.bind(inflater)
  inflater.decompress = (data, isLast, done) => {
    decompress(data, isLast, (error, bytes) => {
      done(error, bytes)
      inflated()
    })
  }
}

/** Whether the beginning of a message has arrived, but not yet its end. */
export const isReceiving = (webSocket: ws.WebSocket): boolean => {
  const receiver = internalsOf(webSocket)._receiver
  return receiver !== undefined && (receiver._state !== 0 || receiver._bufferedBytes > 0 || receiver._fragmented !== 0)
}

/**
 * Memory of the message that is arriving, as {@link arrived} counts it. `bytes` and `parts` are what the socket gave to ws;
 * ws holds more when the message is compressed.
 */
export const heldWhileReceiving = (webSocket: ws.WebSocket, bytes: number, parts: number): number => {
  const receiver = internalsOf(webSocket)._receiver
  if (receiver === undefined) return arrived(bytes, parts)
  return arrived(Math.max(bytes, receiver._messageLength), parts + receiver._fragments.length)
}

/** Drops the message that was arriving when the connection was closed. */
export const dropReceived = (webSocket: ws.WebSocket): void => {
  const receiver = internalsOf(webSocket)._receiver
  if (receiver === undefined) return
  receiver._fragments = []
  receiver._buffers = []
  receiver._bufferedBytes = 0
}

const unmask = (bytes: Buffer, mask: Buffer): void => {
  const a = mask[0]!
  const b = mask[1]!
  const c = mask[2]!
  const d = mask[3]!
  for (let i = 0; i < bytes.length; i += 4) {
    bytes[i]! ^= a
    bytes[i + 1]! ^= b
    bytes[i + 2]! ^= c
    bytes[i + 3]! ^= d
  }
}

/** Bytes at the start of a message in which its format and the id of its request are found. */
const MAX_BEGINNING_BYTES = 65_536

/** Length of the mask of a frame. */
const MASK_BYTES = 4

/**
 * The start of the message that is arriving, as far as ws holds it: also of a frame that ws refuses because of its length. Undefined if
 * there is none that can be read.
 */
export const beginningOf = (
  webSocket: ws.WebSocket
): { readonly bytes: Buffer; readonly isBinary: boolean } | undefined => {
  const receiver = internalsOf(webSocket)._receiver
  if (receiver === undefined) return undefined
  const isBinary = receiver._opcode === OPCODE_BINARY
  if (receiver._fragments.length > 0) return { bytes: firstBytes(receiver._fragments), isBinary }
  const bytes = firstBytes(receiver._buffers)
  if (receiver._compressed || bytes.length <= MASK_BYTES) return undefined
  // Frames of clients are masked, and the mask comes before the payload.
  const isMaskRead = receiver._state === GET_DATA
  const payload = isMaskRead ? bytes : bytes.subarray(MASK_BYTES)
  unmask(payload, isMaskRead ? receiver._mask! : bytes)
  return { bytes: payload, isBinary }
}

/** A copy of at most {@link MAX_BEGINNING_BYTES}. */
const firstBytes = (parts: ReadonlyArray<Buffer>): Buffer => {
  const first: Array<Buffer> = []
  for (let i = 0, length = 0; i < parts.length && length < MAX_BEGINNING_BYTES; i++) {
    first.push(parts[i]!.subarray(0, MAX_BEGINNING_BYTES - length))
    length += first.at(-1)!.length
  }
  return Buffer.concat(first)
}

/** The methods of ws itself. All connections share the functions below, so that V8 can resolve the calls statically. */
const original = (ws as unknown as { readonly Receiver: { readonly prototype: Receiver } }).Receiver.prototype

function getData(this: Receiver, done: (error?: Error) => void): void {
  if (
    this._payloadLength > MIN_PART_BYTES &&
    this._bufferedBytes >= MIN_PART_BYTES &&
    this._opcode <= LAST_MESSAGE_OPCODE &&
    !this._compressed
  ) {
    // The mask repeats every four bytes, so a part ends at a multiple of four. ws itself reads the last bytes of a frame.
    const bytes = this.consume(Math.min(this._bufferedBytes, this._payloadLength - 1) & ~3)
    if (this._masked) unmask(bytes, this._mask!)
    this._payloadLength -= bytes.length
    this._fragments.push(bytes)
  }
  original.getData.call(this, done)
}

function dataMessage(this: Receiver, done: (error?: Error) => void): void {
  const { _fragments: parts, _messageLength: length } = this
  if (!this._fin || length <= LONG_MESSAGE_BYTES) {
    original.dataMessage.call(this, done)
    return
  }
  this._totalPayloadLength = 0
  this._messageLength = 0
  this._fragmented = 0
  this._numFragments = 0
  this._fragments = []
  this.emit("message", parts, this._opcode === OPCODE_BINARY)
  this._state = GET_INFO
}

/**
 * Makes ws emit a message of more than a megabyte as the list of its parts, and take the bytes of a long frame as they
 * arrive. Unchanged, ws copies, unmasks, checks and joins all bytes in one turn of the event loop, which takes a third of
 * a second for sixty megabytes. The reader of such a message must check itself that text is UTF-8.
 */
export const receiveInParts = (webSocket: ws.WebSocket): void => {
  const receiver = internalsOf(webSocket)._receiver
  if (receiver === undefined) return
  receiver.getData = getData
  receiver.dataMessage = dataMessage
}
