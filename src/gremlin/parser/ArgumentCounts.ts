import {
  BACKSLASH,
  COMMA,
  DOUBLE_QUOTE,
  endOfLine,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  SINGLE_QUOTE,
  SLASH,
  SPACE
} from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

/** A bracket that is open. */
interface Open {
  readonly at: number
  readonly closes: number
  commas: number
  isEmpty: boolean
}

const closing = new Map([
  [LEFT_PAREN, RIGHT_PAREN],
  [LEFT_BRACKET, RIGHT_BRACKET],
  [LEFT_BRACE, RIGHT_BRACE]
])

/** Brackets that may be open: more than a script may nest. */
const MAX_OPEN_BRACKETS = 20_000

/**
 * The number of arguments in the parentheses at the position, which it does not change. It reads only brackets, commas, strings and
 * comments. The counts of all calls inside are kept in the context, so that calls in calls are not read again and again.
 */
export const argumentCount = (context: ParseContext): number => {
  context.argumentCounts ??= new Map()
  const counts = context.argumentCounts
  const known = counts.get(context.position)
  if (known !== undefined) return known
  const { text } = context
  const open: Array<Open> = []
  let at = context.position
  while (at < text.length && open.length < MAX_OPEN_BRACKETS) {
    const code = text.charCodeAt(at)
    const inner = open.at(-1)
    const closes = closing.get(code)
    if (code > SPACE && inner !== undefined && code !== inner.closes) inner.isEmpty = false
    if (closes !== undefined) open.push({ at, closes, commas: 0, isEmpty: true })
    else if (code === COMMA && inner !== undefined) inner.commas++
    else if (code === inner?.closes) {
      open.pop()
      if (code === RIGHT_PAREN) counts.set(inner.at, inner.isEmpty ? 0 : inner.commas + 1)
      if (open.length === 0) break
    } else if (code === RIGHT_PAREN || code === RIGHT_BRACKET || code === RIGHT_BRACE) break
    else if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) at = afterText(text, at, code) - 1
    else if (code === SLASH) at = afterComment(text, at) - 1
    at++
  }
  // A bracket that is not closed is an error, which the parser finds. Its count is kept, so that it is not looked for again.
  for (const { at: parenthesis, commas } of open) counts.set(parenthesis, commas + 1)
  return counts.get(context.position) ?? 0
}

/** The offset after the string that begins at an offset. */
const afterText = (text: string, start: number, quote: number): number => {
  const mark = String.fromCharCode(quote)
  const delimiter = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark
  let at = start + delimiter.length
  while (at < text.length && !text.startsWith(delimiter, at)) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at + delimiter.length
}

/** The offset after the comment that begins at an offset; after the slash if there is none. */
const afterComment = (text: string, start: number): number => {
  const isLine = text.startsWith("//", start)
  if (!isLine && !text.startsWith("/*", start)) return start + 1
  if (isLine) return endOfLine(text, start, text.length)
  const end = text.indexOf("*/", start + 2)
  return end < 0 ? text.length : end + 2
}
