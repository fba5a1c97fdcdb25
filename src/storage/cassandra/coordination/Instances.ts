import { randomBytes } from "node:crypto"
import { hostname, networkInterfaces } from "node:os"
import { StorageFailure, StorageUnavailable } from "../../../structure/errors/StoreErrors.ts"
import { instantOf } from "../../../structure/times/Instants.ts"
import { Temporal } from "../../../structure/times/Temporal.ts"
import { readAny, writeAny } from "../../janusgraph/format/Attributes.ts"
import { ByteReader } from "../../janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"
import { CONFIGURATION_ROW } from "./GlobalConfiguration.ts"

/** A process that has the graph open, or that crashed. */
export interface Instance {
  readonly name: string
  /** When it opened the graph, ISO 8601; undefined when the stored time cannot be read. */
  readonly started: string | undefined
}

/** What a process knows of the other workers of its server. A process without workers knows none. */
interface Siblings {
  /** True for the name of a worker of the same server. */
  readonly has: (name: string) => boolean
  /** True if an instance with the name is known to have ended. */
  readonly hasEnded: (name: string) => boolean
}

const alone: Siblings = { has: () => false, hasEnded: () => false }

const PREFIX = "system-registration."
const SUFFIX = ".startup-time"
/** Characters that JanusGraph does not allow in the name of an instance. */
const ILLEGAL_CHARACTERS = /[.\s#@<>?/;"':+()*^`~$%|\\{}[\]]/g

/** TTL of a registration: a crashed process disappears after it. */
const TTL_SECONDS = 120
/** Time between two renewals. */
const RENEWAL_SECONDS = TTL_SECONDS / 4

/** Time in which instances that were alone complete writes that they started without locks. */
export const SETTLE_DELAY_MS = 1000

/** Times that a missing registration is written while instances are listed. */
const MAX_REGISTRATIONS = 5

/** The IP address of this machine as JanusGraph writes it in names: eight hexadecimal digits. */
export const addressName = (): string => {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const address = addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1"
  return Buffer.from(address.split(".").map(Number)).toString("hex")
}

/** A unique name for this process: IP address, PID, host name and a random part. */
export const instanceName = (): string =>
  legalName(`${addressName()}${process.pid}-${hostname()}-${randomBytes(4).toString("hex")}`)

/** The name with characters that JanusGraph does not allow replaced by hyphens. */
export const legalName = (name: string): string => name.replaceAll(ILLEGAL_CHARACTERS, "-")

const columnOf = (name: string): Buffer => Buffer.from(`${PREFIX}${name}${SUFFIX}`, "utf8")

interface InstanceEvents {
  /** The registration of this process was removed by something else, and was written again. */
  readonly reregistered: () => void
  /** The registration could not be renewed. */
  readonly failed: (error: unknown) => void
}

/**
 * The instances that have a graph open, registered as in JanusGraph: it waits for all of them when an index changes, and
 * refuses to change some options while there are others. This process's registration has a TTL and is renewed, so that it
 * disappears when the process crashes.
 */
export class Instances {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #events: InstanceEvents
  readonly name: string
  readonly #siblings: Siblings
  #registered: Uint8Array | undefined
  #writing: Promise<void> = Promise.resolve()
  /**
   * The writes of a registration that was missing; undefined while none is written. Each ends when no other instance can write any more
   * without having seen the registration.
   */
  #settling: Promise<void> | undefined

  /**
   * The registration of a sibling that has ended is removed. Throws StorageFailure for a name that JanusGraph does not accept.
   */
  constructor(columns: ColumnStore, clock: Clock, name: string, events: InstanceEvents, siblings: Siblings = alone) {
    if (name === "" || legalName(name) !== name) {
      throw new StorageFailure(
        `The name '${name}' (graph.unique-instance-id) has characters that JanusGraph does not allow; take '${legalName(name)}'.`
      )
    }
    this.#columns = columns
    this.#clock = clock
    this.name = name
    this.#events = events
    this.#siblings = siblings
  }

  /** True for this process and for the other running workers of its server. */
  isOfServer(name: string): boolean {
    return name === this.name || (this.#siblings.has(name) && !this.#siblings.hasEnded(name))
  }

  /** All registered instances, this process included. */
  async list(): Promise<ReadonlyArray<Instance>> {
    const start = Buffer.from(PREFIX)
    const end = Buffer.from(`${PREFIX.slice(0, -1)}/`)
    const found = await this.#columns.slice(
      { table: "system_properties", key: CONFIGURATION_ROW, start, end },
      "system"
    )
    const instances: Array<Instance> = []
    for (const { column, value } of found) {
      const path = Buffer.from(column).toString("utf8")
      if (!path.endsWith(SUFFIX)) continue
      instances.push({ name: path.slice(PREFIX.length, -SUFFIX.length), started: startOf(value) })
    }
    return instances
  }

  /**
   * All registered instances except this process, and except those that this process knows to have ended. If the registration of this
   * process is missing, it is written first: after a time without a quorum all of them may be missing, and each would be alone. Fails
   * with StorageUnavailable if it is missing again and again.
   */
  async others(): Promise<ReadonlyArray<Instance>> {
    for (let left = MAX_REGISTRATIONS; left >= 0; left--) {
      await this.#settling
      const running = await this.#running()
      // A registration that was missing when this list was read, or before.
      if (this.#settling !== undefined) continue
      if (this.#registered === undefined || running.some(({ name }) => name === this.name)) {
        return running.filter(({ name }) => name !== this.name)
      }
      await this.#writeAgain()
    }
    throw new StorageUnavailable(
      `The registration of this instance was written to ${this.#columns.location} but not found when it was read: reads and writes must ` +
        `share a replica (QUORUM), and no other program may remove it. Look for forceCloseInstance("${this.name}").`
    )
  }

  /**
   * Writes a registration that was missing, once for all that miss it. Others that did not see it may still write without locks for a
   * time.
   */
  #writeAgain(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }

  async #settle(): Promise<void> {
    await this.#write()
    this.#events.reregistered()
    await this.#clock.sleep(SETTLE_DELAY_MS)
  }

  /**
   * Registers this process and returns the other instances. Fails with StorageFailure when the name is taken, unless
   * `replace` is true (`graph.replace-instance-if-exists`).
   */
  async register(replace: boolean): Promise<ReadonlyArray<Instance>> {
    const there = await this.#running()
    const same = there.find(({ name }) => name === this.name)
    if (same !== undefined && !replace) {
      throw new StorageFailure(
        `The graph in ${this.#columns.location} is already open in an instance named ${this.name}, since ` +
          `${same.started ?? "an unknown time"}. If that process has ended, remove it (forceCloseInstance) or set ` +
          "graph.replace-instance-if-exists=true; if it runs, set another graph.unique-instance-id for this server."
      )
    }
    const now = this.#clock.now()
    const writer = new ByteWriter()
    writeAny(writer, instantOf(Number(now / 1_000_000n), Number(now % 1_000_000n) * 1000))
    this.#registered = writer.copy()
    await this.#write()
    this.#renew().catch((error) => this.#events.failed(error))
    return there.filter(({ name }) => name !== this.name)
  }

  /** The instances that are not known to have ended. While this process is registered, removes the registrations of the others. */
  async #running(): Promise<ReadonlyArray<Instance>> {
    const all = await this.list()
    const ended = new Set(
      all.map(({ name }) => name).filter((name) => name !== this.name && this.#siblings.hasEnded(name))
    )
    if (this.#registered !== undefined) for (const name of ended) await this.#remove(name)
    return all.filter(({ name }) => !ended.has(name))
  }

  async #write(): Promise<void> {
    const value = this.#registered
    if (value === undefined) return
    const additions = [{ column: columnOf(this.name), value, ttl: TTL_SECONDS }]
    const mutation = { table: "system_properties", key: CONFIGURATION_ROW, additions, deletions: [] } as const
    await this.#columns.mutate([mutation], this.#clock.now(), "system")
  }

  async #renew(): Promise<void> {
    for (;;) {
      await this.#clock.sleep(RENEWAL_SECONDS * 1000)
      if (this.#registered === undefined) return
      this.#writing = this.#renewOnce()
      await this.#writing
    }
  }

  async #renewOnce(): Promise<void> {
    try {
      const isThere = (await this.#running()).some(({ name }) => name === this.name)
      await (isThere ? this.#write() : this.#writeAgain())
    } catch (error) {
      this.#events.failed(error)
    }
  }

  /** Removes the registration of this process. Fails with StorageFailure. */
  async deregister(): Promise<void> {
    if (this.#registered === undefined) return
    this.#registered = undefined
    await this.#writing
    await this.#remove(this.name)
  }

  /**
   * Removes the registration of a crashed instance. Fails with StorageFailure for this instance and a running worker of its server, for
   * one that is not registered, and for one that was started after `asked` (microseconds), because it runs.
   */
  async forceClose(name: string, asked: bigint): Promise<void> {
    if (name === this.name) throw new StorageFailure(`The instance ${name} is this server; stop it instead.`)
    if (this.isOfServer(name)) {
      throw new StorageFailure(`The instance ${name} is a running worker of this server; stop the server instead.`)
    }
    const found = (await this.list()).find((each) => each.name === name)
    if (found === undefined) throw new StorageFailure(`No instance named ${name} has the graph open.`)
    if (found.started !== undefined && Date.parse(found.started) * 1000 > Number(asked)) {
      throw new StorageFailure(
        `The instance ${name} was started at ${found.started}, after it was to be closed, so it runs.`
      )
    }
    await this.#remove(name)
  }

  async #remove(name: string): Promise<void> {
    const mutation = {
      table: "system_properties",
      key: CONFIGURATION_ROW,
      additions: [],
      deletions: [columnOf(name)]
    } as const
    await this.#columns.mutate([mutation], this.#clock.now() + 2n, "system")
  }
}

const startOf = (value: Uint8Array): string | undefined => {
  try {
    const read = readAny(new ByteReader(value))
    return read instanceof Temporal ? read.text : undefined
  } catch {
    return undefined
  }
}
