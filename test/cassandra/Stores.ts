import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { type CqlOptions, cqlDefaults } from "../../src/storage/cassandra/CqlOptions.ts"
import { type CqlStore, openCqlStore } from "../../src/storage/cassandra/CqlStore.ts"
import {
  type CoordinationOptions,
  coordinationDefaults
} from "../../src/storage/cassandra/coordination/CoordinationOptions.ts"
import { type CellGraph, openCellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { type CellGraphOptions, defaultCellGraphOptions } from "../../src/storage/janusgraph/Options.ts"

/** A unique name for a keyspace. */
export const newKeyspace = (): string => `test_${randomBytes(6).toString("hex")}`

/** Options for the node of the tests. */
export const cqlOptions = (keyspace: string, options: Partial<CqlOptions> = {}): CqlOptions => ({
  ...cqlDefaults,
  hosts: ["127.0.0.1"],
  port: inject("cassandraPort"),
  keyspace,
  username: undefined,
  password: undefined,
  readOnly: false,
  tls: undefined,
  ...options
})

/** Ignores the events of coordination. */
export const silent = {
  others: () => undefined,
  notice: () => undefined,
  reregistered: () => undefined,
  failed: () => undefined,
  unlogged: () => undefined
}

/** Opens a store in a keyspace. */
export const cqlStore = (
  keyspace: string,
  options: Partial<CqlOptions> = {},
  coordination: Partial<CoordinationOptions> = {}
): Promise<CqlStore> =>
  openCqlStore(
    cqlOptions(keyspace, options),
    { partitionBits: 5, idBlockSize: 10_000, userVertexIds: false, textVertexIds: false },
    { ...coordinationDefaults, newsInterval: 200, ...coordination, readOnly: options.readOnly ?? false },
    silent
  )

/** A longer wait of the lock protocol, for keyspaces that only this server opens: on a busy machine a claim takes more than the default. */
export const patientLocks: Partial<CoordinationOptions> = { lockWait: 1_000 }

/** Opens a graph in a keyspace. */
export const cqlGraph = async (
  keyspace: string,
  options: Partial<CellGraphOptions> = {},
  connection: Partial<CqlOptions> = {},
  coordination: Partial<CoordinationOptions> = {}
): Promise<CellGraph> =>
  openCellGraph(
    await cqlStore(keyspace, { ...connection, readOnly: options.readOnly ?? false }, coordination),
    { ...defaultCellGraphOptions, name: "test", ...options },
    "test"
  )
