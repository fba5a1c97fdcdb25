import { NotAcknowledged } from "../../../structure/errors/StoreErrors.ts"
import { listQueries } from "../../janusgraph/schema/SchemaRead.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"
import type { Instances } from "./Instances.ts"
import type { SystemLog } from "./SystemLog.ts"

/** Callbacks for news of the schema. */
interface SchemaEvents {
  /** Another instance changed the schema: whatever starts from now on must read it again. */
  readonly changed: () => void
  /** Resolves when no work of this process uses an older schema than the newest. */
  readonly renewed: () => Promise<void>
  /** The store did not answer; the read is retried. */
  readonly failed: (error: unknown) => void
}

/** The dependencies of {@link SchemaNews}. */
interface SchemaNewsSource {
  readonly columns: ColumnStore
  readonly clock: Clock
  readonly log: SystemLog
  readonly instances: Instances
}

interface SchemaNewsOptions {
  /** Milliseconds between two polls (`log.janusgraph.read-interval`). */
  readonly interval: number
  /** Milliseconds after which an announcement fails and names the instances that have not acknowledged it. */
  readonly acknowledgeTimeout: number
  /** False for a process that is not registered, so that no instance waits for its acknowledgement. */
  readonly answers: boolean
}

/** Time between two polls while an announcement waits for acknowledgements. */
const WAITING_POLL_MS = 500

/** A change that waits for acknowledgements. */
interface Announcement {
  readonly waiting: Set<string>
  readonly resolve: () => void
}

/** An announcement of another instance. */
interface Eviction {
  readonly receiver: string
  readonly eviction: number
}

/**
 * Exchanges news of schema changes among instances. A change of existing types is announced in JanusGraph's management log,
 * and each registered instance acknowledges it when none of its transactions uses the older schema. New types are not
 * announced: JanusGraph reads a type when it meets its name; this server also compares the lists of types at an interval.
 */
export class SchemaNews {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #log: SystemLog
  readonly #instances: Instances
  readonly #events: SchemaEvents
  readonly #options: SchemaNewsOptions
  readonly #announcements = new Map<number, Announcement>()
  /** The number of the last announcement. */
  #announced: number
  /** Announcements that were received, and whose change was not told to this process yet. The log has them only once. */
  #evictions: Array<Eviction> = []
  /** Announcements to acknowledge: no work of this process uses the older schema any more. */
  readonly #unsent: Array<Eviction> = []
  /** True for a change that was not told to this process yet. */
  #isChanged = false
  #lists: string | undefined
  #currentPoll: Promise<void> | undefined
  /** Begins after the current one. */
  #nextPoll: Promise<void> | undefined
  #closed = false

  constructor({ clock, columns, instances, log }: SchemaNewsSource, events: SchemaEvents, options: SchemaNewsOptions) {
    this.#columns = columns
    this.#clock = clock
    this.#log = log
    this.#instances = instances
    this.#events = events
    this.#options = options
    // Begins with the time, ms: acknowledgements of an earlier process with the same name have other numbers.
    this.#announced = Number(clock.now() / 1000n)
  }

  /** Starts to poll at an interval. */
  async start(): Promise<void> {
    this.#lists = await this.#readLists()
    this.#run().catch((error) => this.#events.failed(error))
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#clock.sleep(
        this.#announcements.size > 0 ? Math.min(WAITING_POLL_MS, this.#options.interval) : this.#options.interval
      )
      if (this.#closed) return
      await this.poll().catch((error) => this.#events.failed(error))
    }
  }

  /**
   * Polls. Concurrent calls share a poll that begins after them: the one under way may have read the lists before the change that they
   * look for. Fails with StorageUnavailable.
   */
  poll(): Promise<void> {
    if (this.#currentPoll === undefined) return this.#begin()
    this.#nextPoll ??= this.#currentPoll
      .catch(() => undefined)
      .then(() => {
        this.#nextPoll = undefined
        if (this.#closed) return
        return this.#currentPoll ?? this.#begin()
      })
    return this.#nextPoll
  }

  #begin(): Promise<void> {
    this.#currentPoll = this.#poll().finally(() => {
      this.#currentPoll = undefined
    })
    return this.#currentPoll
  }

  async #poll(): Promise<void> {
    // What follows may fail: what is received here is kept for the next poll.
    for (const { message, sender } of await this.#log.receive()) {
      if (message.kind === "eviction") {
        this.#isChanged = true
        if (this.#options.answers) this.#evictions.push({ receiver: sender, eviction: message.eviction })
      } else if (message.receiver === this.#instances.name) {
        this.#announcements.get(message.eviction)?.waiting.delete(sender)
      }
    }
    const lists = await this.#readLists()
    if (lists !== this.#lists) this.#isChanged = true
    this.#lists = lists
    if (this.#isChanged) this.#events.changed()
    this.#isChanged = false
    const evictions = this.#evictions
    this.#evictions = []
    // Not awaited, so that a long transaction does not delay the next poll.
    this.#acknowledge(evictions).catch((error) => this.#events.failed(error))
    await this.#settle()
  }

  /** Acknowledges these announcements, and earlier ones whose acknowledgements could not be written. */
  async #acknowledge(evictions: ReadonlyArray<Eviction>): Promise<void> {
    if (evictions.length > 0) await this.#events.renewed()
    this.#unsent.push(...evictions)
    while (!this.#closed) {
      const next = this.#unsent.shift()
      if (next === undefined) return
      await this.#log.send({ kind: "acknowledgement", ...next }).catch((error: unknown) => {
        this.#unsent.push(next)
        throw error
      })
    }
  }

  /** Ends announcements that every registered instance has acknowledged. */
  async #settle(): Promise<void> {
    if (this.#announcements.size === 0) return
    const registered = new Set((await this.#instances.others()).map(({ name }) => name))
    for (const [number, { resolve, waiting }] of this.#announcements) {
      for (const name of waiting) if (!registered.has(name)) waiting.delete(name)
      if (waiting.size > 0) continue
      this.#announcements.delete(number)
      resolve()
    }
  }

  /** The ids of all schema vertices, as one string. */
  async #readLists(): Promise<string> {
    const lists = await Promise.all(listQueries.map((query) => this.#columns.slice(query, "newest")))
    return lists.map((list) => list.map(({ column }) => Buffer.from(column).toString("base64")).join(" ")).join("\n")
  }

  /**
   * Announces changed types to the other instances, and resolves when none of them uses the older schema. Fails with
   * NotAcknowledged, which names the instances that have not acknowledged in time, and with StorageUnavailable. A time in which the store
   * does not answer does not count against these instances; when it is as long, the announcement fails with the error of the store.
   */
  async announce(types: ReadonlyArray<number>): Promise<void> {
    const others = await this.#instances.others()
    if (others.length === 0) return
    const eviction = ++this.#announced
    const waiting = new Set(others.map(({ name }) => name))
    const answered = new Promise<void>((resolve) => this.#announcements.set(eviction, { waiting, resolve }))
    try {
      await this.#log.send({ kind: "eviction", eviction, types })
      if (await this.#isAnswered(answered)) return
    } finally {
      this.#announcements.delete(eviction)
    }
    throw new NotAcknowledged(
      `The schema was changed, but these instances have not acknowledged it: ${[...waiting].join(", ")}. Remove an instance ` +
        "that crashed (forceCloseInstance), or end a long transaction of an instance that runs."
    )
  }

  /** Polls until an announcement is answered (true), or not in time (false). Fails with the error of the store. */
  async #isAnswered(answered: Promise<void>): Promise<boolean> {
    const { acknowledgeTimeout } = this.#options
    let isAnswered = false
    const done = answered.then(() => {
      isAnswered = true
    })
    let [heard, unheard] = [0, 0]
    let last = this.#clock.elapsed()
    while (!isAnswered && !this.#closed && heard < acknowledgeTimeout) {
      let failure: { readonly error: unknown } | undefined
      await this.poll().catch((error: unknown) => {
        failure = { error }
        this.#events.failed(error)
      })
      if (!isAnswered) await Promise.race([done, this.#clock.sleep(WAITING_POLL_MS)])
      const now = this.#clock.elapsed()
      if (failure === undefined) heard += now - last
      else unheard += now - last
      last = now
      if (!isAnswered && failure !== undefined && unheard >= acknowledgeTimeout) throw failure.error
    }
    return isAnswered
  }

  /** Stops polling. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#currentPoll?.catch(() => undefined)
  }
}
