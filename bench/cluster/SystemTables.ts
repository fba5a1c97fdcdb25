import { bytesOf, cqlTypes, intOf, type Markers, RowsHeader, type Type } from "./Frames.ts"

/** A value of a system table. */
type Value = string | boolean | Buffer | null | ReadonlyArray<string> | ReadonlyMap<string, string>

type SystemRow = Readonly<Record<string, Value>>

const ID = Buffer.from("5c5e7d7e6e0f4c8d9a35c35a9c1b8a10", "hex")
const LOOPBACK = Buffer.from([127, 0, 0, 1])

const textsOf = (texts: Iterable<string>): ReadonlyArray<Buffer> => [...texts].map((text) => bytesOf(Buffer.from(text)))

const encoded = (value: Value): Buffer | null => {
  if (value === null || Buffer.isBuffer(value)) return value
  if (typeof value === "string") return Buffer.from(value)
  if (typeof value === "boolean") return Buffer.from([value ? 1 : 0])
  if (value instanceof Map) return Buffer.concat([intOf(value.size), ...textsOf([...value].flat())])
  const texts = textsOf(value as ReadonlyArray<string>)
  return Buffer.concat([intOf(texts.length), ...texts])
}

const nodeColumns: Readonly<Record<string, Type>> = {
  key: cqlTypes.text,
  data_center: cqlTypes.text,
  rack: cqlTypes.text,
  tokens: cqlTypes.texts,
  host_id: cqlTypes.uuid,
  schema_version: cqlTypes.uuid,
  release_version: cqlTypes.text,
  partitioner: cqlTypes.text,
  cluster_name: cqlTypes.text,
  rpc_address: cqlTypes.inet
}

const local: SystemRow = {
  key: "local",
  data_center: "datacenter1",
  rack: "rack1",
  tokens: ["-9223372036854775807", "-4611686018427387904", "0", "4611686018427387904"],
  host_id: ID,
  schema_version: ID,
  release_version: "4.1.10",
  partitioner: "org.apache.cassandra.dht.Murmur3Partitioner",
  cluster_name: "simulated",
  rpc_address: LOOPBACK
}

const keyspaceColumns: Readonly<Record<string, Type>> = {
  keyspace_name: cqlTypes.text,
  durable_writes: cqlTypes.boolean,
  replication: cqlTypes.textMap
}

const tableColumns: Readonly<Record<string, Type>> = { keyspace_name: cqlTypes.text, table_name: cqlTypes.text }

/** A query of a system table: the columns of its answer, and the column that a value limits. */
export interface SystemQuery extends Markers {
  readonly header: RowsHeader
  readonly names: ReadonlyArray<string>
  readonly column: string | undefined
  /** The value in the text; undefined if it is a marker. */
  readonly literal: string | undefined
}

const SYSTEM = /^SELECT (.+) FROM (system\w*)\.(\w+)(?: WHERE (\w+) ?= ?(\?|'[^']*'))?\s*$/i

/** The system tables that a driver reads, for one node with all data. */
export class SystemTables {
  /** Keyspaces and their tables, which statements have created. */
  readonly #keyspaces = new Map<string, Set<string>>()

  /** Adds a keyspace, or a table of it. */
  create(keyspace: string, table: string | undefined): void {
    const tables = this.#keyspaces.get(keyspace) ?? new Set()
    this.#keyspaces.set(keyspace, tables)
    if (table !== undefined) tables.add(table)
  }

  #content(keyspace: string, table: string): readonly [Readonly<Record<string, Type>>, ReadonlyArray<SystemRow>] {
    switch (`${keyspace}.${table}`) {
      case "system.local":
        return [nodeColumns, [local]]
      case "system.peers":
        return [{ peer: cqlTypes.inet, ...nodeColumns }, []]
      case "system_schema.keyspaces":
        return [
          keyspaceColumns,
          [...this.#keyspaces.keys()].map((name) => ({
            keyspace_name: name,
            durable_writes: true,
            replication: new Map([
              ["class", "org.apache.cassandra.locator.SimpleStrategy"],
              ["replication_factor", "1"]
            ])
          }))
        ]
      case "system_schema.tables":
        return [
          tableColumns,
          [...this.#keyspaces].flatMap(([keyspace_name, names]) =>
            [...names].map((table_name) => ({ keyspace_name, table_name }))
          )
        ]
      default:
        return [keyspaceColumns, []]
    }
  }

  /** Reads a query of a system table; undefined if the text is something else. */
  parse(text: string): SystemQuery | undefined {
    const [, columns, keyspace, table, column, value] = SYSTEM.exec(text) ?? []
    if (columns === undefined || keyspace === undefined || table === undefined) return undefined
    const [types] = this.#content(keyspace, table)
    const wanted = (columns === "*" ? Object.keys(types) : columns.split(",")).map((spelled) =>
      spelled.trim().split(/ as /i)
    )
    const names = wanted.map(([name]) => name!.trim())
    const specs = wanted.map(([name, alias]) => ({ name: alias ?? name!, type: types[name!] ?? cqlTypes.text }))
    return {
      keyspace,
      table,
      header: new RowsHeader(keyspace, table, specs),
      names,
      column,
      literal: value === undefined || value === "?" ? undefined : value.slice(1, -1),
      markers: value === "?" ? [{ name: column!, type: cqlTypes.text }] : [],
      keyAt: undefined
    }
  }

  /** The body of the answer of a query. */
  answer(query: SystemQuery, values: ReadonlyArray<Buffer | null>): Buffer {
    const [, all] = this.#content(query.keyspace, query.table)
    const { column } = query
    const wanted = query.literal ?? values[0]?.toString()
    const rows = column === undefined ? all : all.filter((row) => row[column] === wanted)
    const cells = rows.flatMap((row) => query.names.map((name) => bytesOf(encoded(row[name] ?? null))))
    return Buffer.concat([query.header.start(undefined), intOf(rows.length), ...cells])
  }
}
