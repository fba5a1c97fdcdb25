/** A message that is too long for one buffer: its bytes in several buffers, which are sent one after another. */
export class MessagePieces {
  readonly pieces: ReadonlyArray<Buffer>
  /** Length of all pieces together, in bytes. */
  readonly length: number

  constructor(pieces: ReadonlyArray<Buffer>) {
    this.pieces = pieces
    let length = 0
    for (const piece of pieces) length += piece.length
    this.length = length
  }
}
