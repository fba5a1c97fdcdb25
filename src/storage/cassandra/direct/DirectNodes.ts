import type { Client } from "cassandra-driver"
import { DirectConnection } from "./DirectConnection.ts"
import {
  type DriverConnection,
  type DriverHost,
  type DriverInternals,
  internalsOf,
  isUsable
} from "./DriverInternals.ts"

/** Distance.local of the driver: a node of the local datacenter. */
const LOCAL = 0
/** Statements whose ids are kept. The texts are few. */
const MAX_STATEMENTS = 1000

/**
 * The nodes of a cluster for statements that bypass the driver, and the ids of prepared statements. The driver prepares statements,
 * connects and authenticates, and knows the nodes.
 */
export class DirectNodes {
  readonly #client: Client
  readonly #keyspace: string
  readonly #timeout: number
  readonly #connections = new WeakMap<DriverConnection, DirectConnection>()
  readonly #ids = new Map<string, Buffer>()
  #turn = 0

  /** `keyspace`: its name as Cassandra stores it. `timeout`, ms: no caller waits longer for an answer. */
  constructor(client: Client, keyspace: string, timeout: number) {
    this.#client = client
    this.#keyspace = keyspace
    this.#timeout = timeout
  }

  /** True if another node can answer when one does not. */
  get hasSeveral(): boolean {
    return this.#client.hosts.length > 1
  }

  /** The id of a prepared statement; undefined if the driver has not prepared it. */
  idOf(text: string): Buffer | undefined {
    return this.#ids.get(text)
  }

  /** Keeps the id of a statement that the driver has executed. */
  learn(text: string): void {
    if (this.#ids.size >= MAX_STATEMENTS) return
    const internals = internalsOf(this.#client)
    const id = internals?.metadata.getPreparedInfo(internals.keyspace, text).queryId
    if (id) this.#ids.set(text, id)
  }

  /**
   * A node of the local datacenter that has the row, or any such node if the key is not known. Never `except`: another
   * node replaces it, one without the row if no other has it.
   */
  host(key: Buffer | undefined, except?: DriverHost): DriverHost | undefined {
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

  /** The connection to a node; undefined if none can take a statement. */
  connectionOf(host: DriverHost | undefined): DirectConnection | undefined {
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
}
