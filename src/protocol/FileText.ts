import { ProtocolError } from "./ProtocolError.ts"

const REPLACEMENT = "\ufffd"

/** The text of a file that comes in pieces: UTF-8, with or without a byte order mark, which is no part of the text. */
export class FileText {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })
  #line = 1
  #isFirst = true

  /** The text of the next bytes. Throws ProtocolError with the line where they are not UTF-8. */
  decode(bytes: Uint8Array): string {
    if (this.#isFirst) this.#refuseOther(bytes)
    this.#isFirst = false
    try {
      const text = this.#decoder.decode(bytes, { stream: true })
      this.#line += lineBreaks(text)
      return text
    } catch {
      throw this.#fail(new TextDecoder().decode(bytes))
    }
  }

  /** What is left when the file ends. Throws ProtocolError where it ends within a character. */
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
