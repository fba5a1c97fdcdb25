import { isLong } from "./ResultWeight.ts"
import { CHUNK_CHARS, type ResumableWrite } from "./ResumableWrite.ts"

/** The progress of a batch that is written in chunks of about {@link CHUNK_CHARS} characters. */
export class WriteProgress {
  /** The next row. */
  row = 0
  /** The write of the next row, when it is long. */
  long: ResumableWrite | null = null
  /** A row that turned out to be long while it was written; -1 = none. */
  longRow = -1
}

/** Whether a chunk that begins with row `first` and has this length ends before `row`. */
export const endsBefore = (first: number, row: number, length: number, value: unknown): boolean =>
  row > first && (length > CHUNK_CHARS || isLong(value))
