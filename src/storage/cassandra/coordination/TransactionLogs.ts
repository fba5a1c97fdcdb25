import { resultInSlices } from "../../../scheduling/Task.ts"
import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { LoggedRelations } from "../../janusgraph/cells/RelationLog.ts"
import { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import type { ColumnStore, UserLogTable } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"
import type { KeyspaceSettings } from "./GlobalConfiguration.ts"
import { type LoggedHeader, type statuses, writeRelations, writeStatus, writeUserLogFailure } from "./LogMessages.ts"
import { MessageLog } from "./MessageLog.ts"

type LogOptions = Pick<KeyspaceSettings, "logsTransactions" | "transactionLog" | "userLog"> & {
  readonly instance: string
}

/**
 * The maximum number of logs of users that a process writes for a graph. Each is a table, all nodes of the cluster keep each table in
 * memory, and everybody who may write can name a new one.
 */
export const MAX_USER_LOGS = 50

const MEBIBYTE = 1024 * 1024

/**
 * The maximum size of the relations of a message. A message is one cell, and Cassandra takes writes of up to half a segment of its
 * commit log: 16 MiB by default, with the key, the column and the header of the message.
 */
const MAX_RELATIONS_BYTES = 15 * MEBIBYTE

/** The table of a log of the user. JanusGraph does not quote names of tables, so the case of a name is lost. */
const userTable = (name: string): UserLogTable => `ulog_${name.toLowerCase()}`

/** A transaction in the logs. */
export interface LoggedTransaction {
  /** Writes its relations to the write-ahead log, before the graph has them. Fails with StorageFailure. */
  begin(): Promise<void>
  /** The graph has the transaction: writes it to the log of the user, and its state to the write-ahead log. Never fails. */
  committed(): Promise<void>
}

/**
 * JanusGraph's logs of transactions: the write-ahead log of all transactions (`tx.log-tx`), from which JanusGraph's transaction
 * recovery repairs indexes in search engines and logs of users, and the logs of users, which programs process.
 */
export class TransactionLogs {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #options: LogOptions
  readonly #failed: (log: string, error: unknown) => void
  readonly #all: MessageLog
  /** The tables that transactions of this process name. */
  readonly #named = new Set<UserLogTable>()
  /** The logs whose tables exist or are being created. */
  readonly #ofUsers = new Map<UserLogTable, Promise<MessageLog>>()
  /** Pending while a table is created. It does not fail. */
  #creation: Promise<void> = Promise.resolve()
  #transactions = 0

  /** `failed` receives failures after a transaction has committed, with the table of the log. */
  constructor(columns: ColumnStore, clock: Clock, options: LogOptions, failed: (log: string, error: unknown) => void) {
    this.#columns = columns
    this.#clock = clock
    this.#options = options
    this.#failed = failed
    const { instance, transactionLog } = options
    this.#all = new MessageLog(columns, clock, { ...transactionLog, instance, table: "txlog" }, "write")
  }

  /** True if the write-ahead log has all transactions. */
  get hasAll(): boolean {
    return this.#options.logsTransactions
  }

  /**
   * A transaction that begins to commit. Fails with UnsupportedValue if its relations are too many for a message, or if its log
   * would be one too many.
   */
  async begin(relations: LoggedRelations): Promise<LoggedTransaction> {
    const { documents, userLog } = relations
    if (userLog !== undefined) this.#name(userLog)
    // The write-ahead log and the log of the user have the same content.
    const content = this.hasAll || userLog !== undefined ? await this.#content(relations) : Buffer.alloc(0)
    const header = { id: ++this.#transactions, time: this.#clock.now() }
    return {
      begin: () => this.#begin(header, content, userLog),
      committed: async () => {
        const isComplete = documents === undefined && userLog === undefined
        await this.#note(header, isComplete ? "completeSuccess" : "primarySuccess")
        const isWritten = userLog === undefined || (await this.#writeUserLog(userLog, header, content))
        if (isComplete) return
        const end = (): Promise<void> => this.#note(header, isWritten ? "secondarySuccess" : "secondaryFailure")
        if (documents === undefined) await end()
        else documents.whenWritten = () => void end()
      }
    }
  }

  /** The relations as messages have them. */
  async #content({ added, removed, userLog }: LoggedRelations): Promise<Uint8Array> {
    const writer = new ByteWriter()
    if (await resultInSlices(() => writeRelations(writer, added, removed, MAX_RELATIONS_BYTES))) return writer.copy()
    const logs = [
      ...(this.hasAll ? ["tx.log-tx=true"] : []),
      ...(userLog === undefined ? [] : [`logIdentifier('${userLog}')`])
    ]
    throw new UnsupportedValue(
      `The changes of the transaction have more than ${MAX_RELATIONS_BYTES / MEBIBYTE} MiB, which is more than a message of a log ` +
        `(${logs.join(" and ")}) in Cassandra can have. Nothing was written. Commit fewer elements at once.`
    )
  }

  async #begin(header: LoggedHeader, content: Uint8Array, userLog: string | undefined): Promise<void> {
    if (!this.hasAll) return
    const writer = new ByteWriter()
    writeStatus(writer, header, "begun", userLog)
    writer.raw(content)
    await this.#all.append(writer.copy(), header.id)
  }

  /** Writes a state of a committed transaction to the write-ahead log. */
  async #note(header: LoggedHeader, status: keyof typeof statuses): Promise<void> {
    if (!this.hasAll) return
    const writer = new ByteWriter()
    writeStatus(writer, header, status)
    if (status === "secondaryFailure") writeUserLogFailure(writer)
    await this.#all.append(writer.copy(), header.id).catch((error: unknown) => this.#failed("txlog", error))
  }

  /** Returns whether the log has the transaction. */
  async #writeUserLog(name: string, header: LoggedHeader, content: Uint8Array): Promise<boolean> {
    const writer = new ByteWriter()
    writeStatus(writer, header, "userLog")
    writer.raw(content)
    const table = userTable(name)
    try {
      const log = await this.#userLog(table)
      await log.append(writer.copy(), header.id)
      return true
    } catch (error) {
      this.#failed(table, error)
      return false
    }
  }

  #name(name: string): void {
    const table = userTable(name)
    if (this.#named.has(table)) return
    if (this.#named.size >= MAX_USER_LOGS) {
      throw new UnsupportedValue(
        `logIdentifier('${name}'): this server process has written to ${MAX_USER_LOGS} other logs of this graph since its start, and ` +
          "creates no more tables in the keyspace. Nothing was written. Name one of the logs that it has written to, or restart it."
      )
    }
    this.#named.add(table)
  }

  /** The log with a table, which is created once, however many transactions need it. */
  #userLog(table: UserLogTable): Promise<MessageLog> {
    let log = this.#ofUsers.get(table)
    if (log === undefined) {
      log = this.#create(table)
      this.#ofUsers.set(table, log)
      // The next transaction tries again.
      log.catch(() => this.#ofUsers.delete(table))
    }
    return log
  }

  /** Nodes of Cassandra that create tables at the same time can disagree about them, so tables are created one after another. */
  async #create(table: UserLogTable): Promise<MessageLog> {
    const created = this.#creation.then(() => this.#columns.createTable(table))
    this.#creation = created.catch(() => undefined)
    await created
    const { instance, userLog } = this.#options
    return new MessageLog(this.#columns, this.#clock, { ...userLog, instance, table }, "write")
  }
}
