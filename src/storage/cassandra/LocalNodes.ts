import type { Client } from "cassandra-driver"
import { type DriverHost, internalsOf, isLocal } from "./direct/DriverInternals.ts"

/** The nodes of the local datacenter. The driver knows those of others, too, but sends them nothing. */
const localNodes = (client: Client): ReadonlyArray<DriverHost> => {
  const hosts: ReadonlyArray<unknown> = client.hosts.values()
  const internals = internalsOf(client)
  const nodes = hosts as ReadonlyArray<DriverHost>
  return internals === undefined ? nodes : nodes.filter((host) => isLocal(internals, host))
}

/** The number of nodes of the local datacenter that are up. */
export const localNodesUp = (client: Client): number => localNodes(client).filter((host) => host.isUp()).length

/** True if another node of the local datacenter can answer when one does not. */
export const hasSeveralNodes = (client: Client): boolean => client.hosts.length > 1 && localNodes(client).length > 1
