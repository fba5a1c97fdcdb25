/** A message that is too long for one piece of memory: its bytes in pieces, which are sent one after another. */
export class MessagePieces {
  readonly pieces: ReadonlyArray<Buffer>
  /** Bytes of all pieces together. */
  readonly length: number

  constructor(pieces: ReadonlyArray<Buffer>) {
    this.pieces = pieces
    let length = 0
    for (const piece of pieces) length += piece.length
    this.length = length
  }
}
