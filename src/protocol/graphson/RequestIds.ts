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

/** Strings, and the brackets outside of them. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs

/** The request's id in a text that is no valid message; null when there is none near its start or its end. */
export const findRequestId = (text: string): string | null =>
  idNearStart(text.slice(0, SEARCHED_CHARS)) ?? idNearEnd(text.slice(-SEARCHED_CHARS)) ?? null

/** The id that is the value of the member at this offset. */
const idAt = (text: string, offset: number): string | undefined => {
  member.lastIndex = offset
  const id = member.exec(text)?.[1]
  return id === undefined ? undefined : canonicalUuid(id)
}

const isOpening = (token: string): boolean => token === "{" || token === "["
const isClosing = (token: string): boolean => token === "}" || token === "]"

const idNearStart = (text: string): string | undefined => {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (isOpening(token)) depth++
    else if (isClosing(token)) depth--
    const id = depth === 1 && token === NAME ? idAt(text, index) : undefined
    if (id !== undefined) return id
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
  for (const [token] of text.matchAll(tokens)) {
    if (depth === 0) return false
    if (isOpening(token)) depth++
    else if (isClosing(token)) depth--
  }
  return depth === 0
}
