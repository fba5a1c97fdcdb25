import { isDeepStrictEqual } from "node:util"
import { StorageFailure, TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import { Duration } from "../../../structure/times/Temporal.ts"
import { readAny, writeAny } from "../../janusgraph/format/Attributes.ts"
import { ByteReader } from "../../janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import { javaEnum } from "../../janusgraph/format/EnumAttributes.ts"
import { JavaEnum } from "../../janusgraph/format/JavaValues.ts"
import type { CellGraphOptions } from "../../janusgraph/Options.ts"
import type { ColumnMutation, ColumnStore } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"
import type { Locks } from "./Locks.ts"

/** The row of `system_properties` with the options that all instances share, and the registrations of instances. */
export const CONFIGURATION_ROW = Buffer.from("configuration")

/** The option that is written with the others or after them, and marks a complete configuration. */
const FROZEN = "hidden.frozen"
const STORAGE_VERSION = "2"
const ID_TABLE = "janusgraph_ids"
/** Another process has this time to complete the configuration that it creates. Then this process completes it, in the same time. */
const CREATION_TIMEOUT_MS = 10_000
/** Time between two reads of a configuration that another process creates. */
const POLL_INTERVAL_MS = 200
/** JanusGraph's defaults of options that only keyspaces with other values have. */
const defaults = { partitionBits: 5, idBlockSize: 10_000 } as const

/** A value whose type only a Java class of the user can decode. */
const UNREADABLE = Symbol("unreadable")

/** The stored options of a keyspace, by path. */
export type GlobalOptions = ReadonlyMap<string, unknown>

/** Reads every stored option; empty for a new keyspace. */
export const readGlobalOptions = async (columns: ColumnStore): Promise<GlobalOptions> => {
  const found = await columns.slice({ table: "system_properties", key: CONFIGURATION_ROW }, "system")
  const options = new Map<string, unknown>()
  for (const { column, value } of found) {
    const name = Buffer.from(column).toString("utf8")
    try {
      options.set(name, readAny(new ByteReader(value)))
    } catch {
      options.set(name, UNREADABLE)
    }
  }
  return options
}

/** The options of one of JanusGraph's logs. */
export interface LogSettings {
  /** `log.*.num-buckets`: rows that the messages of a partition and a time slice are spread over. */
  readonly buckets: number
  /** The number of bits of the partition in the key of a row (`log.*.max-partitions`, `log.*.fixed-partition`). */
  readonly partitionBits: number
  /** `log.*.ttl`, seconds; undefined when messages do not expire. */
  readonly timeToLive: number | undefined
}

/** The options of a keyspace that apply to all instances. Times are milliseconds. */
export interface KeyspaceSettings {
  readonly partitionBits: number
  readonly userVertexIds: boolean
  readonly textVertexIds: boolean
  readonly idBlockSize: number
  /** `ids.authority.wait-time` */
  readonly idWait: number
  /** Low bits of every id count that are reserved for tags, even when tags are not used. */
  readonly idTagBits: number
  /**
   * `random`: each block has a random tag (`ids.authority.conflict-avoidance-mode=GLOBAL_AUTO`). `own`: each instance has
   * one tag.
   */
  readonly idTagMode: "random" | "own" | "none"
  /** `storage.lock.wait-time`, `storage.lock.retries`: an instance may override them. */
  readonly lockWait: number
  readonly lockRetries: number
  /** `storage.lock.expiry-time` */
  readonly lockExpiry: number
  /** `log.janusgraph.num-buckets` */
  readonly logBuckets: number
  /** `log.janusgraph.ttl`, seconds; undefined when messages do not expire. */
  readonly logTimeToLive: number | undefined
  /** `tx.log-tx`: every commit is written to the write-ahead log. */
  readonly logsTransactions: boolean
  /** The write-ahead log of transactions, and the logs of users. */
  readonly transactionLog: LogSettings
  readonly userLog: LogSettings
  /** Notes for the log about options that this server does not support completely. */
  readonly notices: ReadonlyArray<string>
}

/** Decodes the options. Throws StorageFailure for a keyspace that this server cannot serve. */
export const keyspaceSettings = (options: GlobalOptions, location: string): KeyspaceSettings => {
  const reader = new StoredOptions(options, location)
  reader.only("graph.storage-version", STORAGE_VERSION, "1", "this server reads the format of JanusGraph 1.x")
  reader.only("graph.timestamps", "MICRO", "MICRO", "this server writes microseconds")
  reader.only("ids.store-name", ID_TABLE, ID_TABLE, "this server reads claims of ids from that table only")
  reader.only("storage.lock.backend", "consistentkey", "consistentkey", "this server supports no other lock backend")
  const partitions = reader.number("cluster.max-partitions", 2 ** defaults.partitionBits)
  const partitionBits = Math.log2(partitions)
  if (!Number.isInteger(partitionBits) || partitionBits < 1 || partitionBits > 16) {
    reader.refuse("cluster.max-partitions", partitions, "it must be a power of two from 2 to 65536")
  }
  const idTagBits = reader.number("ids.authority.conflict-avoidance-tag-bits", 4)
  if (idTagBits > 16) reader.refuse("ids.authority.conflict-avoidance-tag-bits", idTagBits, "the maximum is 16")
  const mode = reader.name("ids.authority.conflict-avoidance-mode", "NONE")
  return {
    partitionBits,
    userVertexIds: reader.flag("graph.set-vertex-id"),
    textVertexIds: reader.flag("graph.allow-custom-vid-types"),
    idBlockSize: reader.number("ids.block-size", defaults.idBlockSize),
    idWait: reader.milliseconds("ids.authority.wait-time", 300),
    idTagBits,
    idTagMode: mode === "GLOBAL_AUTO" ? "random" : mode === "NONE" ? "none" : "own",
    lockWait: reader.milliseconds("storage.lock.wait-time", 100),
    lockRetries: reader.number("storage.lock.retries", 3),
    lockExpiry: reader.milliseconds("storage.lock.expiry-time", 300_000),
    logBuckets: reader.number("log.janusgraph.num-buckets", 1),
    logTimeToLive: options.has("log.janusgraph.ttl") ? reader.milliseconds("log.janusgraph.ttl", 0) / 1000 : undefined,
    logsTransactions: reader.flag("tx.log-tx"),
    transactionLog: logSettings(reader, "tx", partitions, TRANSACTION_LOG_TTL_SECONDS),
    userLog: logSettings(reader, "user", partitions, undefined),
    notices: notices(options)
  }
}

/** As in JanusGraph, a log has a partition for so many partitions of the graph. */
const PARTITIONS_PER_LOG_PARTITION = 8
/** JanusGraph's default for the write-ahead log: seven days. */
const TRANSACTION_LOG_TTL_SECONDS = 604_800

const logSettings = (
  reader: StoredOptions,
  log: string,
  partitions: number,
  timeToLive: number | undefined
): LogSettings => {
  const otherwise = Math.max(1, partitions / PARTITIONS_PER_LOG_PARTITION)
  const most = reader.flag(`log.${log}.fixed-partition`) ? 1 : reader.number(`log.${log}.max-partitions`, otherwise)
  const ttl = reader.milliseconds(`log.${log}.ttl`, 0)
  return {
    buckets: reader.number(`log.${log}.num-buckets`, 1),
    partitionBits: Math.log2(most),
    timeToLive: ttl === 0 ? timeToLive : Math.ceil(ttl / 1000)
  }
}

const notices = (options: GlobalOptions): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const name of options.keys()) {
    if (/^attributes\.custom\..*-class$/.test(name)) {
      found.push(
        `${name}: this server cannot decode values of Java classes of the user; a request that reads one fails`
      )
    }
  }
  return found
}

/** Reads options and checks their types. Every error names the option and what to do. */
class StoredOptions {
  readonly #options: GlobalOptions
  readonly #location: string

  constructor(options: GlobalOptions, location: string) {
    this.#options = options
    this.#location = location
  }

  refuse(name: string, value: unknown, why: string): never {
    throw new StorageFailure(
      `The graph in ${this.#location} cannot be opened: it was created with ${name}=${String(value)}; ${why}. ` +
        "Open it with JanusGraph, or copy it into a graph of this server (GraphSON, GraphML)."
    )
  }

  #get<A>(name: string, otherwise: A, is: (value: unknown) => value is A): A {
    const value = this.#options.get(name)
    if (value === undefined) return otherwise
    if (is(value)) return value
    return this.refuse(
      name,
      value === UNREADABLE ? "a value of an unknown type" : value,
      "that is not a value of this option"
    )
  }

  /** Throws unless the option has this value. `absent` is the value of a missing option. */
  only(name: string, value: string, absent: string, why: string): void {
    const found = this.#options.has(name) ? this.name(name, absent) : absent
    if (found !== value) this.refuse(name, found, `only ${value} can be served: ${why}`)
  }

  flag(name: string): boolean {
    return this.#get(name, false, (value) => typeof value === "boolean")
  }

  /** A whole number of 0 or more. */
  number(name: string, otherwise: number): number {
    return this.#get(name, otherwise, isCount)
  }

  /** A string, or the name of an enum constant. */
  name(name: string, otherwise: string): string {
    const value = this.#options.get(name)
    if (value instanceof JavaEnum) return value.name
    return this.#get(name, otherwise, (value) => typeof value === "string")
  }

  milliseconds(name: string, otherwise: number): number {
    const value = this.#options.get(name)
    if (value instanceof Duration) return Number(value.seconds) * 1000 + value.nanos / 1_000_000
    return this.number(name, otherwise)
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** The options of a new keyspace. */
export type NewKeyspace = Pick<
  CellGraphOptions,
  "partitionBits" | "idBlockSize" | "userVertexIds" | "textVertexIds"
> & {
  /** More options to store. Their values have the types that JanusGraph expects. */
  readonly more?: GlobalOptions
}

/**
 * Reads the options of a keyspace. One process writes those of a new keyspace; `wanted` undefined means that none are written. If another
 * process has begun to write them and does not complete them, this one does. Fails with StorageFailure if that one holds their lock, or
 * has written other options than this one would.
 */
export const openGlobalOptions = async (
  columns: ColumnStore,
  clock: Clock,
  locks: Locks,
  wanted: NewKeyspace | undefined
): Promise<GlobalOptions> => {
  const begun = clock.elapsed()
  for (;;) {
    const options = await readGlobalOptions(columns)
    if (options.get(FROZEN) === true) return options
    if (wanted === undefined)
      throw new StorageFailure(`There is no graph in ${columns.location} yet, and storage.read-only=true forbids one.`)
    try {
      // JanusGraph writes its options one after another without this lock, so it gets time first. Without the mark there is no data.
      const isLeft = clock.elapsed() - begun > CREATION_TIMEOUT_MS && isPart(options, optionsOf(wanted))
      if (options.size === 0 || isLeft) await write(columns, clock, locks, wanted)
      else await clock.sleep(POLL_INTERVAL_MS)
    } catch (error) {
      if (!(error instanceof TransactionConflict)) throw error
      await clock.sleep(POLL_INTERVAL_MS)
    }
    if (clock.elapsed() - begun > 2 * CREATION_TIMEOUT_MS) {
      throw new StorageFailure(
        `The options of the graph in ${columns.location} are incomplete: another instance began to create it, and has other options or ` +
          `holds the lock of ${FROZEN}. Start that instance again, or this one after storage.lock.expiry-time. Or drop the empty keyspace.`
      )
    }
  }
}

const isPart = (options: GlobalOptions, all: GlobalOptions): boolean =>
  [...options].every(([name, value]) => isDeepStrictEqual(value, all.get(name)))

/** All options except {@link FROZEN}. As in JanusGraph, only those that differ from the default are written. */
const optionsOf = ({ idBlockSize, more, partitionBits, textVertexIds, userVertexIds }: NewKeyspace): GlobalOptions =>
  new Map<string, unknown>([
    ["graph.janusgraph-version", "1.1.0"],
    ["graph.storage-version", STORAGE_VERSION],
    ["graph.timestamps", javaEnum("TimestampProviders", "MICRO")],
    ...(partitionBits === defaults.partitionBits ? [] : [["cluster.max-partitions", 2 ** partitionBits] as const]),
    ...(idBlockSize === defaults.idBlockSize ? [] : [["ids.block-size", idBlockSize] as const]),
    ...(more ?? []),
    ...(userVertexIds ? [["graph.set-vertex-id", true] as const] : []),
    ...(textVertexIds ? [["graph.allow-custom-vid-types", true] as const] : [])
  ])

const write = async (columns: ColumnStore, clock: Clock, locks: Locks, wanted: NewKeyspace): Promise<void> => {
  // Options that nothing can serve would make the keyspace useless for ever.
  const options = optionsOf(wanted)
  keyspaceSettings(options, columns.location)
  const writer = new ByteWriter()
  const additionOf = ([name, value]: readonly [string, unknown]) => {
    writeAny(writer.reset(), value)
    return { column: Buffer.from(name), value: writer.copy() }
  }
  const frozen = { table: "system_properties", key: CONFIGURATION_ROW, column: Buffer.from(FROZEN) } as const
  const mutationOf = (options: Iterable<readonly [string, unknown]>): ColumnMutation => {
    const additions = [...options].map(additionOf)
    return { table: "system_properties", key: CONFIGURATION_ROW, additions, deletions: [] }
  }
  const all = mutationOf([...options, [FROZEN, true]])
  // The mark of complete options is the last one: several batches are not atomic, and any of them may fail.
  const parts = columns.isAtomic(all) ? [all] : [mutationOf(options), mutationOf([[FROZEN, true]])]
  await locks.during([{ ...frozen, expected: undefined }], async (beginWrite) => {
    beginWrite()
    for (const part of parts) await columns.mutate([part], clock.now(), "system")
  })
}
