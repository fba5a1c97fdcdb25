import type { Client, QueryOptions, types } from "cassandra-driver"
import { type Deadline, Deadlines } from "../Deadlines.ts"
import { blockOf, type RowBlock } from "../RowBlock.ts"
import type { Statement } from "../Statements.ts"
import type { DirectNodes } from "./DirectNodes.ts"
import { rowsOf } from "./Frames.ts"

/** Time without an answer after which the statement also goes to another node. */
const PATIENCE_MS = 400

/** A size of pages: the answer is one page. */
export const WITHOUT_PAGES = 0

/** How a statement is executed. */
export interface ReadOptions extends QueryOptions {
  readonly consistency: number
  readonly fetchSize: number
  readonly pageState?: Buffer
  readonly routingKey?: Buffer
  /** The rows begin with `key`. */
  readonly hasKey: boolean
  /** The answer may take longer than one of a few rows. */
  readonly isLong?: boolean
}

/**
 * Reads cells with as little CPU time as possible. A prepared statement goes directly to a node that has the row
 * ({@link DirectNodes}). A node that does not answer in time does not delay it: another node gets the statement too, and the
 * first answer counts. The driver executes every statement that no node can take, and every one that fails, with its retries.
 * Reads can be repeated.
 */
export class DirectReads {
  readonly #client: Client
  readonly #nodes: DirectNodes
  readonly #timeout: number
  readonly #patience = new Deadlines(PATIENCE_MS)

  /** `timeout`, ms: the callers of read() wait no longer. */
  constructor(client: Client, nodes: DirectNodes, timeout: number) {
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
    const begun = performance.now()
    const throughDriver = (): void => void this.#throughDriver(statement, options).then(answered, failed)
    const id = this.#nodes.idOf(statement.text)
    const host = id === undefined ? undefined : this.#nodes.host(options.routingKey)
    if (id === undefined || host === undefined) {
      throughDriver()
      return
    }
    const { consistency, fetchSize: pageSize, isLong = false, pageState } = options
    const { parameters } = statement
    const execution = { id, consistency, parameters, pageSize, pageState }
    let late: Deadline | undefined
    /** True if an answer has arrived, or the driver executes the statement. */
    let isSettled = false
    /**
     * Leaves the statement to the driver, once, and only while a request waits for it: a connection may close long after another node
     * has answered.
     */
    const leave = (): void => {
      if (isSettled || performance.now() - begun >= this.#timeout) return
      isSettled = true
      throughDriver()
    }
    const receive = (bytes: Buffer | undefined, at: number): void => {
      if (late !== undefined) this.#patience.end(late)
      const rows = bytes === undefined ? undefined : rowsOf(bytes, at)
      if (rows === undefined) return leave()
      isSettled = true
      answered(rows)
    }
    if (!isLong && this.#nodes.hasSeveral) {
      late = this.#patience.add(() => {
        const other = this.#nodes.connectionOf(this.#nodes.host(options.routingKey, host))
        // The driver asks further nodes if the second one does not answer either.
        late = this.#patience.add(leave)
        if (other?.send(execution, receive) !== true) receive(undefined, 0)
      })
    }
    if (this.#nodes.connectionOf(host)?.send(execution, receive) !== true) receive(undefined, 0)
  }

  async #throughDriver({ parameters, text }: Statement, options: ReadOptions): Promise<RowBlock> {
    const { hasKey, isLong: _, ...rest } = options
    const result = await this.#client.execute(text, [...parameters], rest)
    this.#nodes.learn(text)
    return blockOf(result.rows ?? [], hasKey, pageStateOf(result))
  }
}

/** The paging state of the next page; undefined after the last page. */
export const pageStateOf = (result: types.ResultSet): Buffer | undefined => {
  // The driver's types declare only the text form of the paging state.
  const { rawPageState } = result as types.ResultSet & { readonly rawPageState?: Buffer }
  return rawPageState ?? undefined
}
