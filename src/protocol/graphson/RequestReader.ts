import { Uuid } from "../../structure/scalars/Uuid.ts"
import { QUOTE } from "../json/JsonCharacters.ts"
import { skipValue } from "../json/ValueSkip.ts"
import { RequestArgs, RequestMessage } from "../Messages.ts"
import { asProtocolError, ProtocolError } from "../ProtocolError.ts"
import { passSliceOver, type ResumableRead } from "../ResumableRead.ts"
import { canonicalUuid } from "../Uuid.ts"
import { GraphSONReader } from "./GraphSONReader.ts"
import { readElements, readMembers } from "./ValueReader.ts"

/**
 * Reads a request message of any GraphSON version. Fails with ProtocolError, which carries the request's id when the text
 * has one.
 *
 * @param classes the message is GraphSON 1 with types
 */
export const readRequest = (
  text: string,
  classes: boolean,
  maximumDepth?: number,
  long?: ResumableRead
): RequestMessage => {
  const reader = new GraphSONReader(text, { classes, integers: "Int", maximumDepth, long })
  try {
    return request(reader, classes)
  } catch (error) {
    passSliceOver(error)
    throw asProtocolError(error, findRequestId(text))
  }
}

/** The members of a message, as far as they were read. */
class Parts {
  readonly classes: boolean
  requestId: string | undefined = undefined
  op: unknown = undefined
  processor: unknown = ""
  args = new RequestArgs()

  constructor(classes: boolean) {
    this.classes = classes
  }
}

const request = (reader: GraphSONReader, classes: boolean): RequestMessage => {
  const { json } = reader
  let parts = new Parts(classes)
  if (json.openObject()) parts = readMembers(reader, parts, setPart)
  json.end()
  const { args, op, processor, requestId } = parts
  if (requestId === undefined) throw new ProtocolError("The request message has no requestId.")
  if (typeof op !== "string") throw new ProtocolError("The request message has no op.")
  if (typeof processor !== "string") throw new ProtocolError("The processor of the request message is no string.")
  return new RequestMessage(requestId, op, processor, args, json.heldBytes)
}

const setPart = (reader: GraphSONReader, parts: Parts, name: string): void => {
  switch (name) {
    case "requestId":
      parts.requestId = readRequestId(reader)
      break
    case "op":
      parts.op = reader.value()
      break
    case "processor":
      parts.processor = reader.value() ?? ""
      break
    case "args":
      parts.args = readArgs(reader, parts.classes)
      break
    default:
      skipValue(reader.json)
  }
}

/** The text before and after the id in the messages of most drivers: with it, the id is read without its type. */
const BEFORE_ID = '{"@type":"g:UUID","@value":'
const AFTER_ID = "}"

/** Reads the id: a string, or typed as in one of the versions. */
const readRequestId = (reader: GraphSONReader): string => {
  const { json } = reader
  const value = json.peek() === QUOTE ? json.passingString() : readTypedId(reader)
  if (value instanceof Uuid) return detached(value.text)
  const canonical = typeof value === "string" ? canonicalUuid(value) : undefined
  if (canonical === undefined) throw new ProtocolError("The requestId is no UUID.")
  return detached(canonical)
}

/** The id without the text of the message: V8 represents a part of a text as a reference to the whole text, which would live as long. */
const detached = (id: string): string => ` ${id}`.slice(1)

const readTypedId = (reader: GraphSONReader): unknown => {
  const { json } = reader
  const start = json.position
  if (json.text.startsWith(BEFORE_ID, start)) {
    json.position += BEFORE_ID.length
    const id = json.passingString()
    if (json.text.startsWith(AFTER_ID, json.position)) {
      json.position += AFTER_ID.length
      return id
    }
  }
  json.position = start
  return reader.value()
}

/** Reads the arguments: a plain object, or a g:Map. */
const readArgs = (reader: GraphSONReader, classes: boolean): RequestArgs => {
  const { json } = reader
  const args = new RequestArgs()
  json.peek()
  if (json.word("null") || !json.openObject()) return args
  const first = json.memberName()
  if (first === "@type") return readTypedArgs(reader, args)
  // GraphSON 1 with types has the class of the map as its first member.
  if (first === "@class" && classes) skipValue(json)
  else args.set(first, reader.value())
  return json.moreMembers() ? readMembers(reader, args, setArg) : args
}

const setArg = (reader: GraphSONReader, args: RequestArgs, name: string): void => {
  args.set(name, reader.value())
}

const readTypedArgs = (reader: GraphSONReader, args: RequestArgs): RequestArgs => {
  const { json } = reader
  if (json.string() !== "g:Map" || !json.moreMembers() || json.memberName() !== "@value") {
    json.fail("The args of a request message are no map")
  }
  const found = json.openArray() ? readElements(reader, args, setTypedArg) : args
  json.closeObject()
  return found
}

/** Reads the name and the value of an argument, which are two elements of an array. */
const setTypedArg = (reader: GraphSONReader, args: RequestArgs): void => {
  const name = reader.value()
  if (typeof name !== "string" || !reader.json.moreElements()) reader.json.fail("An argument has no name or no value")
  args.set(String(name), reader.value())
}

const idInText =
  /"requestId"\s*:\s*(?:\{\s*"@type"\s*:\s*"g:UUID"\s*,\s*"@value"\s*:\s*|\[\s*"java\.util\.UUID"\s*,\s*)?"([0-9a-fA-F-]{9,36})"/

/** The part at each end of a text that is searched for its id, in characters. */
const SEARCHED_CHARS = 65_536

/** The request's id in a text that is no valid message; null when there is none near its start or its end. */
export const findRequestId = (text: string): string | null => {
  const found =
    idInText.exec(text.slice(0, SEARCHED_CHARS)) ??
    (text.length > SEARCHED_CHARS ? idInText.exec(text.slice(-SEARCHED_CHARS)) : null)
  const id = found?.[1]
  return (id === undefined ? undefined : canonicalUuid(id)) ?? null
}
