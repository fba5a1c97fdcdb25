import { ProtocolError } from "../ProtocolError.ts"

/** Receives a record and the line on which it begins, from 1. */
type TakeRecord = (fields: ReadonlyArray<string>, line: number) => void

const QUOTE = 34
const LINE_FEED = 10
const RETURN = 13

/** Maximum length of a field. Without the limit, an unclosed quote would put the rest of the file into one field. */
const LONGEST_FIELD_CHARS = 64 * 1024 * 1024

/** The state of the scanner in a record. */
type State =
  /** Before the first character of a field. */
  | "begin"
  /** Inside of a field without quotes. */
  | "plain"
  /** Inside of quotes. */
  | "quoted"
  /** After a quote inside of quotes: the end of the field, or the first of two quotes that mean one. */
  | "closing"

/**
 * Splits a CSV text (RFC 4180) that arrives in chunks into records. Each record may end with LF, CR or CRLF, independent of the
 * others. Quoted fields may contain line breaks. A field that spans chunks is scanned once.
 */
export class CsvRecords {
  readonly #take: TakeRecord
  /** The character between fields. */
  readonly #delimiter: number
  #state: State = "begin"
  #fields: Array<string> = []
  /** The part of the current field in earlier chunks. */
  #field = ""
  /** True if the current record has a quoted field. An empty line is ignored, but a record with one empty quoted field is not. */
  #quoted = false
  /** True after a CR: a LF that follows belongs to the same line break. */
  #afterReturn = false
  #line = 1
  #recordLine = 1
  #ended = -1

  /** `delimiter`: the character between fields. */
  constructor(take: TakeRecord, delimiter = ",") {
    this.#take = take
    this.#delimiter = delimiter.charCodeAt(0)
  }

  /** The line that is being read, from 1. */
  get line(): number {
    return this.#line
  }

  /** The offset in the last chunk after the last record that ended in it; -1 if none did. */
  get ended(): number {
    return this.#ended
  }

  /** Scans the next chunk. Fails with ProtocolError for a misplaced quote. */
  push(text: string): void {
    let at = 0
    this.#ended = -1
    while (at < text.length) {
      switch (this.#state) {
        case "begin":
          at = this.#begin(text, at)
          break
        case "plain":
          at = this.#plain(text, at)
          break
        case "quoted":
          at = this.#inQuotes(text, at)
          break
        case "closing":
          at = this.#closing(text, at)
          break
      }
    }
  }

  /** Ends the text. Fails with ProtocolError when a quote is not closed. */
  end(): void {
    if (this.#state === "quoted") throw this.#fail('a field that begins with " has no closing "')
    if (this.#state === "begin" && this.#fields.length === 0) return
    this.#endField()
    this.#endRecord()
  }

  #fail(problem: string): ProtocolError {
    return new ProtocolError(`line ${this.#recordLine}: ${problem}`)
  }

  #begin(text: string, at: number): number {
    const character = text.charCodeAt(at)
    if (character === LINE_FEED && this.#afterReturn) {
      this.#afterReturn = false
      return at + 1
    }
    this.#afterReturn = false
    if (character !== QUOTE) {
      this.#state = "plain"
      return at
    }
    this.#quoted = true
    this.#state = "quoted"
    return at + 1
  }

  #plain(text: string, from: number): number {
    const delimiter = this.#delimiter
    let at = from
    let character = 0
    for (; at < text.length; at++) {
      character = text.charCodeAt(at)
      if (character === delimiter || character === LINE_FEED || character === RETURN) break
    }
    this.#add(text, from, at)
    return at === text.length ? at : this.#endAt(character, at)
  }

  #inQuotes(text: string, from: number): number {
    const found = text.indexOf('"', from)
    const at = found === -1 ? text.length : found
    this.#add(text, from, at)
    this.#countLines(text, from, at)
    if (found === -1) return at
    this.#state = "closing"
    return at + 1
  }

  #closing(text: string, at: number): number {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      this.#field += '"'
      this.#afterReturn = false
      this.#state = "quoted"
      return at + 1
    }
    if (character === this.#delimiter || character === LINE_FEED || character === RETURN)
      return this.#endAt(character, at)
    throw this.#fail(
      'a field that begins with " has further characters after its closing "; write a quote inside a field twice'
    )
  }

  /** Ends the field at this character: the delimiter, or the start of a line break. Returns the offset at which the scan continues. */
  #endAt(character: number, at: number): number {
    this.#endField()
    this.#afterReturn = false
    if (character !== this.#delimiter) {
      this.#line++
      this.#afterReturn = character === RETURN
      this.#endRecord()
      this.#ended = at + 1
    }
    return at + 1
  }

  #add(text: string, from: number, to: number): void {
    if (from === to) return
    this.#field = this.#field === "" ? text.slice(from, to) : this.#field + text.slice(from, to)
    if (this.#field.length <= LONGEST_FIELD_CHARS) return
    const hint = this.#state === "quoted" ? "; perhaps it has no closing quote" : ""
    throw this.#fail(`a field has more than ${LONGEST_FIELD_CHARS} characters${hint}`)
  }

  /** Counts line breaks inside of quotes. */
  #countLines(text: string, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const character = text.charCodeAt(at)
      if (character === RETURN || (character === LINE_FEED && !this.#afterReturn)) this.#line++
      this.#afterReturn = character === RETURN
    }
  }

  #endField(): void {
    this.#fields.push(this.#field)
    this.#field = ""
    this.#state = "begin"
  }

  #endRecord(): void {
    const fields = this.#fields
    const line = this.#recordLine
    const isEmptyLine = fields.length === 1 && fields[0] === "" && !this.#quoted
    this.#fields = []
    this.#quoted = false
    this.#recordLine = this.#line
    if (!isEmptyLine) this.#take(fields, line)
  }
}
