import type { Client, QueryOptions } from "cassandra-driver"
import { type Deadline, Deadlines } from "../Deadlines.ts"
import type { Statement } from "../Statements.ts"
import type { DirectNodes } from "./DirectNodes.ts"
import { WITHOUT_PAGES } from "./DirectReads.ts"
import { type BatchExecution, type Execution, outcomeOf } from "./Frames.ts"

/**
 * Time without an answer after which the statements also go to another node. It is longer than that of reads: a cluster that writes
 * slowly must not get all of its writes twice.
 */
const PATIENCE_MS = 2_000

/** How the statements of a batch are executed. */
interface WriteOptions extends QueryOptions {
  readonly consistency: number
  readonly routingKey: Buffer
  readonly logged: boolean
}

/** `wasSent`: a node got the statements before the driver did, and may have applied them. */
type Failed = (cause: unknown, wasSent: boolean) => void

/**
 * Writes cells without the driver's objects for each statement, as {@link DirectReads} reads them. The driver executes the statements
 * if no node takes them or the first answers do not say that they were applied. They can be repeated, because each has its time stamp.
 */
export class DirectWrites {
  readonly #client: Client
  readonly #nodes: DirectNodes
  readonly #timeout: number
  readonly #patience = new Deadlines(PATIENCE_MS)

  /** `timeout`, ms: the callers of write() wait no longer. */
  constructor(client: Client, nodes: DirectNodes, timeout: number) {
    this.#client = client
    this.#nodes = nodes
    this.#timeout = timeout
  }

  /**
   * Executes statements of one row as a batch. Calls `answered` when they are applied, or `failed` with an error of the driver; a second
   * call means nothing.
   */
  write(statements: ReadonlyArray<Statement>, options: WriteOptions, answered: () => void, failed: Failed): void {
    const begun = performance.now()
    const host = this.#nodes.host(options.routingKey)
    const request = host === undefined ? undefined : this.#request(statements, options)
    /** Nodes that have got the statements, and have not refused them. */
    let sent = 0
    let isSettled = false
    /** Leaves the statements to the driver, once, and only while a caller waits for them. */
    const leave = (): void => {
      if (isSettled || performance.now() - begun >= this.#timeout) return
      isSettled = true
      this.#throughDriver(statements, options).then(answered, (cause: unknown) => failed(cause, sent > 0))
    }
    if (request === undefined) return leave()
    let late: Deadline | undefined
    const receive = (bytes: Buffer | undefined, at: number): void => {
      if (late !== undefined) this.#patience.end(late)
      const outcome = bytes === undefined ? "perhaps" : outcomeOf(bytes, at)
      if (outcome === "refused") sent--
      if (outcome !== "done") return leave()
      isSettled = true
      answered()
    }
    const isSent = (node: typeof host): boolean => {
      sent++
      if (this.#nodes.connectionOf(node)?.send(request, receive) === true) return true
      sent--
      return false
    }
    if (!isSent(host)) return leave()
    if (!this.#nodes.hasSeveral) return
    late = this.#patience.add(() => {
      // The driver asks further nodes if the second one does not answer either.
      late = this.#patience.add(leave)
      if (!isSent(this.#nodes.host(options.routingKey, host))) leave()
    })
  }

  /** Undefined if the driver has not prepared one of the statements. */
  #request(statements: ReadonlyArray<Statement>, options: WriteOptions): Execution | BatchExecution | undefined {
    const { consistency, logged } = options
    const batch: Array<BatchExecution["batch"][number]> = []
    for (const { parameters, text } of statements) {
      const id = this.#nodes.idOf(text)
      if (id === undefined) return undefined
      batch.push({ id, parameters })
    }
    return batch.length === 1
      ? { ...batch[0]!, consistency, pageSize: WITHOUT_PAGES, pageState: undefined }
      : { batch, consistency, isLogged: logged }
  }

  async #throughDriver(statements: ReadonlyArray<Statement>, options: WriteOptions): Promise<void> {
    const [only] = statements
    if (statements.length === 1) await this.#client.execute(only!.text, [...only!.parameters], options)
    else {
      const queries = statements.map(({ parameters, text }) => ({ query: text, params: [...parameters] }))
      await this.#client.batch(queries, options)
    }
    for (const text of new Set(statements.map((statement) => statement.text))) this.#nodes.learn(text)
  }
}
