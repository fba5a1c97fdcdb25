import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "../json/JsonCharacters.ts"
import { canonicalUuid } from "../Uuid.ts"

// The id of a request whose text is no valid message. It is a member of the outermost object: a binding may have the same name.

/** The part at each end of a text that is searched for its id, in characters. */
const SEARCHED_CHARS = 65_536

/** Members of the name that are tried from the end of a text on. */
const MAX_TRIED_MEMBERS = 8

const NAME = '"requestId"'

/** The member with an id in any version of GraphSON. */
const member =
  /"requestId"\s*:\s*(?:\{\s*(?:"@type"\s*:\s*"g:UUID"\s*,\s*)?"@value"\s*:\s*|\[\s*"java\.util\.UUID"\s*,\s*)?"([0-9a-fA-F-]{9,36})"/y

/** The request's id in a text that is no valid message; null when there is none near its start or its end. */
export const findRequestId = (text: string): string | null =>
  idNearStart(text.slice(0, SEARCHED_CHARS)) ?? idNearEnd(text.slice(-SEARCHED_CHARS)) ?? null

/** The id that is the value of the member at this offset. */
const idAt = (text: string, offset: number): string | undefined => {
  member.lastIndex = offset
  const id = member.exec(text)?.[1]
  return id === undefined ? undefined : canonicalUuid(id)
}

/** The offset after the string that begins at this offset. The string may end with the text, of which it is a part. */
const afterString = (text: string, begin: number): number => {
  for (let at = begin + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at++
  }
  return text.length
}

/** 1 if a character opens an object or a list, -1 if it closes one. */
const opened = (code: number): number => {
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return 1
  return code === CLOSE_BRACE || code === CLOSE_BRACKET ? -1 : 0
}

const idNearStart = (text: string): string | undefined => {
  let depth = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code !== QUOTE) {
      depth += opened(code)
      at++
      continue
    }
    const id = depth === 1 && text.startsWith(NAME, at) ? idAt(text, at) : undefined
    if (id !== undefined) return id
    at = afterString(text, at)
  }
  return undefined
}

const idNearEnd = (text: string): string | undefined => {
  let at = text.length
  for (let tried = 0; tried < MAX_TRIED_MEMBERS && at > 0; tried++) {
    at = text.lastIndexOf(NAME, at - 1)
    if (at < 0) return undefined
    const id = idAt(text, at)
    if (id !== undefined && isOutermost(text.slice(at))) return id
  }
  return undefined
}

/** True if the text from a member on closes one object more than it opens, at its end. */
const isOutermost = (text: string): boolean => {
  let depth = 1
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const step = code === QUOTE ? 0 : opened(code)
    if (depth === 0 && (step !== 0 || code === QUOTE)) return false
    depth += step
    at = code === QUOTE ? afterString(text, at) : at + 1
  }
  return depth === 0
}
