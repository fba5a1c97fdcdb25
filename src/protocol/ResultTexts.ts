import { beginningOf } from "../structure/Text.ts"
import { textParts } from "./LongParts.ts"
import { endsBefore, type LongWrite, type WriteProgress } from "./LongWrites.ts"
import type { ResultData } from "./Messages.ts"
import { SerializationError } from "./ProtocolError.ts"

/** Characters that the text of one result may have, if it is no text itself: making it cannot be interrupted. */
const LONGEST = 262_144

const resultText = (value: unknown): string => {
  if (typeof value === "string") return value
  const found = beginningOf(value, LONGEST)
  if (found.length <= LONGEST) return found
  throw new SerializationError(
    `The text of a single result has more than ${LONGEST} characters; return its members one by one, with unfold(), or ask ` +
      "for a format that has types."
  )
}

/**
 * The results of a batch as texts, each as often as it occurred: all of them, or with `progress` those from its row on that
 * make a piece. Fails with SerializationError.
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

/** Writes the text of a row that is long, as UTF-8, until it is written (true) or `isOver`. Fails with SerializationError. */
export const writeLongText = (data: ResultData, row: number, long: LongWrite, isOver: () => boolean): boolean =>
  long.next(isOver, () => {
    const value = data.values[row]
    // That of a value that is no text is short, and made again only if it was not written at once.
    const text = resultText(value)
    long.parts(textParts(text), (part) => {
      long.add(Buffer.from(part))
      return undefined
    })
  })
