import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { insideOf } from "../../scheduling/ResumableDescent.ts"
import { stringOfUnits } from "../../structure/characters/CodeUnits.ts"
import { BACKSLASH, LETTER_U, QUOTE } from "./JsonCharacters.ts"

/** Characters of a long string or of white space that are read without looking at the clock: well below a millisecond. */
export const STRING_CHUNK_CHARS = 32_768

/** The character that a character means after a backslash; 0 when the escape is unknown or has more characters. */
const meanings = new Uint8Array(128)
for (const [character, meaning] of ["b\b", "t\t", "n\n", "f\f", "r\r", '""', "\\\\", "//"]) {
  meanings[character!.charCodeAt(0)] = meaning!.charCodeAt(0)
}

const fourDigits = /[0-9a-fA-F]{4}/y

/** The text between two offsets with its escapes replaced; control characters are kept. Undefined for a malformed escape. */
const unescaped = (text: string, from: number, end: number): string | undefined => {
  const units = new Uint16Array(end - from)
  let length = 0
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== BACKSLASH) {
      units[length++] = code
      continue
    }
    const sign = text.charCodeAt(++at)
    if (sign === LETTER_U) {
      fourDigits.lastIndex = at + 1
      if (!fourDigits.test(text)) return undefined
      units[length++] = Number.parseInt(text.slice(at + 1, at + 5), 16)
      at += 4
    } else {
      const meaning = meanings[sign] ?? 0
      if (meaning === 0) return undefined
      units[length++] = meaning
    }
  }
  return stringOfUnits(units, length)
}

/**
 * A part of a JSON string as a new string, which does not keep the whole message in memory. Line ends and other control
 * characters are kept. Undefined for a malformed escape.
 */
export const parsedPart = (text: string, from: number, end: number): string | undefined => {
  try {
    return JSON.parse(`"${text.slice(from, end)}"`)
  } catch {
    return unescaped(text, from, end)
  }
}

/** Values of {@link LongString.end} for a string that cannot be read. */
export const LongStringProblem = { unclosed: -1, malformedEscape: -2 } as const

/** A long string, as far as it was read. */
interface LongString {
  text: string
  /** Where the read part ends: at the closing quote when it is complete. Or a {@link LongStringProblem}. */
  end: number
}

/** Where the chunk at `from` ends: at the closing quote, or at an offset outside of escapes; -1 when the text ends. */
const endOfChunk = (text: string, from: number): number => {
  const limit = from + STRING_CHUNK_CHARS
  const chunk = text.slice(from, limit)
  if (limit < text.length && !chunk.includes('"') && !chunk.includes("\\")) return limit
  let outside = from
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || (at >= limit && at >= outside)) return at
    if (code !== BACKSLASH) continue
    at++
    outside = text.charCodeAt(at) === LETTER_U ? at + 5 : at + 1
  }
  return -1
}

/**
 * Reads a string in chunks, in time slices. `from` is the offset after its opening quote.
 *
 * @param isSkipping the string is only skipped: its text is not kept
 */
export const longString = (text: string, from: number, slices: ResumableDescent, isSkipping: boolean): LongString => {
  const loop = slices.enter(insideOf(from, isSkipping), null, from, null)
  const read = (loop.state ?? { text: "", end: from }) as LongString
  for (;;) {
    const end = endOfChunk(text, read.end)
    if (end < 0) return { text: "", end: LongStringProblem.unclosed }
    const part = parsedPart(text, read.end, end)
    if (part === undefined) return { text: "", end: LongStringProblem.malformedEscape }
    if (!isSkipping) read.text += part
    read.end = end
    if (text.charCodeAt(end) === QUOTE) break
    slices.part(end, read)
  }
  // A string that an earlier slice completed is at its closing quote: this slice adds an empty chunk.
  slices.done(read)
  return read
}
