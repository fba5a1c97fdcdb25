import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { insideOf } from "../../scheduling/ResumableDescent.ts"

const QUOTE = 34
const BACKSLASH = 92
const LETTER_U = 117

/** Characters of a string that are read in one piece: well below a millisecond. Longer ones are read in several. */
export const PIECE = 32_768

/** What a character means after a backslash; 0 where it means nothing, or more follows. */
const meanings = new Uint8Array(128)
for (const [character, meaning] of ["b\b", "t\t", "n\n", "f\f", "r\r", '""', "\\\\", "//"]) {
  meanings[character!.charCodeAt(0)] = meaning!.charCodeAt(0)
}

const fourDigits = /[0-9a-fA-F]{4}/y

/** Characters that become a string at once: a function takes only so many arguments. */
const AT_ONCE = 4096

/**
 * The characters of a string of JSON between two places, with what its escapes mean, and control characters as they are.
 * Undefined where an escape is malformed.
 */
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
  let result = ""
  for (let at = 0; at < length; at += AT_ONCE) {
    result += String.fromCharCode(...units.subarray(at, Math.min(at + AT_ONCE, length)))
  }
  return result
}

/**
 * A part of a string between quotes as a string of its own, which does not keep the whole message alive. Line ends and other
 * control characters are taken as they are. Undefined where an escape is malformed.
 */
export const parsedPart = (text: string, from: number, end: number): string | undefined => {
  try {
    return JSON.parse(`"${text.slice(from, end)}"`)
  } catch {
    return unescaped(text, from, end)
  }
}

/** How far a long string is read. */
interface LongString {
  text: string
  at: number
}

/** Where a piece of a string ends: at its closing quote, or at a place that is inside of no escape; -1 where the text ends. */
const endOfPiece = (text: string, from: number): number => {
  const enough = from + PIECE
  const piece = text.slice(from, enough)
  if (enough < text.length && !piece.includes('"') && !piece.includes("\\")) return enough
  let free = from
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || (at >= enough && at >= free)) return at
    if (code !== BACKSLASH) continue
    at++
    free = text.charCodeAt(at) === LETTER_U ? at + 5 : at + 1
  }
  return -1
}

/**
 * Reads a string piece by piece; `from` is behind its opening quote. Gives the string and the place of its closing quote; what
 * is wrong is told by a place of -1, where it has no end, or of -2, where an escape is malformed. `looks`: it is only looked
 * over, and its text is not kept.
 */
export const longString = (text: string, from: number, slices: ResumableDescent, looks: boolean): LongString => {
  const loop = slices.enter(insideOf(from, looks), null, from, null)
  const read = (loop.state ?? { text: "", at: from }) as LongString
  for (;;) {
    const end = endOfPiece(text, read.at)
    const part = end < 0 ? "" : parsedPart(text, read.at, end)
    if (end < 0 || part === undefined) return { text: "", at: end < 0 ? -1 : -2 }
    if (!looks) read.text += part
    read.at = end
    if (text.charCodeAt(end) === QUOTE) break
    slices.part(end, read)
  }
  // A string that was read in an earlier slice is at its closing quote: nothing is added then.
  slices.done(read)
  return read
}
