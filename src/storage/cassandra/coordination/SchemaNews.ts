import { StorageUnavailable } from "../../../structure/StoreErrors.ts"
import { listQueries } from "../../janusgraph/schema/SchemaRead.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"
import type { Instances } from "./Instances.ts"
import type { SystemLog } from "./SystemLog.ts"

/** What a process does with news of the schema. */
interface SchemaEvents {
  /** Another instance changed the schema: what begins from now on must read it anew. */
  readonly changed: () => void
  /** Done when nothing is under way in this process that began with an older schema than the newest. */
  readonly renewed: () => Promise<void>
  /** The store did not answer; it is asked again. */
  readonly failed: (error: unknown) => void
}

/** What news are read from and written to. */
interface SchemaNewsSource {
  readonly columns: ColumnStore
  readonly clock: Clock
  readonly log: SystemLog
  readonly instances: Instances
}

interface SchemaNewsOptions {
  /** Milliseconds between two looks (`log.janusgraph.read-interval`). */
  readonly interval: number
  /** Milliseconds after which an instance that does not answer is named in an error. JanusGraph itself gives up after so many. */
  readonly patience: number
  /** False: this process is not registered, so nobody waits for its answers. */
  readonly answers: boolean
}

/** Milliseconds between two looks while others are waited for. */
const SOON = 500

interface Announcement {
  readonly waiting: Set<string>
  readonly resolve: () => void
}

/**
 * How instances learn of each other's changes of the schema. Changed types are told in JanusGraph's management log, and each
 * registered instance acknowledges them when none of its transactions uses what it knew before. Types that are new are not
 * told by JanusGraph, which asks for a name when it needs it; here the lists of types are compared now and then.
 */
export class SchemaNews {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #log: SystemLog
  readonly #instances: Instances
  readonly #events: SchemaEvents
  readonly #options: SchemaNewsOptions
  readonly #announcements = new Map<number, Announcement>()
  #announced = 0
  #lists: string | undefined
  #polling: Promise<void> | undefined
  #closed = false

  constructor({ clock, columns, instances, log }: SchemaNewsSource, events: SchemaEvents, options: SchemaNewsOptions) {
    this.#columns = columns
    this.#clock = clock
    this.#log = log
    this.#instances = instances
    this.#events = events
    this.#options = options
  }

  /** Looks now and then from now on. */
  async start(): Promise<void> {
    this.#lists = await this.#readLists()
    this.#run().catch((error) => this.#events.failed(error))
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#clock.sleep(
        this.#announcements.size > 0 ? Math.min(SOON, this.#options.interval) : this.#options.interval
      )
      if (this.#closed) return
      await this.look().catch((error) => this.#events.failed(error))
    }
  }

  /** Looks at once; those who ask meanwhile wait for the same look. Fails with StorageUnavailable. */
  look(): Promise<void> {
    this.#polling ??= this.#look().finally(() => {
      this.#polling = undefined
    })
    return this.#polling
  }

  async #look(): Promise<void> {
    let isChanged = false
    const evictions: Array<{ readonly receiver: string; readonly eviction: number }> = []
    for (const { message, sender } of await this.#log.receive()) {
      if (message.kind === "eviction") {
        isChanged = true
        evictions.push({ receiver: sender, eviction: message.eviction })
      } else if (message.receiver === this.#instances.name) {
        this.#announcements.get(message.eviction)?.waiting.delete(sender)
      }
    }
    const lists = await this.#readLists()
    if (lists !== this.#lists) isChanged = true
    this.#lists = lists
    if (isChanged) this.#events.changed()
    if (this.#options.answers && evictions.length > 0) {
      // Long transactions must not hold up the next look.
      this.#acknowledge(evictions).catch((error) => this.#events.failed(error))
    }
    await this.#settle()
  }

  async #acknowledge(
    evictions: ReadonlyArray<{ readonly receiver: string; readonly eviction: number }>
  ): Promise<void> {
    await this.#events.renewed()
    for (const each of evictions) {
      if (!this.#closed) await this.#log.send({ kind: "acknowledgement", ...each })
    }
  }

  /** Announcements that nobody is waited for any more are done; who is registered no more is not waited for. */
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

  /** Ids of all schema vertices, in one text. */
  async #readLists(): Promise<string> {
    const lists = await Promise.all(listQueries.map((query) => this.#columns.slice(query, "read")))
    return lists.map((list) => list.map(({ column }) => Buffer.from(column).toString("base64")).join(" ")).join("\n")
  }

  /**
   * Tells the others that types have changed, and is done when none of them uses what it knew before. Fails with
   * StorageUnavailable that names those who did not answer in time.
   */
  async announce(types: ReadonlyArray<number>): Promise<void> {
    const others = await this.#instances.others()
    if (others.length === 0) return
    const eviction = ++this.#announced
    const waiting = new Set(others.map(({ name }) => name))
    const answered = new Promise<void>((resolve) => this.#announcements.set(eviction, { waiting, resolve }))
    await this.#log.send({ kind: "eviction", eviction, types })
    const begun = this.#clock.elapsed()
    let isAnswered = false
    const done = answered.then(() => {
      isAnswered = true
    })
    while (!isAnswered && !this.#closed && this.#clock.elapsed() - begun < this.#options.patience) {
      await this.look().catch((error) => this.#events.failed(error))
      if (!isAnswered) await Promise.race([done, this.#clock.sleep(SOON)])
    }
    if (isAnswered) return
    this.#announcements.delete(eviction)
    throw new StorageUnavailable(
      `The schema was changed, and these instances did not say that they know: ${[...waiting].join(", ")}. Where one has ` +
        "ended without a word, close it (forceCloseInstance); where one has a long transaction open, end that."
    )
  }

  /** Nothing is looked at any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#polling?.catch(() => undefined)
  }
}
