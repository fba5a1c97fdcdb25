import { StorageFailure, TransactionConflict } from "../../../structure/StoreErrors.ts"
import { Duration } from "../../../structure/Temporal.ts"
import { readAny, writeAny } from "../../janusgraph/format/Attributes.ts"
import { ByteReader } from "../../janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import { javaEnum } from "../../janusgraph/format/EnumAttributes.ts"
import { JavaEnum } from "../../janusgraph/format/JavaValues.ts"
import type { CellGraphOptions } from "../../janusgraph/Options.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"
import type { Locks } from "./Locks.ts"

/** The row of `system_properties` that has the options that all instances share, and the instances. */
export const CONFIGURATION = Buffer.from("configuration")

/** Set once everything else is. */
const FROZEN = "hidden.frozen"
const STORAGE_VERSION = "2"
const ID_TABLE = "janusgraph_ids"
/** Milliseconds in which another process makes the configuration, and between two looks at it. */
const MAKING = 10_000
const LOOK = 200

/** A value of a type that only a user's own Java class can read. */
const UNREADABLE = Symbol("unreadable")

/** Options of a keyspace by their paths. */
export type GlobalOptions = ReadonlyMap<string, unknown>

/** Every option that is stored; empty when nothing is. */
export const readGlobalOptions = async (columns: ColumnStore): Promise<GlobalOptions> => {
  const found = await columns.slice({ table: "system_properties", key: CONFIGURATION }, "system")
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

/** What the options of a keyspace fix for all instances. Times are milliseconds. */
export interface KeyspaceSettings {
  readonly partitionBits: number
  readonly userVertexIds: boolean
  readonly textVertexIds: boolean
  readonly idBlockSize: number
  /** `ids.authority.wait-time` */
  readonly idWait: number
  /** Low bits of every count that tell claimants apart, also where nobody uses them. */
  readonly idTagBits: number
  /** Each block has another tag (`ids.authority.conflict-avoidance-mode=GLOBAL_AUTO`), or this instance's own. */
  readonly idTagMode: "random" | "own" | "none"
  /** `storage.lock.wait-time`, `storage.lock.retries`: instances may have their own instead. */
  readonly lockWait: number
  readonly lockRetries: number
  /** `storage.lock.expiry-time` */
  readonly lockExpiry: number
  /** `log.janusgraph.num-buckets` */
  readonly logBuckets: number
  /** `log.janusgraph.ttl`, seconds; undefined = none. */
  readonly logTimeToLive: number | undefined
  /** What a person should know who opens the keyspace. */
  readonly notices: ReadonlyArray<string>
}

/** Reads what matters out of the options. Throws StorageFailure for a keyspace that this server cannot serve. */
export const keyspaceSettings = (options: GlobalOptions, place: string): KeyspaceSettings => {
  const reader = new OptionReading(options, place)
  reader.only("graph.storage-version", STORAGE_VERSION, "1", "this server reads the version of JanusGraph 1.x")
  reader.only("graph.timestamps", "MICRO", "MICRO", "this server writes microseconds")
  reader.only("ids.store-name", ID_TABLE, ID_TABLE, "claims of ids are looked for in that table only")
  reader.only("storage.lock.backend", "consistentkey", "consistentkey", "this server knows no other way of locking")
  const partitions = reader.number("cluster.max-partitions", 32)
  const partitionBits = Math.log2(partitions)
  if (!Number.isInteger(partitionBits) || partitionBits < 1 || partitionBits > 16) {
    reader.refuse("cluster.max-partitions", partitions, "it must be a power of two from 2 to 65536")
  }
  const idTagBits = reader.number("ids.authority.conflict-avoidance-tag-bits", 4)
  if (idTagBits > 16) reader.refuse("ids.authority.conflict-avoidance-tag-bits", idTagBits, "16 are the most")
  const mode = reader.name("ids.authority.conflict-avoidance-mode", "NONE")
  return {
    partitionBits,
    userVertexIds: reader.flag("graph.set-vertex-id"),
    textVertexIds: reader.flag("graph.allow-custom-vid-types"),
    idBlockSize: reader.number("ids.block-size", 10_000),
    idWait: reader.milliseconds("ids.authority.wait-time", 300),
    idTagBits,
    idTagMode: mode === "GLOBAL_AUTO" ? "random" : mode === "NONE" ? "none" : "own",
    lockWait: reader.milliseconds("storage.lock.wait-time", 100),
    lockRetries: reader.number("storage.lock.retries", 3),
    lockExpiry: reader.milliseconds("storage.lock.expiry-time", 300_000),
    logBuckets: reader.number("log.janusgraph.num-buckets", 1),
    logTimeToLive: options.has("log.janusgraph.ttl") ? reader.milliseconds("log.janusgraph.ttl", 0) / 1000 : undefined,
    notices: notices(options, reader)
  }
}

const notices = (options: GlobalOptions, reader: OptionReading): ReadonlyArray<string> => {
  const found: Array<string> = []
  if (reader.flag("tx.log-tx")) {
    found.push("tx.log-tx=true: this server writes no transaction log; JanusGraph's recovery will not see its commits")
  }
  for (const name of options.keys()) {
    if (/^attributes\.custom\..*-class$/.test(name)) {
      found.push(
        `${name}: values of the user's own Java classes cannot be read here, and a request that meets one fails`
      )
    }
    if (/^index\.[^.]+\.(backend|hostname)$/.test(name)) {
      found.push(`${name}: this server neither asks nor updates indexes that lie in another system`)
    }
  }
  return found
}

/** Options with their types checked; every problem names the option and what to do. */
class OptionReading {
  readonly #options: GlobalOptions
  readonly #place: string

  constructor(options: GlobalOptions, place: string) {
    this.#options = options
    this.#place = place
  }

  refuse(name: string, value: unknown, why: string): never {
    throw new StorageFailure(
      `The graph in ${this.#place} cannot be opened: it was made with ${name}=${String(value)}; ${why}. ` +
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
      "that is no value of this option"
    )
  }

  /** Refuses any other value; `absent` is what no value means. */
  only(name: string, value: string, absent: string, why: string): void {
    const found = this.#options.has(name) ? this.name(name, absent) : absent
    if (found !== value) this.refuse(name, found, `only ${value} can be served: ${why}`)
  }

  flag(name: string): boolean {
    return this.#get(name, false, (value) => typeof value === "boolean")
  }

  /** A whole number, 0 or more. */
  number(name: string, otherwise: number): number {
    return this.#get(name, otherwise, isCount)
  }

  /** A text, or the name of a constant. */
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

/** What a new keyspace is made with. */
export type NewKeyspace = Pick<CellGraphOptions, "partitionBits" | "idBlockSize" | "userVertexIds" | "textVertexIds">

/**
 * The options of a keyspace; those of a new one are written, by one process only. Fails with StorageFailure where another
 * process began to make them and did not end; `wanted` undefined = none are made.
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
    if (wanted === undefined) {
      throw new StorageFailure(
        `There is no graph in ${columns.place} yet, and storage.read-only=true forbids to make one.`
      )
    }
    try {
      if (options.size === 0) await write(columns, clock, locks, wanted)
      else await clock.sleep(LOOK)
    } catch (error) {
      if (!(error instanceof TransactionConflict)) throw error
      // Another one is making them.
      await clock.sleep(LOOK)
    }
    if (clock.elapsed() - begun > MAKING) {
      throw new StorageFailure(
        `The options of the graph in ${columns.place} are there in part only: another instance began to make it and was ` +
          "interrupted. If there is nothing in the graph yet, drop the keyspace."
      )
    }
  }
}

/** JanusGraph's options are written where they are not its defaults, as it does. */
const optionsOf = ({ idBlockSize, partitionBits, textVertexIds, userVertexIds }: NewKeyspace): GlobalOptions =>
  new Map<string, unknown>([
    ["graph.janusgraph-version", "1.1.0"],
    ["graph.storage-version", STORAGE_VERSION],
    ["graph.timestamps", javaEnum("TimestampProviders", "MICRO")],
    [FROZEN, true],
    ...(partitionBits === 5 ? [] : [["cluster.max-partitions", 2 ** partitionBits] as const]),
    ...(idBlockSize === 10_000 ? [] : [["ids.block-size", idBlockSize] as const]),
    ...(userVertexIds ? [["graph.set-vertex-id", true] as const] : []),
    ...(textVertexIds ? [["graph.allow-custom-vid-types", true] as const] : [])
  ])

const write = async (columns: ColumnStore, clock: Clock, locks: Locks, wanted: NewKeyspace): Promise<void> => {
  const writer = new ByteWriter()
  const additions = [...optionsOf(wanted)].map(([name, value]) => {
    writeAny(writer.reset(), value)
    return { column: Buffer.from(name), value: writer.copy() }
  })
  const frozen = { table: "system_properties", key: CONFIGURATION, column: Buffer.from(FROZEN) } as const
  await locks.during([{ ...frozen, expected: undefined }], (beginWrite) => {
    beginWrite()
    const mutation = { table: "system_properties", key: CONFIGURATION, additions, deletions: [] } as const
    return columns.mutate([mutation], clock.now(), "system")
  })
}
