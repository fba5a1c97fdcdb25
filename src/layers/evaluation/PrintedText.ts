/** Characters of what one script prints that are logged. */
const MAX_PRINTED_CHARS = 4_096

/** What a script prints with println and print, bounded, for one log line. */
export class PrintedText {
  #text = ""
  #isCut = false

  add(text: string): void {
    const room = MAX_PRINTED_CHARS - this.#text.length
    if (text.length > room) this.#isCut = true
    if (room > 0) this.#text += text.slice(0, room)
  }

  /** The text with its control characters escaped, and forgets it. Undefined when the script printed nothing. */
  take(): string | undefined {
    if (this.#text === "") return undefined
    const written = `${escaped(this.#text.replace(/\r?\n$/, ""))}${this.#isCut ? "..." : ""}`
    this.#text = ""
    this.#isCut = false
    return written
  }
}

/** Line ends, other control characters and marks of writing direction cannot break or disguise a log line. */
export const escaped = (text: string): string =>
  text.replace(/[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    if (character === "\n") return "\\n"
    if (character === "\\") return "\\\\"
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  })
