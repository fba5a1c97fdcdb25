import type { Client, QueryOptions, types } from "cassandra-driver"
import { type Deadline, Deadlines } from "../Deadlines.ts"
import { LatePageRetries, READ_DELAY_MS, scanDelayMs } from "../Retries.ts"
import { blockOf, type RowBlock } from "../RowBlock.ts"
import type { Statement } from "../Statements.ts"
import type { Caller, DirectNodes } from "./DirectNodes.ts"
import { driverOptions, type ExecutionOptions } from "./DriverOptions.ts"
import { rowsOf } from "./Frames.ts"

/** A size of pages: the answer is one page. */
export const WITHOUT_PAGES = 0

/** How a statement is executed. */
export interface ReadOptions extends ExecutionOptions {
  /** Rows of a page, or {@link WITHOUT_PAGES}. */
  readonly fetchSize: number
  /** The paging state of the page; undefined for the first one. */
  readonly pageState: Buffer | undefined
  /** The rows begin with `key`. */
  readonly hasKey: boolean
  /** A page of a scan: its answer may take longer than one of a few rows. */
  readonly isScan: boolean
}

/**
 * Reads cells with as little CPU time as possible. A prepared statement goes directly to a node that has the row
 * ({@link DirectNodes.send}). The driver executes every statement that no node can take, and every one that fails, with its retries.
 * Reads can be repeated.
 */
export class DirectReads {
  readonly #client: Client
  readonly #nodes: DirectNodes
  readonly #timeout: number
  readonly #patience = new Deadlines(READ_DELAY_MS)
  readonly #patienceOfScans: Deadlines

  /** `timeout`: that of a request, ms. */
  constructor(client: Client, nodes: DirectNodes, timeout: number) {
    this.#patienceOfScans = new Deadlines(scanDelayMs(timeout))
    this.#client = client
    this.#nodes = nodes
    this.#timeout = timeout
  }

  /**
   * Executes a statement that reads. Calls `answered`, or `failed` with an error of the driver; a second call means nothing. Takes
   * callbacks, because a promise for each statement costs more than the statement.
   */
  read(
    statement: Statement,
    options: ReadOptions,
    answered: (rows: RowBlock) => void,
    failed: (cause: unknown) => void
  ): void {
    if (statement.cql.id !== undefined || !this.#nodes.local.hasSeveral) {
      this.#send(statement, options, answered, failed)
    } else this.#readUnprepared(statement, options, answered, failed)
  }

  #send(
    statement: Statement,
    options: ReadOptions,
    answered: (rows: RowBlock) => void,
    failed: (cause: unknown) => void,
    caller?: Caller
  ): void {
    const { consistency, fetchSize: pageSize, pageState, routingKey: key } = options
    const { cql, parameters } = statement
    const { id } = cql
    const request = id === undefined ? undefined : { id, parameters, consistency, pageSize, pageState }
    this.#nodes.send(request, {
      key,
      patience: this.#patienceOf(options),
      caller,
      receive: (bytes, at) => {
        const rows = rowsOf(bytes, at)
        if (rows === undefined) return "perhaps"
        answered(rows)
        return "done"
      },
      leave: (sending) => {
        // The driver must not add silent nodes to those that are late with the page: more of them make a slow cluster slower.
        const isLatePage = options.isScan && sending.nodes > 1
        const late = isLatePage ? { readTimeout: sending.timeLeft, retry: new LatePageRetries() } : {}
        void this.#throughDriver(statement, options, late).then(answered, (cause: unknown) => {
          if (!sending.staysWith(cause)) failed(cause)
        })
      }
    })
  }

  #patienceOf({ isScan }: ReadOptions): Deadlines {
    return isScan ? this.#patienceOfScans : this.#patience
  }

  /**
   * Executes a statement that the driver has not prepared. The driver prepares it, and asks one node. If that one does not answer in time,
   * the statement is read as one that is prepared, so that other nodes get it, too. The read fails when both have failed.
   */
  #readUnprepared(
    statement: Statement,
    options: ReadOptions,
    answered: (rows: RowBlock) => void,
    failed: (cause: unknown) => void
  ): void {
    const until = performance.now() + this.#timeout
    const patience = this.#patienceOf(options)
    let late: Deadline
    /** The executions that may still answer. */
    let awaited = 1
    let hasAnswer = false
    const succeed = (rows: RowBlock): void => {
      hasAnswer = true
      patience.end(late)
      answered(rows)
    }
    const fail = (cause: unknown): void => {
      awaited--
      if (awaited > 0 || hasAnswer) return
      patience.end(late)
      failed(cause)
    }
    const wait = (): void => {
      late = patience.add(() => {
        if (performance.now() >= until) return
        this.#nodes.learn(statement.cql)
        if (statement.cql.id === undefined) return wait()
        awaited++
        this.#send(statement, options, succeed, fail, { until, isOver: () => hasAnswer })
      })
    }
    wait()
    void this.#throughDriver(statement, options).then(succeed, fail)
  }

  async #throughDriver(
    { cql, parameters }: Statement,
    options: ReadOptions,
    late: Pick<QueryOptions, "readTimeout" | "retry"> = {}
  ): Promise<RowBlock> {
    const { fetchSize, hasKey, pageState } = options
    const result = await this.#client.execute(cql.text, [...parameters], {
      ...driverOptions(options),
      ...late,
      fetchSize,
      ...(pageState === undefined ? {} : { pageState })
    })
    this.#nodes.learn(cql)
    for (const warning of result.info?.warnings ?? []) this.#nodes.warned(warning)
    return blockOf(result.rows ?? [], hasKey, pageStateOf(result))
  }
}

/** The paging state of the next page; undefined after the last page. */
export const pageStateOf = (result: types.ResultSet): Buffer | undefined => {
  // The driver's types declare only the text form of the paging state.
  const { rawPageState } = result as types.ResultSet & { readonly rawPageState?: Buffer }
  return rawPageState ?? undefined
}
