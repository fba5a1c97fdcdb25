import type { Client } from "cassandra-driver"
import { type DriverHost, internalsOf, isLocal } from "./direct/DriverInternals.ts"

/** Sets that are kept. A cluster has more only after many changes of its nodes. */
const MAX_SETS = 100_000

/**
 * Numbers the sets of nodes that have the same rows. Only nodes of the local datacenter count, because no statement goes to others. The
 * driver lists the nodes in the order of the ring from the row on, so equal sets have many orders.
 */
export class ReplicaSets {
  readonly #client: Client
  readonly #keyspace: string
  /** By the driver's lists, which it makes anew when the nodes change. */
  #ofLists = new WeakMap<ReadonlyArray<DriverHost>, number>()
  /** By the sorted addresses. */
  readonly #ofNames = new Map<string, number>()
  #last = 0

  /** `keyspace`: its name as Cassandra stores it. */
  constructor(client: Client, keyspace: string) {
    this.#client = client
    this.#keyspace = keyspace
  }

  /** The number of the set of nodes that have a row; 0 with one node, and while the nodes of the row are not known. */
  of(key: Buffer): number {
    const client = this.#client
    if (client.hosts.length <= 1) return 0
    const list = client.getReplicas(this.#keyspace, key) as unknown as ReadonlyArray<DriverHost> | null
    if (list === null || list === undefined) return 0
    return this.#ofLists.get(list) ?? this.#add(list)
  }

  #add(list: ReadonlyArray<DriverHost>): number {
    const internals = internalsOf(this.#client)
    const local = internals === undefined ? list : list.filter((host) => isLocal(internals, host))
    const name = local
      .map(({ address }) => address)
      .sort()
      .join(" ")
    let number = this.#ofNames.get(name)
    if (number === undefined) {
      if (this.#ofNames.size >= MAX_SETS) {
        this.#ofNames.clear()
        this.#ofLists = new WeakMap()
      }
      number = ++this.#last
      this.#ofNames.set(name, number)
    }
    this.#ofLists.set(list, number)
    return number
  }
}
