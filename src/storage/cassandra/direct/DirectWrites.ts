import type { Client, QueryOptions } from "cassandra-driver"
import { Deadlines } from "../Deadlines.ts"
import { WRITE_DELAY_MS, WriteRetries } from "../Retries.ts"
import type { Statement } from "../Statements.ts"
import type { Leaving } from "./DirectConnection.ts"
import type { DirectNodes } from "./DirectNodes.ts"
import { WITHOUT_PAGES } from "./DirectReads.ts"
import { driverOptions, type ExecutionOptions } from "./DriverOptions.ts"
import { type BatchExecution, type Execution, outcomeOf } from "./Frames.ts"

/** How the statements of a batch are executed. */
interface WriteOptions extends ExecutionOptions {
  /** A logged batch. */
  readonly logged: boolean
  /** Each commit sends its writes in a call of its own. */
  readonly leaving: Leaving
}

/** `wasSent`: another node than that of the error got the statements, and may have applied them. */
type Failed = (cause: unknown, wasSent: boolean) => void

/**
 * Writes cells without the driver's objects for each statement, as {@link DirectReads} reads them. The driver executes the statements
 * if no node takes them or the first answers do not say that they were applied. They can be repeated, because each has its time stamp.
 * Another node gets them after {@link WRITE_DELAY_MS}, and then the driver sends them. With a shorter timeout, only one node does.
 */
export class DirectWrites {
  readonly #client: Client
  readonly #nodes: DirectNodes
  readonly #patience = new Deadlines(WRITE_DELAY_MS)

  constructor(client: Client, nodes: DirectNodes) {
    this.#client = client
    this.#nodes = nodes
  }

  /**
   * Executes statements of one row as a batch. Calls `answered` when they are applied, or `failed` with an error of the driver; a second
   * call means nothing.
   */
  write(statements: ReadonlyArray<Statement>, options: WriteOptions, answered: () => void, failed: Failed): void {
    this.#nodes.send(this.#request(statements, options), {
      key: options.routingKey,
      patience: this.#patience,
      leaving: options.leaving,
      receive: (bytes, at) => {
        const outcome = outcomeOf(bytes, at)
        if (outcome === "done") answered()
        return outcome
      },
      leave: (sending) => {
        const retry = new WriteRetries()
        const execution = { ...driverOptions(options), retry }
        void this.#throughDriver(statements, execution, options.logged).then(answered, (cause: unknown) => {
          if (!sending.staysWith(cause)) failed(cause, sending.nodes > 0 || retry.mayHide(cause))
        })
      }
    })
  }

  /** Undefined if the driver has not prepared one of the statements. */
  #request(statements: ReadonlyArray<Statement>, options: WriteOptions): Execution | BatchExecution | undefined {
    const { consistency, logged } = options
    const [first] = statements
    if (statements.length === 1) {
      const { cql, parameters } = first!
      const { id } = cql
      return id && { id, parameters, consistency, pageSize: WITHOUT_PAGES, pageState: undefined }
    }
    const batch: Array<BatchExecution["batch"][number]> = []
    for (const { cql, parameters } of statements) {
      const { id } = cql
      if (id === undefined) return undefined
      batch.push({ id, parameters })
    }
    return { batch, consistency, isLogged: logged }
  }

  async #throughDriver(statements: ReadonlyArray<Statement>, execution: QueryOptions, logged: boolean): Promise<void> {
    const [only] = statements
    if (statements.length === 1) await this.#client.execute(only!.cql.text, [...only!.parameters], execution)
    else {
      const queries = statements.map(({ cql, parameters }) => ({ query: cql.text, params: [...parameters] }))
      await this.#client.batch(queries, { ...execution, logged })
    }
    for (const cql of new Set(statements.map((statement) => statement.cql))) this.#nodes.learn(cql)
  }
}
