/** A message that is too long for one buffer: its bytes in several buffers, which are sent one after another. */
export class ChunkedMessage {
  readonly buffers: ReadonlyArray<Buffer>
  /** Length of all buffers together, in bytes. */
  readonly length: number

  constructor(buffers: ReadonlyArray<Buffer>) {
    this.buffers = buffers
    let length = 0
    for (const buffer of buffers) length += buffer.length
    this.length = length
  }
}
