import { GremlinMap } from "../structure/collections/Collections.ts"
import { beginning } from "../structure/errors/TaggedError.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, Short } from "../structure/numbers/Numbers.ts"
import { Uuid } from "../structure/scalars/Uuid.ts"
import { GraphSONReader } from "./graphson/GraphSONReader.ts"
import { findRequestId } from "./graphson/RequestIds.ts"
import { readMembers } from "./graphson/ValueReader.ts"
import { asProtocolError, ProtocolError } from "./ProtocolError.ts"
import { passSliceOver, type ResumableRead, textOfMessage } from "./ResumableRead.ts"
import { canonicalUuid } from "./Uuid.ts"

/** The request in the JSON body or the query string of an HTTP request. */
export interface HttpRequest {
  readonly gremlin: string
  /** Variables of the script by name. */
  readonly bindings: GremlinMap
  /** Names of traversal sources by the name the script uses. */
  readonly aliases: ReadonlyMap<string, string>
  readonly language: string | undefined
  /** Canonical UUID text; undefined = the server makes one. */
  readonly requestId: string | undefined
  /** The id is a `queryId`: no other request that runs may have it. */
  readonly isNamed: boolean
  /** Milliseconds. */
  readonly evaluationTimeout: number | undefined
  readonly batchSize: number | undefined
  /** `all` or `tokens`. */
  readonly materializeProperties: string | undefined
  /** Estimated memory of the request, in bytes. */
  readonly heldBytes: number
}

/** Names of the script in web tools. The first one that is present counts. */
const scriptNames = ["gremlin", "engine", "query"] as const

type Members = ReadonlyMap<string, unknown>

/** Reads the members, and reports them whenever one is read. */
const readAll = (reader: GraphSONReader, report: (members: Members) => void): Members | undefined => {
  const { json } = reader
  json.peek()
  // A body that is no object has no script. That error helps more than one about the form of the body.
  if (!json.text.startsWith("{", json.position)) {
    if (json.position < json.text.length) reader.value()
    return undefined
  }
  const none = new Map<string, unknown>()
  const take = (_: GraphSONReader, members: Map<string, unknown>, name: string): void => {
    report(members)
    setMember(reader, members, name)
  }
  return json.openObject() ? readMembers(reader, none, take) : none
}

/** The members that a body can have. */
const memberNames: ReadonlySet<string> = new Set([
  ...scriptNames,
  "bindings",
  "aliases",
  "language",
  "requestId",
  "queryId",
  "evaluationTimeout",
  "batchSize",
  "materializeProperties"
])

/** The parameters of a query string that are no members of a body. */
const dottedName = /^(?:bindings|aliases)\./

/** Members with such names that are kept, for the error that names the first one. */
const MAX_DOTTED_MEMBERS = 10

/** Members with other names are not kept: the growth of a very large Map would block the event loop. */
const setMember = (reader: GraphSONReader, members: Map<string, unknown>, name: string): void => {
  const value = reader.value()
  const isKept = memberNames.has(name) || (members.size < MAX_DOTTED_MEMBERS && dottedName.test(name))
  if (isKept) members.set(name, value)
}

/**
 * Reads the JSON body `{"gremlin": .., "bindings": {..}, ..}`. Bindings may hold typed GraphSON; plain integers in it
 * are Long, as web clients expect, and BigInteger when they do not fit. Fails with ProtocolError (HTTP 400).
 */
export const readHttpBody = (body: Buffer | string, maximumDepth?: number, long?: ResumableRead): HttpRequest => {
  const text = textOfMessage(body, long)
  const reader = new GraphSONReader(text, { classes: false, integers: "Long", maximumDepth, long })
  let members: Members | undefined
  try {
    members = readAll(reader, (read) => {
      members = read
    })
  } catch (error) {
    passSliceOver(error)
    const problem = asProtocolError(error, idForError(members, text))
    if (!(problem instanceof ProtocolError)) throw problem
    throw new ProtocolError(`body could not be parsed: ${problem.message}`, problem.requestId)
  }
  const dotted = Array.from(members?.keys() ?? []).find((name) => dottedName.test(name))
  if (dotted !== undefined) {
    const [of, name] = partsOf(dotted)
    throw new ProtocolError(
      `${beginning(dotted, 60)} is no member of a JSON body. Write {"${of}": {"${beginning(name, 60)}": ..}}.`,
      idForError(members, text)
    )
  }
  return request((name) => members?.get(name), reader.json.heldBytes)
}

/** The id for the error of a body: that of the members that were read, or else that in the text. */
const idForError = (members: Members | undefined, text: string): string | null =>
  readableId(members?.get("queryId")) ?? readableId(members?.get("requestId")) ?? findRequestId(text)

const partsOf = (dotted: string): readonly [string, string] => {
  const at = dotted.indexOf(".")
  return [dotted.slice(0, at), dotted.slice(at + 1)]
}

/**
 * Reads the query string of a GET: `gremlin=..&bindings.x=..&aliases.g=..&language=..`. The values of bindings are
 * strings. Fails with ProtocolError.
 */
export const readHttpQuery = (query: URLSearchParams): HttpRequest => {
  const bindings = new GremlinMap()
  const aliases = new GremlinMap()
  let heldBytes = 0
  for (const [name, value] of query) {
    heldBytes += value.length
    if (name.startsWith("bindings.")) bindings.set(name.slice("bindings.".length), value)
    else if (name.startsWith("aliases.")) aliases.set(name.slice("aliases.".length), value)
    else if ((name === "bindings" || name === "aliases") && value !== "") {
      const example = name === "bindings" ? "bindings.x=1" : "aliases.g=g_other"
      const reason = `A query string has a parameter for each name, such as ${example}, and no parameter ${name}.`
      throw new ProtocolError(`${reason} Send values of other types by POST.`)
    }
  }
  return request(
    (name) => (name === "bindings" ? bindings : name === "aliases" ? aliases : (query.get(name) ?? undefined)),
    heldBytes
  )
}

const request = (member: (name: string) => unknown, heldBytes: number): HttpRequest => {
  const queryId = requestIdOf(member("queryId"))
  const requestId = queryId ?? requestIdOf(member("requestId"))
  const fail = (problem: string): never => {
    throw new ProtocolError(problem, requestId ?? null)
  }
  const named = scriptNames.filter((name) => member(name) !== undefined)
  if (named.length === 0) return fail("no gremlin script supplied")
  const name = named.find((each) => member(each) !== null) ?? named[0]!
  const script = textOf(member(name))
  if (script === undefined) {
    return fail(`${name} is ${kindOf(member(name))}: its value must be the text of a script, such as "g.V().count()"`)
  }
  const bindings = member("bindings")
  if (bindings !== undefined && !(bindings instanceof GremlinMap)) return fail("bindings must be a Map")
  const aliases = member("aliases")
  if (aliases !== undefined && !(aliases instanceof GremlinMap)) return fail("aliases must be a Map")
  if (aliases !== undefined && aliases.size > MAX_ALIASES) {
    return fail(`aliases has ${aliases.size} names; the limit is ${MAX_ALIASES}.`)
  }
  return {
    gremlin: script,
    bindings: bindings ?? new GremlinMap(),
    aliases: new Map(Array.from(aliases ?? [], ([name, source]) => [aliasOf(name, fail), aliasOf(source, fail)])),
    language: optionalText("language", member("language"), fail),
    requestId,
    isNamed: queryId !== undefined,
    evaluationTimeout: wholeNumber("evaluationTimeout", member("evaluationTimeout"), fail),
    batchSize: wholeNumber("batchSize", member("batchSize"), fail),
    materializeProperties: optionalText("materializeProperties", member("materializeProperties"), fail),
    heldBytes
  }
}

/** Maximum number of aliases in one request. A server has far fewer traversal sources. */
export const MAX_ALIASES = 1_000

/** The text of a value. Numbers and booleans are text, too. Undefined for all other values: the text of a list may be very long. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (value instanceof Double) return String(value.value)
  const isPlain = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean"
  return isPlain ? String(value) : undefined
}

type Fail = (problem: string) => never

const aliasOf = (value: unknown, fail: Fail): string =>
  textOf(value) ?? fail("aliases must be a Map of names to names of traversal sources")

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : value instanceof GremlinMap ? "an object" : "no text"

const optionalText = (name: string, value: unknown, fail: Fail): string | undefined =>
  value === undefined || value === null ? undefined : (textOf(value) ?? fail(`${name} must be a text`))

/** The id that a value is; undefined when it is none. */
const readableId = (value: unknown): string | undefined =>
  value instanceof Uuid ? value.text : typeof value === "string" ? canonicalUuid(value) : undefined

const requestIdOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === "") return undefined
  const canonical = readableId(value)
  if (canonical === undefined)
    throw new ProtocolError(`Invalid UUID string: ${beginning(textOf(value) ?? kindOf(value), 60)}`)
  return canonical
}

const wholeNumber = (name: string, value: unknown, fail: Fail): number | undefined => {
  if (value === undefined || value === null || value === "") return undefined
  return integral(value) ?? fail(`${name} must be a whole number`)
}

/**
 * A whole number that a client sent as any type of number or as text: gremlin-go sends sizes and timeouts as Int64, JavaScript as
 * the smallest type that fits. Undefined for any other value and for numbers above 2^53.
 */
export const integral = (value: unknown): number | undefined => {
  const boxed =
    value instanceof Double || value instanceof Float || value instanceof Byte || value instanceof Short
      ? value.value
      : value instanceof BigInteger
        ? value.value
        : value instanceof BigDecimal && value.scale === 0
          ? value.unscaled
          : value
  if (typeof boxed !== "number" && typeof boxed !== "bigint" && !(typeof boxed === "string" && /^-?\d+$/.test(boxed))) {
    return undefined
  }
  const number = Number(boxed)
  return Number.isSafeInteger(number) ? number : undefined
}
