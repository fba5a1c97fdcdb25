import type { Client } from "cassandra-driver"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import { tables } from "../janusgraph/cells/CellStore.ts"
import { type ColumnTable, coordinationTables } from "./ColumnStore.ts"
import { type CqlOptions, type CqlSchemaOptions, nameOf, placeOf } from "./CqlOptions.ts"
import { openingFailure } from "./Failures.ts"

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

const map = (entries: Iterable<readonly [string, string | number | boolean]>): string =>
  `{${[...entries].map(([name, value]) => `${text(name)}: ${text(String(value))}`).join(", ")}}`

/** Names and values that are given one after the other. */
const pairs = (list: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> => {
  const found: Array<readonly [string, string]> = []
  for (let at = 0; at + 1 < list.length; at += 2) found.push([list[at]!, list[at + 1]!])
  return found
}

/** How the keyspace is made where it is not there. */
export const keyspaceStatement = (keyspace: string, options: CqlSchemaOptions): string => {
  const { replicationFactor, replicationOptions, replicationStrategy } = options
  const simple = replicationStrategy.endsWith("SimpleStrategy")
  const replication = map([
    ["class", replicationStrategy],
    ...(simple ? [["replication_factor", replicationFactor] as const] : pairs(replicationOptions))
  ])
  return `CREATE KEYSPACE IF NOT EXISTS "${nameOf(keyspace)}" WITH replication = ${replication}`
}

/** How a table is made where it is not there: JanusGraph's form of every table. */
export const tableStatement = (keyspace: string, table: ColumnTable, options: CqlSchemaOptions): string => {
  const compression = options.compression
    ? map([
        ["class", options.compressionType],
        ["chunk_length_in_kb", options.compressionBlockSize]
      ])
    : map([["enabled", false]])
  const compaction =
    options.compactionStrategy === undefined
      ? [["class", "SizeTieredCompactionStrategy"] as const]
      : [["class", options.compactionStrategy] as const, ...pairs(options.compactionOptions)]
  const parts = [`compression = ${compression}`, `compaction = ${map(compaction)}`]
  if (options.gcGraceSeconds !== undefined) parts.push(`gc_grace_seconds = ${options.gcGraceSeconds}`)
  if (options.speculativeRetry !== undefined) parts.push(`speculative_retry = ${text(options.speculativeRetry)}`)
  return (
    `CREATE TABLE IF NOT EXISTS "${nameOf(keyspace)}"."${table}" (key blob, column1 blob, value blob, ` +
    `PRIMARY KEY (key, column1)) WITH ${parts.join(" AND ")}`
  )
}

/** Names of the tables that are there; undefined when there is no such keyspace. */
const tablesThere = async (client: Client, keyspace: string): Promise<ReadonlySet<string> | undefined> => {
  const name = nameOf(keyspace)
  const query = async (statement: string): Promise<ReadonlyArray<string>> => {
    const { rows } = await client.execute(statement, [name], { prepare: true, isIdempotent: true })
    return rows.map((row) => String(row.name))
  }
  const keyspaces = await query("SELECT keyspace_name AS name FROM system_schema.keyspaces WHERE keyspace_name = ?")
  if (keyspaces.length === 0) return undefined
  return new Set(await query("SELECT table_name AS name FROM system_schema.tables WHERE keyspace_name = ?"))
}

/**
 * Makes the keyspace and those of its tables that are not there; what is there stays as it is, whoever made it. A keyspace
 * that is only read must be there with the tables of JanusGraph; this server's own tables are missing in one that JanusGraph
 * made, and are known to be empty then. Returns the tables that can be read.
 */
export const prepareKeyspace = async (client: Client, options: CqlOptions): Promise<ReadonlySet<string>> => {
  const { keyspace, readOnly, schema } = options
  const place = placeOf(options)
  try {
    const there = await tablesThere(client, keyspace)
    if (readOnly) {
      if (there?.has("edgestore") && there.has("graphindex") && there.has("system_properties")) return there
      throw new StorageFailure(`There is no graph in ${place} yet, and storage.read-only=true forbids to make one.`)
    }
    if (there === undefined) await client.execute(keyspaceStatement(keyspace, schema))
    const known = new Set(there)
    for (const table of [...tables, ...coordinationTables]) {
      if (known.has(table)) continue
      await client.execute(tableStatement(keyspace, table, schema))
      known.add(table)
    }
    return known
  } catch (cause) {
    throw openingFailure(place, cause)
  }
}
