// Pieces of an answer: bytes of binary formats, or texts.

/** The bytes of a piece. */
export const asBytes = (piece: Buffer | string): Buffer => (typeof piece === "string" ? Buffer.from(piece) : piece)

/** All pieces as one: text if all of them are text. */
export const joined = (pieces: ReadonlyArray<Buffer | string>): Buffer | string => {
  let text = ""
  for (const piece of pieces) {
    if (typeof piece !== "string") return Buffer.concat(pieces.map(asBytes))
    text += piece
  }
  return text
}

/** The bytes of all pieces. */
export const bytesOf = (pieces: ReadonlyArray<Buffer | string>): Buffer => asBytes(joined(pieces))
