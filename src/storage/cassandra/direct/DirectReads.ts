import type { Client, QueryOptions, types } from "cassandra-driver"
import { Deadlines } from "../Deadlines.ts"
import { blockOf, type RowBlock } from "../RowBlock.ts"
import type { Statement } from "../Statements.ts"
import { DirectConnection } from "./DirectConnection.ts"
import { type DriverConnection, type DriverHost, internalsOf, isUsable } from "./DriverInternals.ts"

/** Time without an answer after which the driver executes the statement too, on another node. */
const PATIENCE_MS = 400
/** Distance.local of the driver: a node of the local datacenter. */
const LOCAL = 0
/** Statements whose ids are kept. The texts are few. */
const MAX_STATEMENTS = 1000

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
 * ({@link DirectConnection}). The driver prepares statements, connects and authenticates, and knows the nodes. It also
 * executes every statement that fails or gets no answer in time, with its retries. Reads can be repeated.
 */
export class DirectReads {
  readonly #client: Client
  readonly #keyspace: string
  readonly #connections = new WeakMap<DriverConnection, DirectConnection>()
  readonly #ids = new Map<string, Buffer>()
  readonly #patience = new Deadlines(PATIENCE_MS)
  #turn = 0

  /** `keyspace`: its name as Cassandra stores it. */
  constructor(client: Client, keyspace: string) {
    this.#client = client
    this.#keyspace = keyspace
  }

  /** Executes a statement that reads. Fails with an error of the driver. */
  read(statement: Statement, options: ReadOptions): Promise<RowBlock> {
    const id = this.#ids.get(statement.text)
    const connection = id === undefined ? undefined : this.#connection(options.routingKey)
    if (id === undefined || connection === undefined) return this.#throughDriver(statement, options)
    return new Promise((resolve, reject) => {
      const { consistency, fetchSize: pageSize, isLong = false, pageState } = options
      const again = (): void => void this.#throughDriver(statement, options).then(resolve, reject)
      const isShared = !isLong && this.#client.hosts.length > 1
      const late = isShared ? this.#patience.add(again) : undefined
      const receive = (rows: RowBlock | undefined): void => {
        const isInTime = late === undefined || this.#patience.end(late)
        if (rows !== undefined) resolve(rows)
        else if (isInTime) again()
      }
      const { parameters } = statement
      if (connection.send({ id, consistency, parameters, pageSize, pageState }, receive)) return
      if (late !== undefined) this.#patience.end(late)
      again()
    })
  }

  /** A connection to a node of the local datacenter that has the row, or to any such node. */
  #connection(key: Buffer | undefined): DirectConnection | undefined {
    const internals = internalsOf(this.#client)
    if (internals === undefined) return undefined
    const { hosts } = internals
    const isSingle = hosts.length === 1
    const nodes =
      key === undefined || isSingle ? hosts.values() : (internals.getReplicas(this.#keyspace, key) ?? hosts.values())
    for (let i = 0; i < nodes.length; i++) {
      const host = nodes[(this.#turn + i) % nodes.length]!
      if (!host.isUp() || internals.profileManager.getDistance(host) !== LOCAL) continue
      this.#turn = (this.#turn + 1) % 0x4000_0000
      return this.#connectionOf(host)
    }
    return undefined
  }

  #connectionOf(host: DriverHost): DirectConnection | undefined {
    let connection: DriverConnection
    try {
      connection = host.borrowConnection()
    } catch {
      return undefined
    }
    let direct = this.#connections.get(connection)
    if (direct === undefined && isUsable(connection)) {
      direct = new DirectConnection(connection)
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
