import { ProtocolError } from "./ProtocolError.ts"

const REPLACEMENT = "\ufffd"

/** Decodes a file in UTF-8 that arrives in chunks. A byte order mark is not part of its text. */
export class FileText {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })
  #line = 1
  #isFirst = true

  /** The text of the next bytes. Fails with ProtocolError, which names the line, when they are not UTF-8. */
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
