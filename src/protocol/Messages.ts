import type { StatusCode } from "./StatusCode.ts"

/** Arguments that mean nothing and are kept: a Map that grows without end takes long turns. */
const MOST_OTHERS = 1_000

/**
 * The arguments of a request. Known names have a field, so that reading a message costs no map; every value is as the
 * client sent it (the evaluator checks types, with an answer for each). Undefined = not sent.
 */
export class RequestArgs {
  /** The script text, or Bytecode. */
  gremlin: unknown = undefined
  /** GremlinMap: variable name to value. */
  bindings: unknown = undefined
  /** GremlinMap: name in the script to name of the traversal source. */
  aliases: unknown = undefined
  /** The older name of aliases. */
  rebindings: unknown = undefined
  language: unknown = undefined
  batchSize: unknown = undefined
  /** Milliseconds. Older drivers send it as `scriptEvaluationTimeout`; both end here. */
  evaluationTimeout: unknown = undefined
  /** `all` or `tokens`. */
  materializeProperties: unknown = undefined
  userAgent: unknown = undefined
  session: unknown = undefined
  manageTransaction: unknown = undefined
  maintainStateAfterException: unknown = undefined
  force: unknown = undefined
  sasl: unknown = undefined
  saslMechanism: unknown = undefined
  /** Arguments with other names, the first thousand of them; null when there are none. */
  rest: Map<string, unknown> | null = null

  /** Takes an argument by its name on the wire; `engine` and `query` mean `gremlin`. */
  set(name: string, value: unknown): void {
    switch (name) {
      case "gremlin":
        this.gremlin = value
        return
      case "engine":
      case "query":
        if (this.gremlin === undefined) this.gremlin = value
        return
      case "bindings":
        this.bindings = value
        return
      case "aliases":
        this.aliases = value
        return
      case "rebindings":
        this.rebindings = value
        return
      case "language":
        this.language = value
        return
      case "batchSize":
        this.batchSize = value
        return
      case "evaluationTimeout":
        this.evaluationTimeout = value
        return
      case "scriptEvaluationTimeout":
        if (this.evaluationTimeout === undefined) this.evaluationTimeout = value
        return
      case "materializeProperties":
        this.materializeProperties = value
        return
      case "userAgent":
        this.userAgent = value
        return
      case "session":
        this.session = value
        return
      case "manageTransaction":
        this.manageTransaction = value
        return
      case "maintainStateAfterException":
        this.maintainStateAfterException = value
        return
      case "force":
        this.force = value
        return
      case "sasl":
        this.sasl = value
        return
      case "saslMechanism":
        this.saslMechanism = value
        return
      default:
        this.rest ??= new Map()
        if (this.rest.size < MOST_OTHERS) this.rest.set(name, value)
    }
  }
}

/** What a driver asks for, whatever format it came in. */
export class RequestMessage {
  /** Canonical UUID text. */
  readonly requestId: string
  /** `eval`, `bytecode`, `authentication`, `close`, or what else the client wrote. */
  readonly op: string
  /** `` (standard), `session`, `traversal`, or what else the client wrote. */
  readonly processor: string
  readonly args: RequestArgs
  /** Bytes that hold the message, about. */
  readonly heldBytes: number
  constructor(requestId: string, op: string, processor: string, args: RequestArgs, heldBytes: number) {
    this.requestId = requestId
    this.op = op
    this.processor = processor
    this.args = args
    this.heldBytes = heldBytes
  }
}

/**
 * A batch of results: the first `length` of `values`, each as often as `bulks` says (null = once). As traversers, a
 * result travels once with its bulk beside it, which is how bytecode is answered; otherwise it is repeated.
 */
export interface ResultData {
  readonly values: readonly unknown[]
  readonly length: number
  readonly bulks: Float64Array | null
  readonly asTraversers: boolean
}

/** One answer to a request. */
export interface ResponseMessage {
  /** Canonical UUID text; null when the request was too broken to have one. */
  readonly requestId: string | null
  readonly code: StatusCode
  readonly message: string
  /** Status attributes; null = none. */
  readonly attributes: ReadonlyMap<string, unknown> | null
  /** Null is the data `null`, as 204 and errors have it; no results with 200 is an empty list. */
  readonly data: ResultData | null
}

/** How elements are written, decided per connection or request. */
export interface WriteOptions {
  /**
   * False leaves the properties of vertices, edges and vertex properties out: `materializeProperties: tokens`, and
   * GraphBinary for drivers of 3.6 and earlier, which lose step when an element carries any.
   */
  readonly properties: boolean
  /** Ids of edges and properties, and shapes, have JanusGraph's types. Set by the serializer itself. */
  readonly janusGraph?: boolean
}

/** Elements with all they have. */
export const everything: WriteOptions = { properties: true }

/** Elements by id and label alone. */
const references: WriteOptions = { properties: false }

/** What the argument `materializeProperties` asks for: `tokens` leaves properties out, anything else is `all`. */
export const writeOptionsOf = (materializeProperties: unknown): WriteOptions =>
  materializeProperties === "tokens" ? references : everything

/** The batch that holds exactly these values. */
export const resultsOf = (values: readonly unknown[], asTraversers = false): ResultData => ({
  values,
  length: values.length,
  bulks: null,
  asTraversers
})
