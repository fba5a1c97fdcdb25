import { OPEN_BRACE, OPEN_BRACKET, QUOTE } from "./JsonCharacters.ts"
import type { JsonReader } from "./JsonReader.ts"

/** Length of an object or array whose end is remembered within a slice. */
const REMEMBERED_CHARS = 64

/** Length of an object or array whose end is kept from slice to slice. */
const SAVED_CHARS = 4096

/** Skips one value of any type. A skipped value takes no memory. */
export const skipValue = (json: JsonReader): void => {
  const held = json.heldBytes
  const wasSkipping = json.isSkipping
  json.isSkipping = true
  skipAny(json)
  json.isSkipping = wasSkipping
  json.heldBytes = held
}

const skipAny = (json: JsonReader): void => {
  switch (json.peek()) {
    case QUOTE:
      json.string()
      return
    case OPEN_BRACE:
    case OPEN_BRACKET:
      skipNested(json)
      return
    default:
      if (!json.word("true") && !json.word("false") && !json.word("null")) json.scanNumber()
  }
}

const skipNested = (json: JsonReader): void => {
  const start = json.position
  const known = json.skippedEnds?.get(start)
  if (known !== undefined) {
    json.position = known
    return
  }
  const isObject = json.text.charCodeAt(start) === OPEN_BRACE
  if (isObject ? json.openObject() : json.openArray()) skipItems(json, isObject)
  if (json.position - start < REMEMBERED_CHARS) return
  json.skippedEnds ??= new Map()
  json.skippedEnds.set(start, json.position)
}

const skipItems = (json: JsonReader, isObject: boolean): void => {
  const start = json.position
  const loop = json.slices?.enter(~start, null, start, false)
  if (loop !== undefined) json.position = loop.position
  if (loop?.state !== true || (isObject ? json.moreMembers() : json.moreElements())) {
    do {
      if (isObject) json.memberName()
      skipAny(json)
      json.slices?.step(json.position, true)
    } while (isObject ? json.moreMembers() : json.moreElements())
  }
  json.slices?.leave(json.position - start < SAVED_CHARS ? 0 : SAVED_CHARS)
}
