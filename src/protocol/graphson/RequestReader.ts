import { Uuid } from "../../structure/scalars/Uuid.ts"
import { QUOTE } from "../json/JsonCharacters.ts"
import { skipValue } from "../json/ValueSkip.ts"
import { RequestArgs, RequestMessage } from "../Messages.ts"
import { asProtocolError, ProtocolError } from "../ProtocolError.ts"
import { passSliceOver, type ResumableRead } from "../ResumableRead.ts"
import { canonicalUuid } from "../Uuid.ts"
import { GraphSONReader } from "./GraphSONReader.ts"
import { findRequestId } from "./RequestIds.ts"
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
  let parts = new Parts(classes)
  const take = (_: GraphSONReader, taken: Parts, name: string): void => {
    // An earlier slice may have begun with other parts.
    parts = taken
    setPart(reader, taken, name)
  }
  try {
    const { json } = reader
    if (json.openObject()) parts = readMembers(reader, parts, take)
    json.end()
    return messageOf(parts, json.heldBytes)
  } catch (error) {
    passSliceOver(error)
    throw asProtocolError(error, parts.requestId ?? findRequestId(text))
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

const messageOf = ({ args, op, processor, requestId }: Parts, heldBytes: number): RequestMessage => {
  if (requestId === undefined) throw new ProtocolError("The request message has no requestId.")
  if (typeof op !== "string") throw new ProtocolError("The request message has no op.")
  if (typeof processor !== "string") throw new ProtocolError("The processor of the request message is no string.")
  return new RequestMessage(requestId, op, processor, args, heldBytes)
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
  const behind = first === "@value" ? reader.typeBehind() : undefined
  if (behind !== undefined) {
    const found = readMapOfArgs(reader, args, behind.type)
    json.position = behind.end
    return found
  }
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
  const type = json.string()
  if (!json.moreMembers() || json.memberName() !== "@value") noMap(reader)
  const found = readMapOfArgs(reader, args, type)
  json.closeObject()
  return found
}

/** Reads the value of the type, which must be a map. */
const readMapOfArgs = (reader: GraphSONReader, args: RequestArgs, type: string): RequestArgs => {
  if (type !== "g:Map") noMap(reader)
  return reader.json.openArray() ? readElements(reader, args, setTypedArg) : args
}

const noMap = ({ json }: GraphSONReader): never => json.fail("The args of a request message are no map")

/** Reads the name and the value of an argument, which are two elements of an array. */
const setTypedArg = (reader: GraphSONReader, args: RequestArgs): void => {
  const name = reader.value()
  if (typeof name !== "string" || !reader.json.moreElements()) reader.json.fail("An argument has no name or no value")
  args.set(String(name), reader.value())
}
