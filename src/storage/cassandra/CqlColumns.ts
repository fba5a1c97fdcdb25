import type { Client, types } from "cassandra-driver"
import type { Table } from "../janusgraph/cells/CellStore.ts"
import type {
  Column,
  ColumnMutation,
  ColumnSlice,
  ColumnStore,
  Consistency,
  ScanRange,
  TimedColumn,
  UserLogTable
} from "./ColumnStore.ts"
import { consistencyOf, isQuorum, nodeTimeoutMs } from "./Connection.ts"
import { type CqlOptions, locationOf, nameOf } from "./CqlOptions.ts"
import { CqlWrites } from "./CqlWrites.ts"
import { DirectNodes } from "./direct/DirectNodes.ts"
import { DirectReads, pageStateOf, type ReadOptions, WITHOUT_PAGES } from "./direct/DirectReads.ts"
import { DirectWrites } from "./direct/DirectWrites.ts"
import { driverOptions } from "./direct/DriverOptions.ts"
import { type RequestLimit, readerEnded, requestFailure } from "./Failures.ts"
import { GroupLimits } from "./GroupLimits.ts"
import { addTable } from "./Keyspace.ts"
import type { LocalNodes } from "./LocalNodes.ts"
import type { NextPage } from "./RangeScan.ts"
import { type IsOver, neverOver, promiseOf, type Reader } from "./Reader.ts"
import { ReplicaSets } from "./ReplicaSets.ts"
import { Requests } from "./Requests.ts"
import { type RowBlock, RowCursor } from "./RowBlock.ts"
import type { SliceCacheOptions } from "./SliceCache.ts"
import { bufferOf, type Statement, Statements } from "./Statements.ts"
import { tokenOf } from "./Tokens.ts"
import type { Warned } from "./Warnings.ts"

/** Cells of one response page: decoding them takes a millisecond or two. */
export const PAGE_CELLS = 1000

/** Slices of the same columns of several rows that one statement reads. */
interface RowSlices {
  /** One of the slices. */
  readonly query: ColumnSlice
  readonly keys: ReadonlyArray<Buffer>
  /** Cells of each row at most. */
  readonly cells: number
}

/** The columns of a keyspace, read and written with the driver. */
export class CqlColumns implements ColumnStore {
  readonly location: string
  readonly requests: Requests
  /** The nodes that have a row. */
  readonly replicas: ReplicaSets
  /** How slices of several rows are grouped. */
  readonly grouping: GroupLimits
  readonly #client: Client
  readonly #nodes: LocalNodes
  readonly #reads: DirectReads
  readonly #writes: CqlWrites
  readonly #options: CqlOptions
  readonly #statements: Statements
  readonly #consistencies: Readonly<Record<Consistency, types.consistencies>>

  constructor(client: Client, options: CqlOptions, warned?: Warned) {
    this.#client = client
    const keyspace = nameOf(options.keyspace)
    this.grouping = new GroupLimits(options.grouping)
    this.replicas = new ReplicaSets(client, keyspace)
    const nodes = new DirectNodes(client, keyspace, options.requestTimeout, warned)
    this.#nodes = nodes.local
    this.#reads = new DirectReads(client, nodes, options.requestTimeout)
    this.#options = options
    this.location = locationOf(options)
    this.#statements = new Statements(options.keyspace)
    const { backPressureLimit: perNode, requestTimeout } = options
    const limit = (): RequestLimit => {
      const nodesUp = Math.max(1, nodes.local.up)
      const workers = Math.max(1, options.workers?.() ?? 1)
      return { count: Math.max(1, Math.floor((perNode * nodesUp) / workers)), perNode, nodes: nodesUp, workers }
    }
    this.requests = new Requests(this.location, limit, requestTimeout)
    const system = options.localSystemOperations ? "LOCAL_QUORUM" : "QUORUM"
    const { readConsistency, writeConsistency } = options
    this.#consistencies = {
      read: consistencyOf(readConsistency),
      write: consistencyOf(writeConsistency),
      system: consistencyOf(system),
      newest: consistencyOf(readConsistency === "ALL" ? "ALL" : system),
      schema: consistencyOf(isQuorum(writeConsistency) ? writeConsistency : system)
    }
    this.#writes = new CqlWrites({
      writes: new DirectWrites(client, nodes),
      requests: this.requests,
      statements: this.#statements,
      options,
      consistencies: this.#consistencies,
      location: this.location,
      nodeTimeout: () => this.#nodeTimeout
    })
  }

  /** The time that a node gets, ms: a single node has the whole timeout, several nodes share it. */
  get #nodeTimeout(): number {
    return this.#nodes.hasSeveral ? nodeTimeoutMs(this.#options) : this.#options.requestTimeout
  }

  #readOptions(
    consistency: Consistency,
    routingKey: Buffer,
    fetchSize: number,
    pageState: Buffer | undefined,
    hasKey: boolean
  ): ReadOptions {
    const readTimeout = this.#nodeTimeout
    return {
      consistency: this.#consistencies[consistency],
      fetchSize,
      pageState,
      routingKey,
      readTimeout,
      hasKey,
      isScan: false
    }
  }

  #read(statement: Statement, options: ReadOptions, reader: Reader<RowBlock>): void {
    const start = (answered: (rows: RowBlock) => void, failed: (cause: unknown) => void): void => {
      if (reader.isOver()) failed(readerEnded(this.location))
      else
        this.#reads.read(statement, options, answered, (cause) => failed(requestFailure(this.location, "read", cause)))
    }
    this.requests.call("read", start, reader)
  }

  /** Reads one page of a slice. */
  page(query: ColumnSlice, consistency: Consistency, next: Buffer | undefined, reader: Reader<RowBlock>): void {
    const options = this.#readOptions(consistency, bufferOf(query.key), PAGE_CELLS, next, false)
    this.#read(this.#statements.slice(query, false), options, reader)
  }

  /**
   * Reads the slices of several rows, with keys. The rows should have the same replicas. It asks for no pages, but some services of
   * Cassandra's protocol always answer with pages.
   */
  slices(
    { cells, keys, query }: RowSlices,
    consistency: Consistency,
    next: Buffer | undefined,
    reader: Reader<RowBlock>
  ): void {
    const options = this.#readOptions(consistency, keys[0]!, WITHOUT_PAGES, next, true)
    this.#read(this.#statements.slices(query, keys, cells), options, reader)
  }

  /** `storage.cql.request-timeout`, ms. */
  get requestTimeout(): number {
    return this.#options.requestTimeout
  }

  /** How slices are cached. */
  get cache(): SliceCacheOptions {
    return this.#options.cache
  }

  /**
   * Reads one page of a scan in token order: at most `cells` cells of each row. A page may end within a row. It goes to a node that has the
   * row before it: mostly this node has the rows of the page, too.
   */
  scanPage(
    table: Table,
    cells: number,
    range: ScanRange,
    next?: NextPage,
    isOver: IsOver = neverOver
  ): Promise<RowBlock> {
    const near = next?.after ?? (range !== "all" && "after" in range ? range.after : undefined)
    const options = {
      consistency: this.#consistencies.read,
      fetchSize: PAGE_CELLS,
      pageState: next?.state,
      routingKey: near && bufferOf(near),
      // A scan takes replicas longer than a read of one row.
      readTimeout: this.#options.requestTimeout,
      hasKey: true,
      isScan: true
    }
    return promiseOf((reader) => this.#read(this.#statements.scan(table, cells, range), options, reader), isOver)
  }

  /** The token of a row; undefined where ranges of tokens are not known (`tokenOf`). */
  tokenOf(key: Uint8Array): bigint | undefined {
    return tokenOf(this.#client, bufferOf(key))
  }

  async slice(given: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<Column>> {
    const query = withAllFields(given)
    const columns: Array<Column> = []
    let next: Buffer | undefined
    do {
      const page: RowBlock = await promiseOf((reader) => this.page(query, consistency, next, reader), neverOver)
      const cursor = new RowCursor(page, false)
      while (cursor.next()) columns.push(cursor.cell())
      next = page.next
    } while (next !== undefined)
    return columns
  }

  async timedSlice(query: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<TimedColumn>> {
    const { cql, parameters } = this.#statements.slice(withAllFields(query), true)
    const options = driverOptions({
      consistency: this.#consistencies[consistency],
      routingKey: bufferOf(query.key),
      readTimeout: this.#nodeTimeout
    })
    const columns: Array<TimedColumn> = []
    let next: Buffer | undefined
    do {
      const page = { ...options, fetchSize: PAGE_CELLS, ...(next === undefined ? {} : { pageState: next }) }
      const read = () => this.#client.execute(cql.text, [...parameters], page)
      const result = await this.requests.run("read", read).catch((cause: unknown) => {
        throw requestFailure(this.location, "read", cause)
      })
      for (const { column1, value, written } of result.rows) {
        columns.push({ column: Buffer.from(column1), value: Buffer.from(value), written: written as bigint })
      }
      next = pageStateOf(result)
    } while (next !== undefined)
    return columns
  }

  /** Seconds until a cell expires; 0 if it does not expire, undefined if it is not found. */
  async secondsLeft(table: Table, key: Uint8Array, column: Uint8Array): Promise<number | undefined> {
    const { cql, parameters } = this.#statements.timeToLive(table, key, column)
    const options = driverOptions({
      consistency: this.#consistencies.read,
      routingKey: bufferOf(key),
      readTimeout: this.#nodeTimeout
    })
    const read = () => this.#client.execute(cql.text, [...parameters], options)
    const { rows } = await this.requests.run("read", read).catch((cause: unknown) => {
      throw requestFailure(this.location, "read", cause)
    })
    const row = rows[0] as { readonly seconds: number | null } | undefined
    // A TTL of 0 would be none.
    return row && (row.seconds === null ? 0 : Math.max(1, row.seconds))
  }

  isAtomic(mutation: ColumnMutation): boolean {
    return this.#writes.isAtomic(mutation)
  }

  mutate(mutations: Iterable<ColumnMutation>, timestamp: bigint, consistency: Consistency): Promise<void> {
    return this.#writes.mutate(mutations, timestamp, consistency)
  }

  createTable(table: UserLogTable): Promise<void> {
    return addTable(this.#client, this.#options, table)
  }

  async close(): Promise<void> {
    await this.#client.shutdown().catch(() => undefined)
  }
}

/** See sliceOf of the graph's cells: the code that reads slices meets those of the coordination, too. */
const withAllFields = ({ end, key, limit, reverse, start, table }: ColumnSlice): ColumnSlice => ({
  table,
  key,
  start,
  end,
  limit,
  reverse
})
