import cassandra, { type Client, type types } from "cassandra-driver"
import { coordinationTables } from "../../../src/storage/cassandra/ColumnStore.ts"
import { CqlColumns } from "../../../src/storage/cassandra/CqlColumns.ts"
import { type CqlOptions, cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import { type Clock, systemClock } from "../../../src/storage/cassandra/coordination/Clock.ts"
import { openCoordination } from "../../../src/storage/cassandra/coordination/Coordination.ts"
import {
  type CoordinationOptions,
  coordinationDefaults
} from "../../../src/storage/cassandra/coordination/CoordinationOptions.ts"
import { tables } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { compareColumns } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { countedClient, Sent } from "./CountedClient.ts"

interface Cell {
  readonly column: Buffer
  value: Buffer | null
  time: bigint
  /** When the TTL ends, ms since the epoch. */
  expires: number
}

interface Row {
  readonly key: Buffer
  readonly cells: Map<string, Cell>
  removed: bigint
}

interface Options {
  readonly fetchSize?: number
  readonly pageState?: Buffer
  /** The number of a consistency level in the protocol. */
  readonly consistency?: number
}

/** The level ONE in the protocol. */
const ONE = 1

/** The names of the consistency levels, by their numbers in the protocol. */
const levelNames = new Map(Object.entries(cassandra.types.consistencies).map(([name, level]) => [level, name]))

/** A statement as a node received it, with the driver's name of its consistency level. */
export interface ReceivedStatement {
  readonly table: string
  readonly kind: "read" | "write"
  readonly consistency: string | undefined
}

type Parameters = ReadonlyArray<unknown>

/** Called before a request is executed: it may delay the request, or fail it. */
export type Weather = (text: string, parameters?: Parameters) => Promise<void>

/** Throws as a node does for the key of a row, or a column, that is too long. */
const assertShort = (text: string, parameters: Parameters): void => {
  const names = text.startsWith("INSERT") ? parameters.slice(0, 2) : parameters.flat()
  for (const name of names) {
    if (!Buffer.isBuffer(name) || name.length <= 65_535) continue
    throw Object.assign(new Error(`Key length of ${name.length} is longer than maximum of 65535`), { code: 0x2200 })
  }
}

/**
 * A cluster in memory that executes the statements of the store: cells with time stamps, of which the latest wins. Each
 * answer comes in a later turn of the event loop.
 */
export class FakeCluster {
  readonly #tables = new Map<string, Map<string, Row>>()
  weather: Weather = async () => undefined
  /** More options of the keyspace that the first store creates. */
  options: Readonly<Record<string, unknown>> = {}
  /** Tables of logs that lack messages. */
  readonly unlogged: Array<string> = []
  inFlight = 0
  mostInFlight = 0
  requests = 0
  /** Milliseconds by which the clock of the cluster is ahead. It decides which cells have expired. */
  ahead = 0
  /**
   * Milliseconds of the monotonic clock of the servers. It stands still unless a test advances it: no node is slow, however
   * busy the machine of the tests is.
   */
  elapsed = 0
  /** How the servers wait. Claims need not wait, because no node is slow. */
  sleep: Clock["sleep"] = (milliseconds) => systemClock().sleep(milliseconds < 1000 ? 1 : milliseconds)
  /**
   * The time after which the replica that answers reads of `edgestore` with the level ONE has received no writes, microseconds since
   * the epoch.
   */
  lagging: bigint | undefined
  /** The statements of the graph and its coordination, once a test has set an array. */
  received: Array<ReceivedStatement> | undefined

  #rows(text: string): Map<string, Row> {
    const name = /"\w+"\."(\w+)"/.exec(text)![1]!
    let rows = this.#tables.get(name)
    if (rows === undefined) {
      rows = new Map()
      this.#tables.set(name, rows)
    }
    return rows
  }

  #row(text: string, key: Buffer): Row {
    const rows = this.#rows(text)
    const name = key.toString("hex")
    let row = rows.get(name)
    if (row === undefined) {
      row = { key: Buffer.from(key), cells: new Map(), removed: -1n }
      rows.set(name, row)
    }
    return row
  }

  #write(text: string, parameters: Parameters): void {
    if (text.startsWith("INSERT")) {
      const [key, column, value] = parameters as ReadonlyArray<Buffer>
      const ttl = text.includes("TTL ?") ? (parameters[3] as number) : 0
      const expires = ttl === 0 ? Number.POSITIVE_INFINITY : Date.now() + this.ahead + ttl * 1000
      this.#put(this.#row(text, key!), column!, value!, parameters.at(-1) as bigint, expires)
      return
    }
    const [time, key, column, end] = parameters as readonly [bigint, Buffer, Buffer | undefined, Buffer | undefined]
    const row = this.#row(text, key)
    if (end !== undefined) {
      for (const cell of [...row.cells.values()]) {
        const isInside = compareColumns(cell.column, column!) >= 0 && compareColumns(cell.column, end) < 0
        if (isInside) this.#put(row, cell.column, null, time)
      }
    } else if (column !== undefined) this.#put(row, column, null, time)
    else if (time > row.removed) row.removed = time
  }

  #put(row: Row, column: Buffer, value: Buffer | null, time: bigint, expires = Number.POSITIVE_INFINITY): void {
    const name = column.toString("hex")
    const there = row.cells.get(name)
    if (there !== undefined && there.time > time) return
    row.cells.set(name, {
      column: Buffer.from(column),
      value: value === null ? null : Buffer.from(value),
      time,
      expires
    })
  }

  #cells(row: Row): ReadonlyArray<Cell> {
    const now = Date.now() + this.ahead
    return [...row.cells.values()]
      .filter(({ expires, time, value }) => value !== null && time > row.removed && expires > now)
      .sort((a, b) => compareColumns(a.column, b.column))
  }

  #between(row: Row, start: Buffer | undefined, end: Buffer | undefined): ReadonlyArray<Cell> {
    return this.#cells(row).filter(
      ({ column }) =>
        (start === undefined || compareColumns(column, start) >= 0) &&
        (end === undefined || compareColumns(column, end) < 0)
    )
  }

  #read(text: string, parameters: Parameters, { consistency, fetchSize = 5000, pageState }: Options) {
    const lagging = consistency === ONE && text.includes('."edgestore"') ? this.lagging : undefined
    if (text.includes("TTL(value)")) {
      const [key, column] = parameters as readonly [Buffer, Buffer]
      const now = Date.now() + this.ahead
      const cell = this.#cells(this.#row(text, key)).find((each) => each.column.equals(column))
      const left = cell === undefined ? Number.POSITIVE_INFINITY : Math.floor((cell.expires - now) / 1000)
      return { rows: cell === undefined ? [] : [{ seconds: Number.isFinite(left) ? left : null }] }
    }
    const found: Array<{ key: Buffer; column1: Buffer; value: Buffer; written: bigint }> = []
    const add = (row: Row, cells: ReadonlyArray<Cell>): void => {
      for (const { column, time, value } of cells)
        if (lagging === undefined || time <= lagging)
          found.push({ key: row.key, column1: column, value: value!, written: time })
    }
    const given = [...parameters]
    if (text.includes("key IN ?")) {
      const keys = given.shift() as ReadonlyArray<Buffer>
      const most = given.pop() as number
      const start = text.includes("column1 >= ?") ? (given.shift() as Buffer) : undefined
      const end = text.includes("column1 < ?") ? (given.shift() as Buffer) : undefined
      for (const key of [...keys].sort(compareColumns).reverse()) {
        const row = this.#row(text, key)
        add(row, this.#between(row, start, end).slice(0, most))
      }
    } else if (text.includes("PER PARTITION LIMIT")) {
      const most = given.pop() as number
      const after = given[0] as Buffer | undefined
      const rows = [...this.#rows(text).values()].sort((a, b) => compareColumns(a.key, b.key))
      for (const row of rows) {
        if (after === undefined || compareColumns(row.key, after) > 0) add(row, this.#cells(row).slice(0, most))
      }
    } else {
      const row = this.#row(text, given.shift() as Buffer)
      const start = text.includes("column1 >= ?") ? (given.shift() as Buffer) : undefined
      const end = text.includes("column1 < ?") ? (given.shift() as Buffer) : undefined
      let cells = [...this.#between(row, start, end)]
      if (text.includes("DESC")) cells = cells.reverse()
      add(row, text.includes("LIMIT ?") ? cells.slice(0, given.shift() as number) : cells)
    }
    const from = pageState === undefined ? 0 : Number(pageState.toString())
    const to = fetchSize === 0 ? found.length : from + fetchSize
    return { rows: found.slice(from, to), rawPageState: to < found.length ? Buffer.from(String(to)) : undefined }
  }

  #receive(texts: ReadonlyArray<string>, consistency: number | undefined): void {
    for (const text of texts) {
      const table = /"\w+"\."(\w+)"/.exec(text)?.[1]
      if (table === undefined) continue
      const kind = text.startsWith("SELECT") ? "read" : "write"
      this.received?.push({ table, kind, consistency: levelNames.get(consistency ?? -1) })
    }
  }

  async #request<A>(text: string, answer: () => A, parameters?: Parameters): Promise<A> {
    this.requests++
    this.inFlight++
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight)
    try {
      await new Promise((resolve) => setImmediate(resolve))
      await this.weather(text, parameters)
      return answer()
    } finally {
      this.inFlight--
    }
  }

  /** The cells of a table, in the order of their columns. */
  cells(table: string): ReadonlyArray<{ readonly key: Buffer; readonly column: Buffer; readonly value: Buffer }> {
    return [...this.#rows(`"test"."${table}"`).values()]
      .flatMap((row) => this.#cells(row).map(({ column, value }) => ({ key: row.key, column, value: value! })))
      .sort((a, b) => compareColumns(a.column, b.column))
  }

  /** A replacement for the driver's client. */
  client(): Client {
    const hosts = { length: 1, values: () => [{ isUp: () => true }] }
    const client = {
      hosts,
      execute: (text: string, parameters: Parameters, options: Options) => {
        this.#receive([text], options?.consistency)
        const answer = () => {
          assertShort(text, parameters ?? [])
          if (text.startsWith("SELECT")) return this.#read(text, parameters, options)
          // Tables need not be created.
          if (!text.startsWith("CREATE TABLE")) this.#write(text, parameters)
          return { rows: [] }
        }
        return this.#request(text, answer, parameters)
      },
      batch: (
        queries: ReadonlyArray<{ readonly query: string; readonly params: Parameters }>,
        { consistency }: Options
      ) => {
        const texts = queries.map(({ query }) => query)
        this.#receive(texts, consistency)
        return this.#request(texts[0]!, () => {
          for (const { params, query } of queries) assertShort(query, params)
          for (const { params, query } of queries) this.#write(query, params)
          return { rows: [] }
        })
      },
      shutdown: async () => undefined
    }
    return client as unknown as Client & { readonly types: typeof types }
  }

  /** The columns of a keyspace in this cluster. `sent` counts what is sent. */
  columns(changes: Partial<CqlOptions> = {}, sent = new Sent()): CqlColumns {
    const known: CqlOptions = {
      ...cqlDefaults,
      hosts: ["cluster"],
      keyspace: "test",
      username: undefined,
      password: undefined,
      readOnly: false,
      tls: undefined,
      ...changes
    }
    return new CqlColumns(countedClient(this.client(), sent), known)
  }

  /** Opens a store over this cluster, as another process would. `sent` counts what it sends. */
  async store(
    changes: Partial<CqlOptions> = {},
    sent = new Sent(),
    coordinating: Partial<CoordinationOptions> = {}
  ): Promise<CqlStore> {
    const columns = this.columns(changes, sent)
    const silent = {
      others: () => undefined,
      notice: () => undefined,
      reregistered: () => undefined,
      failed: () => undefined,
      unlogged: (log: string) => void this.unlogged.push(log)
    }
    const wanted = {
      partitionBits: 5,
      idBlockSize: 10_000,
      userVertexIds: false,
      textVertexIds: false,
      more: new Map(Object.entries(this.options))
    }
    const clock = { ...systemClock(), elapsed: () => this.elapsed, sleep: this.sleep }
    const options = { ...coordinationDefaults, ...coordinating }
    const writesLast = columns.requestTimeout
    const coordination = await openCoordination({ columns, wanted, options, events: silent, writesLast, clock })
    return new CqlStore(columns, new Set([...tables, ...coordinationTables]), coordination, options.worker?.writes)
  }
}
