import type { Client, QueryOptions, types } from "cassandra-driver"
import { type Deadline, Deadlines } from "../Deadlines.ts"
import { blockOf, type RowBlock } from "../RowBlock.ts"
import type { Statement } from "../Statements.ts"
import { DirectConnection } from "./DirectConnection.ts"
import {
  type DriverConnection,
  type DriverHost,
  type DriverInternals,
  internalsOf,
  isUsable
} from "./DriverInternals.ts"

/** Time without an answer after which the statement also goes to another node. */
const PATIENCE_MS = 400
/** Distance.local of the driver: a node of the local datacenter. */
const LOCAL = 0
/** Statements whose ids are kept. The texts are few. */
const MAX_STATEMENTS = 1000

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
 * ({@link DirectConnection}). A node that does not answer in time does not delay it: another node gets the statement too, and
 * the first answer counts. The driver prepares statements, connects and authenticates, and knows the nodes. It also executes
 * every statement that no node can take, and every one that fails, with its retries. Reads can be repeated.
 */
export class DirectReads {
  readonly #client: Client
  readonly #keyspace: string
  readonly #timeout: number
  readonly #connections = new WeakMap<DriverConnection, DirectConnection>()
  readonly #ids = new Map<string, Buffer>()
  readonly #patience = new Deadlines(PATIENCE_MS)
  #turn = 0

  /** `keyspace`: its name as Cassandra stores it. `timeout`, ms: the callers of read() wait no longer. */
  constructor(client: Client, keyspace: string, timeout: number) {
    this.#client = client
    this.#keyspace = keyspace
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
    const id = this.#ids.get(statement.text)
    const host = id === undefined ? undefined : this.#host(options.routingKey)
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
    const receive = (rows: RowBlock | undefined): void => {
      if (late !== undefined) this.#patience.end(late)
      if (rows === undefined) return leave()
      isSettled = true
      answered(rows)
    }
    if (!isLong && this.#client.hosts.length > 1) {
      late = this.#patience.add(() => {
        const other = this.#connectionOf(this.#host(options.routingKey, host))
        // The driver asks further nodes if the second one does not answer either.
        late = this.#patience.add(leave)
        if (other?.send(execution, receive) !== true) receive(undefined)
      })
    }
    if (this.#connectionOf(host)?.send(execution, receive) !== true) receive(undefined)
  }

  /**
   * A node of the local datacenter that has the row, or any such node if the key is not known. Never `except`: another
   * node replaces it, one without the row if no other has it.
   */
  #host(key: Buffer | undefined, except?: DriverHost): DriverHost | undefined {
    const internals = internalsOf(this.#client)
    if (internals === undefined) return undefined
    const { hosts } = internals
    const replicas = key === undefined || hosts.length === 1 ? undefined : internals.getReplicas(this.#keyspace, key)
    const first = this.#next(replicas ?? hosts.values(), internals, except)
    return first === undefined && except !== undefined ? this.#next(hosts.values(), internals, except) : first
  }

  /** The nodes in turn. */
  #next(nodes: ReadonlyArray<DriverHost>, { profileManager }: DriverInternals, except?: DriverHost) {
    for (let i = 0; i < nodes.length; i++) {
      const host = nodes[(this.#turn + i) % nodes.length]!
      if (host === except || !host.isUp() || profileManager.getDistance(host) !== LOCAL) continue
      this.#turn = (this.#turn + 1) % 0x4000_0000
      return host
    }
    return undefined
  }

  #connectionOf(host: DriverHost | undefined): DirectConnection | undefined {
    if (host === undefined) return undefined
    let connection: DriverConnection
    try {
      connection = host.borrowConnection()
    } catch {
      return undefined
    }
    let direct = this.#connections.get(connection)
    if (direct === undefined && isUsable(connection)) {
      direct = new DirectConnection(connection, this.#timeout, () => host.checkHealth(connection))
      this.#connections.set(connection, direct)
    }
    return direct
  }

  async #throughDriver({ parameters, text }: Statement, options: ReadOptions): Promise<RowBlock> {
    const { hasKey, isLong: _, ...rest } = options
    const result = await this.#client.execute(text, [...parameters], rest)
    const internals = internalsOf(this.#client)
    const id = internals?.metadata.getPreparedInfo(internals.keyspace, text).queryId
    if (id && this.#ids.size < MAX_STATEMENTS) this.#ids.set(text, id)
    return blockOf(result.rows ?? [], hasKey, pageStateOf(result))
  }
}

/** The paging state of the next page; undefined after the last page. */
export const pageStateOf = (result: types.ResultSet): Buffer | undefined => {
  // The driver's types declare only the text form of the paging state.
  const { rawPageState } = result as types.ResultSet & { readonly rawPageState?: Buffer }
  return rawPageState ?? undefined
}
