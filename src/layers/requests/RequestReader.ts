import { Bytecode } from "../../process/language/Bytecode.ts"
import { integral, MAX_ALIASES } from "../../protocol/HttpRequest.ts"
import type { RequestArgs, RequestMessage } from "../../protocol/Messages.ts"
import type { User } from "../../services/Authenticator.ts"
import { InvalidRequestArguments } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { Transport } from "../../services/Metrics.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"

/** The settings that requests are checked against. */
type RequestLimits = Pick<ServerSettings, "maxParameters" | "maxScriptLength" | "strictTransactionManagement">

/** Names that every script knows (of T, Column, Order, Operator, Scope and Pop): bindings cannot have them. */
const reserved = new Set(
  ["id", "key", "label", "value"]
    .flatMap((name) => [name, `~${name}`, `~${name.toUpperCase()}`])
    .concat(
      ["keys", "values"],
      ["asc", "desc", "shuffle"],
      ["sum", "minus", "mult", "div", "min", "max", "assign", "and", "or", "addAll", "sumLong"],
      ["local", "global"],
      ["first", "last", "all", "mixed"]
    )
)

/** Begins the names of bindings that are options of Groovy's script engine, and no variables. They have no effect here. */
const ENGINE_OPTION = "#jsr223."

/** Bindings of a request that may be such options. Groovy's engine has fewer than ten. */
const MAX_ENGINE_OPTIONS = 100

/** The aliases of nearly every request of a driver. */
const usualAliases: ReadonlyMap<string, unknown> = new Map([["g", "g"]])

/** Names of the language: Gremlin Server's default script engine, and its engine of the grammar alone. Both mean the same here. */
const languages = new Set(["", "gremlin-groovy", "gremlin-lang"])

/** Reads the arguments of an `eval` or `bytecode` message. Throws InvalidRequestArguments. */
export const readEvaluation = (
  message: RequestMessage,
  user: User,
  transport: Transport,
  limits: RequestLimits
): EvaluationRequest => {
  const args = message.args
  return {
    requestId: message.requestId,
    gremlin: message.op === "bytecode" ? readBytecode(args) : readScript(args, limits),
    bindings: readBindings(args.bindings, transport, limits),
    aliases: readAliases(args, message.op, transport, limits),
    language: readLanguage(args.language),
    evaluationTimeout: readMillis(args.evaluationTimeout),
    manageTransaction: args.manageTransaction === true || args.manageTransaction === "true",
    transport,
    user,
    report: args.report,
    heldBytes: message.heldBytes
  }
}

const readScript = (args: RequestArgs, limits: RequestLimits): string => {
  const script = args.gremlin
  if (typeof script !== "string") {
    throw new InvalidRequestArguments(
      script === undefined
        ? "A message with an [eval] op code requires a [gremlin] argument."
        : "The [gremlin] argument of an [eval] message must be the text of a script."
    )
  }
  if (limits.maxScriptLength > 0 && script.length > limits.maxScriptLength) {
    throw new InvalidRequestArguments(
      `The script has ${script.length} characters, and the server's maxScriptLength is ${limits.maxScriptLength}. ` +
        "Send values as bindings, or several smaller scripts."
    )
  }
  return script
}

const readBytecode = (args: RequestArgs): Bytecode => {
  if (args.gremlin instanceof Bytecode) return args.gremlin
  throw new InvalidRequestArguments(
    "A message with [bytecode] op code requires a [gremlin] argument that is of type Bytecode."
  )
}

const tooManyBindings = (count: number, most: number): InvalidRequestArguments =>
  new InvalidRequestArguments(
    `The [eval] message contains ${count} bindings which is more than is allowed by the server ` +
      `${most} configuration (maxParameters).`
  )

const readBindings = (
  bindings: unknown,
  transport: Transport,
  limits: RequestLimits
): ReadonlyMap<string, unknown> | null => {
  if (bindings === undefined || bindings === null) return null
  if (!(bindings instanceof GremlinMap)) {
    throw new InvalidRequestArguments("bindings must be a Map of variable names to values.")
  }
  if (bindings.size === 0) return null
  // Before they are copied: a very large Map would block the event loop.
  const most = limits.maxParameters > 0 ? limits.maxParameters : Number.POSITIVE_INFINITY
  if (bindings.size > most + MAX_ENGINE_OPTIONS) throw tooManyBindings(bindings.size, most)
  const variables = new Map<string, unknown>()
  bindings.forEach((value, key) => {
    if (typeof key !== "string") {
      throw new InvalidRequestArguments(
        "The [eval] message is using one or more invalid binding keys - they must be of type String and cannot be null"
      )
    }
    if (!key.startsWith(ENGINE_OPTION)) variables.set(key, value)
  })
  if (variables.size > most) throw tooManyBindings(variables.size, most)
  if (transport === "websocket") refuseReserved(variables)
  return variables
}

const refuseReserved = (variables: ReadonlyMap<string, unknown>): void => {
  const found = [...variables.keys()].filter((name) => reserved.has(name))
  if (found.length === 0) return
  throw new InvalidRequestArguments(
    `The [eval] message supplies one or more invalid parameters key of [${found.join(", ")}] - these are reserved names.`
  )
}

const readAliases = (
  args: RequestArgs,
  op: string,
  transport: Transport,
  limits: RequestLimits
): ReadonlyMap<string, unknown> | null => {
  const given = args.aliases ?? args.rebindings
  if (given === undefined || given === null) {
    if (op === "bytecode") {
      throw new InvalidRequestArguments("A message with [bytecode] op code requires a [aliases] argument.")
    }
    if (limits.strictTransactionManagement && transport === "websocket") {
      throw new InvalidRequestArguments(
        "Gremlin Server is configured with strictTransactionManagement as 'true' - the 'aliases' arguments must be provided"
      )
    }
    return null
  }
  if (!(given instanceof GremlinMap) && !(given instanceof Map)) {
    throw new InvalidRequestArguments("aliases must be a Map of names to traversal sources or graphs.")
  }
  if (op === "bytecode" && (given.size !== 1 || !given.has("g"))) {
    throw new InvalidRequestArguments(
      "A message with [bytecode] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'."
    )
  }
  if (given.size === 0) return null
  if (given.size === 1 && given.get("g") === "g") return usualAliases
  if (given.size > MAX_ALIASES) {
    throw new InvalidRequestArguments(`[aliases] has ${given.size} names, and a request has ${MAX_ALIASES} at most.`)
  }
  const aliases = new Map<string, unknown>()
  given.forEach((value: unknown, key: unknown) => {
    if (typeof key !== "string" || typeof value !== "string") {
      throw new InvalidRequestArguments("The names and values of [aliases] must be strings.")
    }
    aliases.set(key, value)
  })
  return aliases
}

const readLanguage = (language: unknown): string | undefined => {
  if (language === undefined || language === null) return undefined
  if (typeof language === "string" && languages.has(language)) return language
  throw new InvalidRequestArguments(
    `${typeof language === "object" ? "An object" : String(language)} is not a language of this server: gremlin-lang and gremlin-groovy are, and both mean the Gremlin ` +
      "language without code of other languages in it."
  )
}

/** A time limit. As in Gremlin Server and in `g.with('evaluationTimeout', -1)`, a negative one means none. */
const readMillis = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined
  const millis = integral(value)
  if (millis !== undefined) return Math.max(0, millis)
  throw new InvalidRequestArguments("The [evaluationTimeout] argument must be a whole number of milliseconds.")
}

/** Maximum number of results in one frame. */
const MAX_BATCH_RESULTS = 1_000_000

/** Reads `batchSize`: results in one frame. Throws InvalidRequestArguments for a value that is not a whole number from 1. */
export const readBatchSize = (value: unknown, byDefault: number): number => {
  if (value === undefined || value === null) return byDefault
  const size = integral(value)
  if (size !== undefined && size >= 1) return Math.min(size, MAX_BATCH_RESULTS)
  throw new InvalidRequestArguments("The [batchSize] argument must be a whole number of results, at least 1.")
}

/** Maximum length of the name of a session. */
const MAX_SESSION_NAME_CHARS = 1_024

/** Reads the name of a session: a text or a UUID. Throws InvalidRequestArguments. */
export const readSessionName = (message: RequestMessage): string => {
  const name = message.args.session
  if (name !== undefined && name !== null && name !== "") {
    const text = name instanceof Uuid ? name.text : typeof name === "object" ? "" : String(name)
    if (text.length >= 1 && text.length <= MAX_SESSION_NAME_CHARS) return text
    throw new InvalidRequestArguments(
      `The [session] argument must be a text of at most ${MAX_SESSION_NAME_CHARS} characters, or a UUID.`
    )
  }
  throw new InvalidRequestArguments(`A message with an [${message.op}] op code requires a [session] argument.`)
}
