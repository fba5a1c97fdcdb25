import { LONG_VALUE_LENGTH } from "./LongParts.ts"
import type { ResumableWrite } from "./ResumableWrite.ts"
import type { WriteProgress } from "./WriteProgress.ts"

/** Maximum length of a collection inside a row that is written without interruption, in characters or bytes. */
const UNINTERRUPTED_COLLECTION_LENGTH = 262_144
/** Maximum length of a text, or of bytes, that are written without interruption, in characters or bytes. */
const UNINTERRUPTED_VALUE_LENGTH = 1_048_576

/** Thrown when a row turns out to be long while it is written. The lengths of elements are not known before. */
const longInside = new Error("a row is long")

/** What a writer does: it writes rows without interruption, rows that may turn out to be long, or one long row in slices. */
export class WriteMode {
  #long: ResumableWrite | null = null
  #triesRows = false

  /** Continues a long row until `isOver` returns true. Returns true when `write` is complete. Fails as `write` does. */
  writeLong(long: ResumableWrite, isOver: () => boolean, write: () => void): boolean {
    this.#long = long
    try {
      return long.next(isOver, write)
    } finally {
      this.#long = null
    }
  }

  /**
   * Writes rows without interruption; `progress.row` is the current one. Returns false if a row turns out to be long, because an
   * element in it has a long property. The chunk then ends before this row, and the row is written in slices next.
   */
  tryRows(progress: WriteProgress, write: () => void): boolean {
    this.#triesRows = true
    try {
      write()
      return true
    } catch (error) {
      if (error !== longInside) throw error
      progress.longRow = progress.row
      return false
    } finally {
      this.#triesRows = false
    }
  }

  /** Checks the length of a collection that is being written without interruption. Ends {@link tryRows} if it is too long. */
  checkLength(length: number): void {
    if (length > UNINTERRUPTED_COLLECTION_LENGTH && this.#triesRows) throw longInside
  }

  /** The write in slices; null if rows are written without interruption. */
  get long(): ResumableWrite | null {
    return this.#long
  }

  /** The write in slices to which a collection belongs; null if it is written without interruption. */
  longOf(collection: object): ResumableWrite | null {
    return this.#long?.isWithin(collection) === true ? this.#long : null
  }

  /** The write in slices to which a text or bytes of this length belong; null if they are written without interruption. */
  longOfParts(length: number): ResumableWrite | null {
    if (length > UNINTERRUPTED_VALUE_LENGTH && this.#triesRows) throw longInside
    return length > LONG_VALUE_LENGTH ? this.#long : null
  }
}
