import type { Client } from "cassandra-driver"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import type { CqlSchemaOptions } from "../../structure/graph/StoreOptions.ts"
import { tables } from "../janusgraph/cells/CellStore.ts"
import { type ColumnTable, coordinationTables } from "./ColumnStore.ts"
import { type CqlOptions, locationOf, nameOf } from "./CqlOptions.ts"
import { openingFailure, schemaDisagreement, schemaFailure } from "./Failures.ts"

/**
 * Time in which a node must answer a statement that changes the schema. All nodes apply it, which takes seconds on a cluster that
 * works or has just started: longer than the timeouts of requests.
 */
const SCHEMA_TIMEOUT_MS = 60_000
/** Time between two questions whether the nodes agree on the schema. */
const AGREEMENT_INTERVAL_MS = 500

/** What the driver's types do not declare of an answer and of its metadata. */
interface SchemaResult {
  readonly info?: { readonly isSchemaInAgreement?: boolean }
}
interface SchemaMetadata {
  checkSchemaAgreement(): Promise<boolean>
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

const map = (entries: Iterable<readonly [string, string | number | boolean]>): string =>
  `{${[...entries].map(([name, value]) => `${text(name)}: ${text(String(value))}`).join(", ")}}`

/** Pairs of a list of names and values. */
const pairs = (list: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> => {
  const found: Array<readonly [string, string]> = []
  for (let at = 0; at + 1 < list.length; at += 2) found.push([list[at]!, list[at + 1]!])
  return found
}

/** The statement that creates a keyspace. */
export const keyspaceStatement = (keyspace: string, options: CqlSchemaOptions): string => {
  const { replicationFactor, replicationOptions, replicationStrategy } = options
  const simple = replicationStrategy.endsWith("SimpleStrategy")
  const replication = map([
    ["class", replicationStrategy],
    ...(simple ? [["replication_factor", replicationFactor] as const] : pairs(replicationOptions))
  ])
  return `CREATE KEYSPACE IF NOT EXISTS "${nameOf(keyspace)}" WITH replication = ${replication}`
}

/** The statement that creates a table. Every table has JanusGraph's form. */
export const tableStatement = (keyspace: string, table: ColumnTable, options: CqlSchemaOptions): string => {
  const compression = options.compression
    ? map([
        ["class", options.compressionType],
        ["chunk_length_in_kb", options.compressionBlockKib]
      ])
    : map([["enabled", false]])
  const parts = [`compression = ${compression}`]
  if (options.compactionStrategy !== undefined) {
    parts.push(`compaction = ${map([["class", options.compactionStrategy], ...pairs(options.compactionOptions)])}`)
  }
  if (options.gcGraceSeconds !== undefined) parts.push(`gc_grace_seconds = ${options.gcGraceSeconds}`)
  if (options.speculativeRetry !== undefined) parts.push(`speculative_retry = ${text(options.speculativeRetry)}`)
  return (
    `CREATE TABLE IF NOT EXISTS "${nameOf(keyspace)}"."${table}" (key blob, column1 blob, value blob, ` +
    `PRIMARY KEY (key, column1)) WITH ${parts.join(" AND ")}`
  )
}

/**
 * Changes the schema. It is not idempotent for the driver, which would otherwise send it to a second node at the same time. The driver
 * waits 10 s until the nodes agree.
 */
const changeSchema = async (client: Client, options: CqlOptions, statement: string): Promise<void> => {
  let result: SchemaResult
  try {
    const how = { readTimeout: SCHEMA_TIMEOUT_MS, isIdempotent: false }
    result = (await client.execute(statement, [], how)) as unknown as SchemaResult
  } catch (cause) {
    throw schemaFailure(locationOf(options), statement, SCHEMA_TIMEOUT_MS, cause)
  }
  if (result.info?.isSchemaInAgreement === false) await agree(client, options, statement)
}

/** Waits until all nodes that are up have the same schema. Until then, some nodes do not know a new table. */
const agree = async (client: Client, options: CqlOptions, statement: string): Promise<void> => {
  const metadata = client.metadata as unknown as SchemaMetadata
  const until = performance.now() + SCHEMA_TIMEOUT_MS
  while (!(await metadata.checkSchemaAgreement())) {
    if (performance.now() > until) throw schemaDisagreement(locationOf(options), statement, SCHEMA_TIMEOUT_MS)
    await new Promise((resolve) => setTimeout(resolve, AGREEMENT_INTERVAL_MS))
  }
}

/** Names of the existing tables; undefined when the keyspace does not exist. */
const existingTables = async (
  client: Client,
  { keyspace, requestTimeout }: CqlOptions
): Promise<ReadonlySet<string> | undefined> => {
  const name = nameOf(keyspace)
  const query = async (statement: string): Promise<ReadonlyArray<string>> => {
    const options = { prepare: true, isIdempotent: true, readTimeout: requestTimeout }
    const { rows } = await client.execute(statement, [name], options)
    return rows.map((row) => String(row.name))
  }
  const keyspaces = await query("SELECT keyspace_name AS name FROM system_schema.keyspaces WHERE keyspace_name = ?")
  if (keyspaces.length === 0) return undefined
  return new Set(await query("SELECT table_name AS name FROM system_schema.tables WHERE keyspace_name = ?"))
}

/** Creates a table unless it exists. Fails with StorageFailure. */
export const addTable = (client: Client, options: CqlOptions, table: ColumnTable): Promise<void> =>
  changeSchema(client, options, tableStatement(options.keyspace, table, options.schema))

/** Deletes a keyspace with all its tables. Does nothing if there is none. Fails with StorageFailure. */
export const removeKeyspace = async (client: Client, options: CqlOptions): Promise<void> => {
  await changeSchema(client, options, `DROP KEYSPACE IF EXISTS "${nameOf(options.keyspace)}"`)
}

/** True for the tables of a graph of JanusGraph or of this server. */
const isGraph = (existing: ReadonlySet<string> | undefined): boolean =>
  ["edgestore", "graphindex", "system_properties"].every((table) => existing?.has(table))

/**
 * Creates the keyspace and its tables where they do not exist; existing ones are not changed. A keyspace that is opened
 * read-only or must exist has to have JanusGraph's tables; this server's own tables may be missing in a keyspace of JanusGraph, and count
 * as empty. Returns the tables that can be read.
 */
export const prepareKeyspace = async (client: Client, options: CqlOptions): Promise<ReadonlySet<string>> => {
  const { keyspace, mustExist = false, readOnly, schema } = options
  const location = locationOf(options)
  try {
    const existing = await existingTables(client, options)
    const graph = isGraph(existing) ? existing : undefined
    if (readOnly) {
      if (graph !== undefined) return graph
      throw new StorageFailure(`There is no graph in ${location} yet, and storage.read-only=true forbids creating one.`)
    }
    if (mustExist && graph === undefined) {
      throw new StorageFailure(
        `There is no graph in ${location}. Check storage.hostname and storage.cql.keyspace. The first start of the server creates a graph.`
      )
    }
    if (existing === undefined) await changeSchema(client, options, keyspaceStatement(keyspace, schema))
    const known = new Set(existing)
    for (const table of [...tables, ...coordinationTables]) {
      if (known.has(table)) continue
      await changeSchema(client, options, tableStatement(keyspace, table, schema))
      known.add(table)
    }
    return known
  } catch (cause) {
    throw openingFailure(location, cause)
  }
}
