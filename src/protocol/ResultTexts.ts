import { beginningOf } from "../structure/Text.ts"
import { textParts } from "./LongParts.ts"
import { endsBefore, type LongWrite, type WriteProgress } from "./LongWrites.ts"
import type { ResultData } from "./Messages.ts"
import { SerializationError } from "./ProtocolError.ts"

/** Characters of the text of a result that is not a text itself. Formatting it cannot be interrupted. */
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
 * The texts of the results of a batch, each as often as it occurred: of all results, or with `progress` of those from its row on
 * that fit into one chunk. Fails with SerializationError.
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
export const writeLongText = (data: ResultData, row: number, long: LongWrite, isOver: () => boolean): boolean =>
  long.next(isOver, () => {
    const value = data.values[row]
    // The text of any other value is short. It is formatted again only when one slice could not write it.
    const text = resultText(value)
    long.parts(textParts(text), (part) => {
      long.add(Buffer.from(part))
      return undefined
    })
  })
