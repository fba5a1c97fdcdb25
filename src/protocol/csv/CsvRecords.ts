import Papa from "papaparse"
import { ProtocolError } from "../ProtocolError.ts"

/** Takes a record and the line it begins at. */
export type TakeRecord = (fields: ReadonlyArray<string>, line: number) => void

const QUOTE = '"'

/** Cuts a text of CSV that comes in pieces into records; records may span lines inside of quotes. */
export class CsvRecords {
  readonly #take: TakeRecord
  #parser: Papa.Parser | undefined
  #rest = ""
  #line = 1

  constructor(take: TakeRecord) {
    this.#take = take
  }

  push(text: string): void {
    this.#parse(this.#rest + text, true)
  }

  end(): void {
    const rest = this.#rest
    this.#rest = ""
    if (rest !== "") this.#parse(rest, false)
  }

  #parse(text: string, more: boolean): void {
    if (this.#parser === undefined) {
      const end = text.indexOf("\n")
      if (end === -1 && more) {
        this.#rest = text
        return
      }
      // The end of the first line tells what ends all of them.
      const newline = end > 0 && text[end - 1] === "\r" ? "\r\n" : "\n"
      this.#parser = new Papa.Parser({ delimiter: ",", newline })
    }
    const { data, errors, meta } = this.#parser.parse(text, 0, more) as Papa.ParseResult<Array<string>>
    // Of the record that is not complete yet nothing is known.
    const error = errors.find(({ row }) => row !== undefined && (!more || row < data.length))
    const quoted = text.includes(QUOTE)
    for (let at = 0; at < data.length; at++) {
      if (error?.row === at) break
      const record = data[at]!
      const line = this.#line++
      if (quoted) for (const field of record) this.#line += lineBreaks(field)
      // An empty line is none.
      if (record.length > 1 || record[0] !== "") this.#take(record, line)
    }
    if (error !== undefined) throw new ProtocolError(`line ${this.#line}: ${problem(error.code)}`)
    this.#rest = more ? text.slice(meta.cursor) : ""
  }
}

const lineBreaks = (field: string): number => {
  let count = 0
  for (let at = field.indexOf("\n"); at !== -1; at = field.indexOf("\n", at + 1)) count++
  return count
}

const problem = (code: string): string =>
  code === "MissingQuotes"
    ? 'a field that begins with " has no closing "'
    : 'a field that begins with " goes on behind its closing "; quotes inside of a field are written twice'
