import * as ws from "ws"

/** Bytes of a frame that are taken together; of longer ones what has arrived is taken, in parts of at least so many. */
const PART = 65_536
/** Bytes of a message that ws puts together, and looks at whether they are UTF-8. */
const LONG = 1_048_576

/** The state of ws in which a frame's header comes next, and the opcodes of messages. */
const GET_INFO = 0
const BINARY = 2
const LAST_OF_MESSAGES = 7

/** What reads the frames of one WebSocket. ws has no public name for it. */
interface Receiver {
  _state: number
  readonly _bufferedBytes: number
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

/** As ws has them; the same functions for all connections, so that V8 knows where a call goes. */
const original = (ws as unknown as { readonly Receiver: { readonly prototype: Receiver } }).Receiver.prototype

function getData(this: Receiver, done: (error?: Error) => void): void {
  if (
    this._payloadLength > PART &&
    this._bufferedBytes >= PART &&
    this._opcode <= LAST_OF_MESSAGES &&
    !this._compressed
  ) {
    // The mask has four bytes: behind a multiple of them it begins anew. ws wants to see the last of a frame itself.
    const bytes = this.consume(Math.min(this._bufferedBytes, this._payloadLength - 1) & ~3)
    if (this._masked) unmask(bytes, this._mask!)
    this._payloadLength -= bytes.length
    this._fragments.push(bytes)
  }
  original.getData.call(this, done)
}

function dataMessage(this: Receiver, done: (error?: Error) => void): void {
  const { _fragments: parts, _messageLength: length } = this
  if (!this._fin || length <= LONG) {
    original.dataMessage.call(this, done)
    return
  }
  this._totalPayloadLength = 0
  this._messageLength = 0
  this._fragmented = 0
  this._numFragments = 0
  this._fragments = []
  this.emit("message", parts, this._opcode === BINARY)
  this._state = GET_INFO
}

/**
 * Makes ws give messages of more than a megabyte as the list of their parts, and take what has arrived of a long frame at once.
 * By itself it copies, unmasks, checks and joins all of it in one turn of the event loop, which takes a third of a second for
 * sixty megabytes. Whoever reads such a message as text has to see whether it is UTF-8.
 */
export const receiveInParts = (webSocket: ws.WebSocket): void => {
  const receiver = (webSocket as unknown as { readonly _receiver?: Receiver })._receiver
  if (receiver === undefined) return
  receiver.getData = getData
  receiver.dataMessage = dataMessage
}
