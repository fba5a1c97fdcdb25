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
import { inWindow } from "./ConcurrentWork.ts"
import { consistencyOf, nodeTimeoutMs } from "./Connection.ts"
import { type CqlOptions, type GroupingOptions, nameOf, placeOf } from "./CqlOptions.ts"
import { DirectNodes } from "./direct/DirectNodes.ts"
import { DirectReads, pageStateOf, type ReadOptions, WITHOUT_PAGES } from "./direct/DirectReads.ts"
import { DirectWrites } from "./direct/DirectWrites.ts"
import { NotApplied, partlyApplied, readerEnded, requestFailure, writeFailure } from "./Failures.ts"
import { addTable } from "./Keyspace.ts"
import { Requests } from "./Requests.ts"
import { type RowBlock, RowCursor } from "./RowBlock.ts"
import type { SliceCacheOptions } from "./SliceCache.ts"
import { bufferOf, type Statement, Statements } from "./Statements.ts"
import { tokenOf } from "./Tokens.ts"

/** Cells of one response page: decoding them takes a millisecond or two. */
export const PAGE_CELLS = 1000
/** Approximate size of one batch. Cassandra accepts half of a commit log segment: 16 MB by default. */
const MAX_BATCH_BYTES = 1024 * 1024
/** Batches of one mutation that are in flight. */
const BATCHES_IN_FLIGHT = 64

interface Batch {
  readonly key: Buffer
  readonly statements: ReadonlyArray<Statement>
}

/** True when no caller waits for an answer: statements that were not sent are dropped. */
export type IsOver = () => boolean

const neverOver: IsOver = () => false

/** The columns of a keyspace, read and written with the driver. */
export class CqlColumns implements ColumnStore {
  readonly place: string
  readonly requests: Requests
  readonly #client: Client
  readonly #reads: DirectReads
  readonly #writes: DirectWrites
  readonly #options: CqlOptions
  readonly #statements: Statements
  readonly #consistencies: Readonly<Record<Consistency, types.consistencies>>

  constructor(client: Client, options: CqlOptions) {
    this.#client = client
    const nodes = new DirectNodes(client, nameOf(options.keyspace), options.requestTimeout)
    this.#reads = new DirectReads(client, nodes)
    this.#writes = new DirectWrites(client, nodes)
    this.#options = options
    this.place = placeOf(options)
    this.#statements = new Statements(options.keyspace)
    this.requests = new Requests(
      this.place,
      () => options.backPressureLimit * Math.max(1, this.#nodesUp()),
      options.requestTimeout
    )
    const system = options.localSystemOperations ? "LOCAL_QUORUM" : "QUORUM"
    this.#consistencies = {
      read: consistencyOf(options.readConsistency),
      write: consistencyOf(options.writeConsistency),
      system: consistencyOf(system),
      newest: consistencyOf(options.readConsistency === "ALL" ? "ALL" : system)
    }
  }

  #nodesUp(): number {
    let count = 0
    for (const host of this.#client.hosts.values()) if (host.isUp()) count++
    return count
  }

  #queryOptions(consistency: Consistency, key: Buffer | undefined) {
    return {
      prepare: true,
      consistency: this.#consistencies[consistency],
      isIdempotent: true,
      // A single node gets the whole timeout; several nodes share it.
      readTimeout: this.#client.hosts.length > 1 ? nodeTimeoutMs(this.#options) : this.#options.requestTimeout,
      ...(key === undefined ? {} : { routingKey: key })
    }
  }

  #read(statement: Statement, options: ReadOptions, isOver: IsOver): Promise<RowBlock> {
    return this.requests.start("read", (answered, failed) => {
      if (isOver()) failed(readerEnded(this.place))
      else this.#reads.read(statement, options, answered, (cause) => failed(requestFailure(this.place, "read", cause)))
    })
  }

  /** Reads one page of a slice. */
  page(query: ColumnSlice, consistency: Consistency, next?: Buffer, isOver: IsOver = neverOver): Promise<RowBlock> {
    const options = {
      ...this.#queryOptions(consistency, bufferOf(query.key)),
      hasKey: false,
      fetchSize: PAGE_CELLS,
      ...(next === undefined ? {} : { pageState: next })
    }
    return this.#read(this.#statements.slice(query, false), options, isOver)
  }

  /**
   * Reads the slices of several rows, at most `cells` cells of each, with keys. The rows should have the same replicas. It asks for
   * no pages, but some services of Cassandra's protocol always answer with pages.
   */
  async slices(
    query: ColumnSlice,
    keys: ReadonlyArray<Buffer>,
    cells: number,
    consistency: Consistency,
    isOver: IsOver = neverOver
  ): Promise<ReadonlyArray<RowBlock>> {
    const statement = this.#statements.slices(query, keys, cells)
    const options = { ...this.#queryOptions(consistency, keys[0]), hasKey: true, fetchSize: WITHOUT_PAGES }
    let page = await this.#read(statement, options, isOver)
    const blocks = [page]
    while (page.next !== undefined) {
      page = await this.#read(statement, { ...options, pageState: page.next }, isOver)
      blocks.push(page)
    }
    return blocks
  }

  /** Names the nodes that have a row. With one node the name is empty. */
  readonly replicasOf = (key: Buffer): string => {
    if (this.#client.hosts.length <= 1) return ""
    const hosts: ReadonlyArray<{ readonly address: string }> | null = this.#client.getReplicas(
      nameOf(this.#options.keyspace),
      key
    )
    return (hosts ?? []).map(({ address }) => address).join(" ")
  }

  /** How slices are cached. */
  get cache(): SliceCacheOptions {
    return this.#options.cache
  }

  /** How slices of several rows are grouped. */
  get grouping(): GroupingOptions {
    return this.#options.grouping
  }

  /** Reads one page of a scan in token order: at most `cells` cells of each row. A page may end within a row. */
  scanPage(
    table: Table,
    cells: number,
    range: ScanRange,
    next?: Buffer,
    isOver: IsOver = neverOver
  ): Promise<RowBlock> {
    const options = {
      ...this.#queryOptions("read", undefined),
      hasKey: true,
      isLong: true,
      fetchSize: PAGE_CELLS,
      // A scan takes replicas longer than a read of one row.
      readTimeout: this.#options.requestTimeout,
      ...(next === undefined ? {} : { pageState: next })
    }
    return this.#read(this.#statements.scan(table, cells, range), options, isOver)
  }

  /** The token of a row; undefined where ranges of tokens are not known (`tokenOf`). */
  tokenOf(key: Uint8Array): bigint | undefined {
    return tokenOf(this.#client, bufferOf(key))
  }

  async slice(query: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<Column>> {
    const columns: Array<Column> = []
    let next: Buffer | undefined
    do {
      const page: RowBlock = await this.page(query, consistency, next)
      const cursor = new RowCursor(page, false)
      while (cursor.next()) columns.push(cursor.cell())
      next = page.next
    } while (next !== undefined)
    return columns
  }

  async timedSlice(query: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<TimedColumn>> {
    const { parameters, text } = this.#statements.slice(query, true)
    const options = { ...this.#queryOptions(consistency, bufferOf(query.key)), fetchSize: PAGE_CELLS }
    const columns: Array<TimedColumn> = []
    let next: Buffer | undefined
    do {
      const page = { ...options, ...(next === undefined ? {} : { pageState: next }) }
      const read = () => this.#client.execute(text, [...parameters], page)
      const result = await this.requests.run("read", read).catch((cause: unknown) => {
        throw requestFailure(this.place, "read", cause)
      })
      for (const { column1, value, written } of result.rows) {
        columns.push({ column: Buffer.from(column1), value: Buffer.from(value), written: written as bigint })
      }
      next = pageStateOf(result)
    } while (next !== undefined)
    return columns
  }

  async mutate(mutations: Iterable<ColumnMutation>, timestamp: bigint, consistency: Consistency): Promise<void> {
    let perhapsApplied: { readonly error: unknown } | undefined
    let applied = 0
    try {
      await inWindow(this.#batches(mutations, timestamp), BATCHES_IN_FLIGHT, async (batch) => {
        try {
          await this.#write(batch, consistency)
          applied++
        } catch (error) {
          if (!(error instanceof NotApplied)) perhapsApplied ??= { error }
          throw error
        }
      })
    } catch (error) {
      if (perhapsApplied !== undefined) throw perhapsApplied.error
      throw applied > 0 ? partlyApplied(error) : error
    }
  }

  *#batches(mutations: Iterable<ColumnMutation>, time: bigint): Generator<Batch, void> {
    for (const mutation of mutations) yield* this.#batchesOf(mutation, time)
  }

  /** Splits the changes of a row into batches. Removals come first, as their time stamps do. */
  *#batchesOf(mutation: ColumnMutation, time: bigint): Generator<Batch, void> {
    const key = bufferOf(mutation.key)
    let statements: Array<Statement> = []
    let bytes = 0
    for (const statement of this.#statementsOf(mutation, key, time)) {
      const size = sizeOf(statement)
      if (statements.length >= this.#options.batchSize || (bytes > 0 && bytes + size > MAX_BATCH_BYTES)) {
        yield { key, statements }
        statements = []
        bytes = 0
      }
      statements.push(statement)
      bytes += size
    }
    if (statements.length > 0) yield { key, statements }
  }

  *#statementsOf(mutation: ColumnMutation, key: Buffer, time: bigint): Generator<Statement, void> {
    const { additions, deletions, removedRanges, table, wholeRow } = mutation
    const removed = time & ~1n
    const added = time | 1n
    if (wholeRow) yield this.#statements.removeRow(table, key, removed)
    for (const [start, end] of removedRanges ?? []) yield this.#statements.removeRange(table, key, start, end, removed)
    for (const column of deletions) yield this.#statements.remove(table, key, column, removed)
    for (const addition of additions) yield this.#statements.add(table, key, addition, added)
  }

  #write({ key, statements }: Batch, consistency: Consistency): Promise<void> {
    const options = {
      ...this.#queryOptions(consistency, key),
      routingKey: key,
      logged: statements.length > 1 && this.#options.loggedBatches
    }
    return this.requests.start<void>("written", (answered, failed) =>
      this.#writes.write(statements, options, answered, (cause, wasSent) =>
        failed(writeFailure(this.place, cause, wasSent))
      )
    )
  }

  createTable(table: UserLogTable): Promise<void> {
    return addTable(this.#client, this.#options, table)
  }

  async close(): Promise<void> {
    await this.#client.shutdown().catch(() => undefined)
  }
}

const sizeOf = ({ parameters }: Statement): number => {
  let bytes = 0
  for (const parameter of parameters) if (Buffer.isBuffer(parameter)) bytes += parameter.length
  return bytes
}
