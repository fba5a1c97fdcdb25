import type { StatusCode } from "./StatusCode.ts"

/** Maximum number of arguments with unknown names that are kept. The growth of a very large Map would block the event loop. */
const MAX_OTHER_ARGUMENTS = 1_000

/**
 * The arguments of a request. Known names have fields, so that reading a message needs no map. The values are unchecked: the
 * evaluator checks their types. Undefined = not sent.
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
  /** Milliseconds. Older drivers send it as `scriptEvaluationTimeout`. */
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
  /** What the endpoint of the request asks for instead of its results; null for the results. No client sends it. */
  report: "explain" | "profile" | null = null
  /** The client named the request, so no other request that runs may have its id. No client sends it. */
  isNamed = false
  /** Arguments with other names, at most {@link MAX_OTHER_ARGUMENTS}; null when there are none. */
  rest: Map<string, unknown> | null = null

  /** Sets an argument by its name on the wire. `engine` and `query` mean `gremlin`. */
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
        if (this.rest.size < MAX_OTHER_ARGUMENTS) this.rest.set(name, value)
    }
  }
}

/** A request of a driver, independent of its format. */
export class RequestMessage {
  /** Canonical UUID text. */
  readonly requestId: string
  /** `eval`, `bytecode`, `authentication`, `close`, or any other text of the client. */
  readonly op: string
  /** Empty (standard), `session`, `traversal`, or any other text of the client. */
  readonly processor: string
  readonly args: RequestArgs
  /** Estimated memory of the message, in bytes. */
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
 * A batch of results: the first `length` of `values`, each as often as `bulks` says (null = once). As traversers, a result is sent
 * once with its bulk, as bytecode requests expect; otherwise it is repeated.
 */
export interface ResultData {
  readonly values: readonly unknown[]
  readonly length: number
  readonly bulks: Float64Array | null
  readonly asTraversers: boolean
}

/** One response to a request. */
export interface ResponseMessage {
  /** Canonical UUID text; null when the request has no readable id. */
  readonly requestId: string | null
  readonly code: StatusCode
  readonly message: string
  /** Status attributes; null = none. */
  readonly attributes: ReadonlyMap<string, unknown> | null
  /** Null is the data `null`, which 204 and errors have. Without results, 200 has an empty list. */
  readonly data: ResultData | null
}

/** How elements are written. The connection or the request decides. */
export interface WriteOptions {
  /**
   * False omits the properties of vertices, edges and vertex properties: for `materializeProperties: tokens`, and in GraphBinary for
   * drivers of 3.6 and earlier, which cannot read elements with properties.
   */
  readonly properties: boolean
  /** Values of OffsetDateTime are written as Date, without their offset, for drivers of 3.7 and earlier that cannot read OffsetDateTime. */
  readonly datesOnly?: boolean
  /** Ids of edges and properties, and shapes, have JanusGraph's types. Set by the serializer itself. */
  readonly janusGraph?: boolean
}

/** Elements are written with their properties. */
export const everything: WriteOptions = { properties: true }

/** Elements are written with their id and label only. */
const references: WriteOptions = { properties: false }

/** The options for a value of the argument `materializeProperties`: `tokens` omits properties, all other values mean `all`. */
export const writeOptionsOf = (materializeProperties: unknown): WriteOptions =>
  materializeProperties === "tokens" ? references : everything

/** The batch that holds exactly these values. */
export const resultsOf = (values: readonly unknown[], asTraversers = false): ResultData => ({
  values,
  length: values.length,
  bulks: null,
  asTraversers
})
