import type { Client } from "cassandra-driver"
import { type DriverHost, internalsOf, isLocal } from "./direct/DriverInternals.ts"

/** The nodes of the local datacenter. The driver knows those of others, too, but sends them nothing. */
const localNodes = (client: Client): ReadonlyArray<DriverHost> => {
  const hosts: ReadonlyArray<unknown> = client.hosts.values()
  const internals = internalsOf(client)
  const nodes = hosts as ReadonlyArray<DriverHost>
  return internals === undefined ? nodes : nodes.filter((host) => isLocal(internals, host))
}

/** The driver's events after which other nodes count. */
const changes = ["hostAdd", "hostRemove", "hostUp", "hostDown"] as const

/** Counts the nodes of the local datacenter. They are counted again after a change, not for each statement. */
export class LocalNodes {
  readonly #client: Client
  /** False for a client without events. */
  readonly #hearsChanges: boolean
  #isCounted = false
  #up = 0
  #hasSeveral = false

  constructor(client: Client) {
    this.#client = client
    this.#hearsChanges = typeof (client as Partial<Client>).on === "function"
    if (!this.#hearsChanges) return
    const changed = (): void => {
      this.#isCounted = false
    }
    for (const event of changes) client.on(event, changed)
  }

  /** The number of nodes that are up. */
  get up(): number {
    if (!this.#isCounted) this.#count()
    return this.#up
  }

  /** True if another node can answer when one does not. */
  get hasSeveral(): boolean {
    if (!this.#isCounted) this.#count()
    return this.#hasSeveral
  }

  #count(): void {
    const nodes = localNodes(this.#client)
    this.#up = 0
    for (const host of nodes) if (host.isUp()) this.#up++
    this.#hasSeveral = nodes.length > 1
    this.#isCounted = this.#hearsChanges
  }
}
