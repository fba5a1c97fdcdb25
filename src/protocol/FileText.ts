import { ProtocolError } from "./ProtocolError.ts"

const REPLACEMENT = "\ufffd"
const BYTE_ORDER_MARK = "\ufeff"

/** Decodes a file in UTF-8 that arrives in chunks. A byte order mark is not part of its text. */
export class FileText {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  #line = 1
  #undecoded = 0
  #isFirst = true
  #hasText = false

  /** Bytes at the end of what was decoded that belong to an incomplete character. */
  get undecoded(): number {
    return this.#undecoded
  }

  /** The text of the next bytes. Fails with ProtocolError, which names the line, when they are not UTF-8. */
  decode(bytes: Uint8Array): string {
    if (this.#isFirst) this.#refuseOther(bytes)
    this.#isFirst = false
    try {
      const text = this.#decoder.decode(bytes, { stream: true })
      this.#undecoded += bytes.length - Buffer.byteLength(text)
      this.#line += lineBreaks(text)
      if (this.#hasText || text === "") return text
      this.#hasText = true
      return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
    } catch {
      throw this.#fail(new TextDecoder().decode(bytes))
    }
  }

  /** The rest of the text at the end of the file. Fails with ProtocolError when the file ends inside of a character. */
  end(): string {
    try {
      return this.#decoder.decode()
    } catch {
      throw this.#fail("")
    }
  }

  #fail(text: string): ProtocolError {
    const line = this.#line + lineBreaks(text.slice(0, Math.max(0, text.indexOf(REPLACEMENT))))
    return new ProtocolError(`line ${line}: there are bytes that are no UTF-8; convert the file to UTF-8`)
  }

  #refuseOther(bytes: Uint8Array): void {
    const [first, second] = bytes
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
      throw new ProtocolError("line 1: the file is in UTF-16; convert it to UTF-8")
    }
  }
}

const lineBreaks = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** Counts the bytes of a file that follow its last complete record. */
export class Tail {
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Called after each chunk. `ended`: the offset in its text after the last record that ended in it; -1 if none did. `undecoded`:
   * see {@link FileText.undecoded}.
   */
  read(bytes: Uint8Array, text: string, ended: number, undecoded: number): void {
    if (ended === -1) this.#bytes += bytes.length
    else this.#bytes = Buffer.byteLength(text.slice(ended)) + undecoded
  }
}
