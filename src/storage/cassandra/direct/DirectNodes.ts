import type { Client } from "cassandra-driver"
import type { Deadline, Deadlines } from "../Deadlines.ts"
import { foundNoConnection } from "../Failures.ts"
import { LocalNodes } from "../LocalNodes.ts"
import type { StatementText } from "../Statements.ts"
import type { Warned } from "../Warnings.ts"
import { DirectConnection, type Leaving, type Receive } from "./DirectConnection.ts"
import {
  type DriverConnection,
  type DriverHost,
  type DriverInternals,
  internalsOf,
  isLocal,
  isUsable
} from "./DriverInternals.ts"
import { type BatchExecution, type Execution, type Outcome, warningsOf } from "./Frames.ts"

/** Who waits for the answer to a request that the driver executes at the same time. The first answer counts. */
export interface Caller {
  /** When the caller gives up, by performance.now(). */
  readonly until: number
  /** True when the caller has an answer. */
  isOver(): boolean
}

/** How a request is sent, and what becomes of it. */
interface Delivery {
  /** The key of its row, if it has one. */
  readonly key: Buffer | undefined
  /** The time without an answer after which another node gets the request, too; undefined: only one node gets it. */
  readonly patience: Deadlines | undefined
  /** By default one who begins to wait now, and has no other answer. */
  readonly caller?: Caller | undefined
  /** When it leaves; by default after the call. */
  readonly leaving?: Leaving
  /** Takes the answer in the frame that begins at `at`, and says what the node has done. Several nodes may answer. */
  readonly receive: (bytes: Buffer, at: number) => Outcome
  /** Executes the request through the driver. It is called again only after {@link Sending.staysWith} was true. */
  readonly leave: (sending: Sending) => void
}

/**
 * The nodes of a cluster for statements that bypass the driver. The driver prepares statements,
 * connects and authenticates, and knows the nodes.
 */
export class DirectNodes {
  readonly #client: Client
  readonly #keyspace: string
  readonly #timeout: number
  readonly warned: Warned
  /** The nodes of the local datacenter. */
  readonly local: LocalNodes
  readonly #connections = new WeakMap<DriverConnection, DirectConnection>()
  #turn = 0

  /**
   * `keyspace`: its name as Cassandra stores it. `timeout`, ms: no caller waits longer for an answer. `warned` takes the warnings in
   * answers.
   */
  constructor(client: Client, keyspace: string, timeout: number, warned: Warned = () => undefined) {
    this.warned = warned
    this.#client = client
    this.#keyspace = keyspace
    this.#timeout = timeout
    this.local = new LocalNodes(client)
  }

  /**
   * Sends a request to a node that has its row. A node that does not answer in time does not delay it: another node gets the request
   * too, and the first answer counts. The request is left to the driver if it is undefined, if no node can take it, if a node fails,
   * and if the second node does not answer in time either: the driver asks further nodes. If all of them are busy, the answer of a
   * node that has the request is awaited.
   */
  send(request: Execution | BatchExecution | undefined, delivery: Delivery): void {
    new Sending(this, request, delivery, this.#timeout).start()
  }

  /** Keeps the id of a statement that the driver has executed. */
  learn(cql: StatementText): void {
    const internals = internalsOf(this.#client)
    const id = internals?.metadata.getPreparedInfo(internals.keyspace, cql.text).queryId
    if (id) cql.id = id
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
  #next(nodes: ReadonlyArray<DriverHost>, internals: DriverInternals, except?: DriverHost) {
    for (let i = 0; i < nodes.length; i++) {
      const host = nodes[(this.#turn + i) % nodes.length]!
      if (host === except || !host.isUp() || !isLocal(internals, host)) continue
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

/** A request that nodes have got or get. */
class Sending {
  readonly #nodes: DirectNodes
  readonly #request: Execution | BatchExecution | undefined
  readonly #delivery: Delivery
  /** When the caller gives up, by performance.now(). */
  readonly #until: number
  #late: Deadline | undefined
  /** Nodes that have got the request, and have not refused it. */
  #sent = 0
  /** Nodes that have got the request, and may still answer. */
  #awaited = 0
  /** True if an answer has arrived, or the driver executes the request or has failed. */
  #isSettled = false

  /** `timeout`, ms: the caller waits no longer. */
  constructor(
    nodes: DirectNodes,
    request: Execution | BatchExecution | undefined,
    delivery: Delivery,
    timeout: number
  ) {
    this.#nodes = nodes
    this.#request = request
    this.#delivery = delivery
    this.#until = delivery.caller?.until ?? performance.now() + timeout
  }

  /** The time until the caller gives up, at least 1 ms. */
  get timeLeft(): number {
    return Math.max(1, Math.ceil(this.#until - performance.now()))
  }

  /** True when nobody waits for an answer. The patience may be longer than the timeout. */
  get #isOver(): boolean {
    return performance.now() >= this.#until || this.#delivery.caller?.isOver() === true
  }

  /** The number of nodes that may have executed the request. */
  get nodes(): number {
    return this.#sent
  }

  /**
   * Whether the error of the driver ends nothing: all other nodes were busy or down, and a node that has got the request may still
   * answer it. If none does, the driver executes the request again.
   */
  staysWith(cause: unknown): boolean {
    if (this.#awaited === 0 || !foundNoConnection(cause)) return false
    this.#isSettled = false
    return true
  }

  /** Sends the request. */
  start(): void {
    const { key, patience } = this.#delivery
    const host = this.#nodes.host(key)
    if (!this.#isSent(host)) return this.#leave()
    if (patience === undefined || !this.#nodes.local.hasSeveral) return
    this.#late = patience.add(() => {
      if (this.#isOver) return
      this.#late = patience.add(() => this.#leave())
      if (!this.#isSent(this.#nodes.host(key, host))) this.#leave()
    })
  }

  /** Sends the request to a node. Returns false if that is not possible now. */
  #isSent(host: DriverHost | undefined): boolean {
    const connection = this.#request === undefined ? undefined : this.#nodes.connectionOf(host)
    this.#sent++
    this.#awaited++
    const receive: Receive = (bytes, at) => this.#receive(bytes, at)
    if (connection?.send(this.#request!, receive, this.#delivery.leaving) === true) return true
    this.#sent--
    this.#awaited--
    return false
  }

  #receive(bytes: Buffer | undefined, at: number): void {
    this.#awaited--
    if (this.#late !== undefined) this.#delivery.patience!.end(this.#late)
    if (bytes !== undefined) for (const warning of warningsOf(bytes, at)) this.#nodes.warned(warning)
    const outcome = bytes === undefined ? "perhaps" : this.#delivery.receive(bytes, at)
    if (outcome === "done") this.#isSettled = true
    else {
      if (outcome === "refused") this.#sent--
      this.#leave()
    }
  }

  /**
   * Leaves the request to the driver, once at a time, and only while a caller waits for it: a connection may close long after another
   * node has answered.
   */
  #leave(): void {
    if (this.#isSettled || this.#isOver) return
    this.#isSettled = true
    this.#delivery.leave(this)
  }
}
