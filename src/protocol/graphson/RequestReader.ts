import { Uuid } from "../../structure/Temporal.ts"
import { type LongRead, passSliceOver } from "../LongReads.ts"
import { RequestArgs, RequestMessage } from "../Messages.ts"
import { asProtocolError, ProtocolError } from "../ProtocolError.ts"
import { canonicalUuid } from "../Uuid.ts"
import { GraphSONReader } from "./GraphSONReader.ts"

const QUOTE = 34

/**
 * Reads a request message of any GraphSON version. Fails with ProtocolError, which carries the request's id wherever
 * in the text it stands.
 */
export const readRequest = (text: string, classes: boolean, maximumDepth?: number, long?: LongRead): RequestMessage => {
  const json = new GraphSONReader(text, { classes, integers: "Int", maximumDepth, long })
  try {
    return request(json, classes)
  } catch (error) {
    passSliceOver(error)
    throw asProtocolError(error, findRequestId(text))
  }
}

/** What a message has, as far as it is read. */
class Parts {
  requestId: string | undefined
  op: unknown = undefined
  processor: unknown = ""
  args = new RequestArgs()
}

const request = (json: GraphSONReader, classes: boolean): RequestMessage => {
  let parts = new Parts()
  if (json.openObject()) {
    parts = json.eachMember(parts, (found, name) => {
      switch (name) {
        case "requestId":
          found.requestId = readRequestId(json)
          break
        case "op":
          found.op = json.value()
          break
        case "processor":
          found.processor = json.value() ?? ""
          break
        case "args":
          found.args = readArgs(json, classes)
          break
        default:
          json.skip()
      }
    })
  }
  json.end()
  const { args, op, processor, requestId } = parts
  if (requestId === undefined) throw new ProtocolError("The request message has no requestId.")
  if (typeof op !== "string") throw new ProtocolError("The request message has no op.")
  if (typeof processor !== "string") throw new ProtocolError("The processor of the request message is no string.")
  return new RequestMessage(requestId, op, processor, args, json.heldBytes)
}

/** What stands before and behind the id in the messages of most drivers: known, the id need not become a value. */
const beforeId = '{"@type":"g:UUID","@value":'
const behindId = "}"

/** The id as a string, or typed in the way of one of the versions. */
const readRequestId = (json: GraphSONReader): string => {
  const value = json.peek() === QUOTE ? json.passingString() : readTypedId(json)
  if (value instanceof Uuid) return value.text
  const canonical = typeof value === "string" ? canonicalUuid(value) : undefined
  if (canonical === undefined) throw new ProtocolError("The requestId is no UUID.")
  return canonical
}

const readTypedId = (json: GraphSONReader): unknown => {
  const start = json.position
  if (json.text.startsWith(beforeId, start)) {
    json.position += beforeId.length
    const id = json.passingString()
    if (json.text.startsWith(behindId, json.position)) {
      json.position += behindId.length
      return id
    }
  }
  json.position = start
  return json.value()
}

/** Arguments as a plain object, or as a g:Map. */
const readArgs = (json: GraphSONReader, classes: boolean): RequestArgs => {
  const args = new RequestArgs()
  json.peek()
  if (json.word("null") || !json.openObject()) return args
  const first = json.memberName()
  if (first === "@type") {
    return readTypedArgs(json, args)
  }
  // GraphSON 1 with types names the class of the map first.
  if (first === "@class" && classes) json.skip()
  else args.set(first, json.value())
  if (!json.moreMembers()) return args
  return json.eachMember(args, (found, name) => found.set(name, json.value()))
}

const readTypedArgs = (json: GraphSONReader, args: RequestArgs): RequestArgs => {
  if (json.string() !== "g:Map" || !json.moreMembers() || json.memberName() !== "@value") {
    json.fail("The args of a request message are no map")
  }
  const found = json.openArray() ? readTypedList(json, args) : args
  json.closeObject()
  return found
}

/** Names and values in turn. */
const readTypedList = (json: GraphSONReader, args: RequestArgs): RequestArgs => {
  const loop = json.slices?.enter(json.position, args, json.position, 0)
  const found = (loop?.items ?? args) as RequestArgs
  if (loop !== undefined) json.position = loop.position
  let count = (loop?.state ?? 0) as number
  if (count === 0 || json.moreElements()) {
    do {
      const name = json.value()
      if (typeof name !== "string" || !json.moreElements()) json.fail("An argument has no name or no value")
      found.set(String(name), json.value())
      json.slices?.step(json.position, ++count)
    } while (json.moreElements())
  }
  json.slices?.leave(count)
  return found
}

const idInText =
  /"requestId"\s*:\s*(?:\{\s*"@type"\s*:\s*"g:UUID"\s*,\s*"@value"\s*:\s*|\[\s*"java\.util\.UUID"\s*,\s*)?"([0-9a-fA-F-]{9,36})"/

/** Characters at each end of a text in which its id is looked for. */
const searched = 65_536

/** The request's id in a text that cannot be read as a message; null when there is none at its begin or end. */
export const findRequestId = (text: string): string | null => {
  const found =
    idInText.exec(text.slice(0, searched)) ?? (text.length > searched ? idInText.exec(text.slice(-searched)) : null)
  const id = found?.[1]
  return (id === undefined ? undefined : canonicalUuid(id)) ?? null
}
