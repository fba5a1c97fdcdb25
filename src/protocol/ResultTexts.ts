import { beginningOf } from "../structure/texts/Text.ts"
import { textParts } from "./LongParts.ts"
import type { ResultData } from "./Messages.ts"
import { SerializationError } from "./ProtocolError.ts"
import type { ResumableWrite } from "./ResumableWrite.ts"
import { endsBefore, type WriteProgress } from "./WriteProgress.ts"

/** Maximum length of the text of a result that is not a string. Formatting it cannot be interrupted. */
const LONGEST_TEXT_CHARS = 262_144

const resultText = (value: unknown): string => {
  if (typeof value === "string") return value
  const found = beginningOf(value, LONGEST_TEXT_CHARS)
  if (found.length <= LONGEST_TEXT_CHARS) return found
  throw new SerializationError(
    `The text of a single result has more than ${LONGEST_TEXT_CHARS} characters; return its members one by one, with unfold(), or ask ` +
      "for a format that has types."
  )
}

/**
 * The texts of the results of a batch. Each text is repeated as often as its result occurred. Without `progress`, all results
 * are formatted. With it, the results from `progress.row` on are formatted until one chunk is full. Fails with SerializationError.
 */
export const resultTexts = ({ bulks, length, values }: ResultData, progress?: WriteProgress): Array<string> => {
  const texts: Array<string> = []
  const first = progress === undefined ? 0 : progress.row
  let row = first
  for (let characters = 0; row < length; row++) {
    if (progress !== undefined && endsBefore(first, row, characters, values[row])) break
    const text = resultText(values[row])
    characters += text.length
    for (let n = bulks === null ? 1 : bulks[row]!; n > 0; n--) texts.push(text)
  }
  if (progress !== undefined) progress.row = row
  return texts
}

/** Writes the text of a long row, as UTF-8, until `isOver`. True when it is complete. Fails with SerializationError. */
export const writeLongText = (data: ResultData, row: number, long: ResumableWrite, isOver: () => boolean): boolean =>
  long.next(isOver, () => {
    const value = data.values[row]
    // Only the text of a string is long. Any other text is formatted again in each slice.
    const text = resultText(value)
    long.parts(textParts(text), (part) => {
      long.add(Buffer.from(part))
      return undefined
    })
  })
