import { randomUUID } from "node:crypto"
import { Pending } from "../../../scheduling/Pending.ts"
import type { IndexQuery } from "../../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import type { CellSnapshot } from "../cells/CellStore.ts"
import type { RowChanges } from "../commit/RowChanges.ts"
import type { GraphCore } from "../GraphCore.ts"
import { hasChangedElements } from "../indexes/ChangedElements.ts"
import type { DocumentStore, GraphIndex } from "../schema/Schema.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { DocumentCheck } from "./DocumentCheck.ts"
import { DocumentLog } from "./DocumentLog.ts"
import { chooseDocuments, DocumentScan } from "./DocumentScan.ts"
import { DocumentWriter, type WriterEvents } from "./DocumentWriter.ts"
import type { LogEntry } from "./LogEntry.ts"
import { LogReader } from "./LogReader.ts"
import { EngineUnavailable, isOneName, type SearchEngine } from "./SearchEngine.ts"
import type { FailedCommit, LeftIndexes, ServedChoice, ServedIndexes } from "./ServedIndexes.ts"

/** Events of the search engines of a graph. `backend` is the name of the index backend. */
export interface DocumentEvents {
  readonly failed: (backend: string, error: Error, waiting: number) => void
  readonly recovered: (backend: string) => void
  readonly refused: (index: string, name: string, reason: string) => void
  /** The log of documents, or an entry of it, cannot be read. The rest of the log is used. */
  readonly unread: (error: Error) => void
}

/** The longest time that a commit waits for its documents, ms. */
const MAX_WAIT_MS = 5000

/** Limits of the documents of a graph. */
export interface DocumentLimits {
  /**
   * Pauses before the documents of a commit with an unknown outcome are written again, ms. A write of such a commit may arrive after
   * its documents were written from the state before it.
   */
  readonly latePauses: ReadonlyArray<number>
  /** The documents, and the commits, that wait in memory. Those of later commits wait in the log only. */
  readonly maxWaiting: number
}

const defaultLimits: DocumentLimits = { latePauses: [10_000, 600_000], maxWaiting: 100_000 }

/** The mixed indexes of a graph that search engines keep. */
export class Documents implements ServedIndexes {
  readonly #core: GraphCore
  readonly #engines: ReadonlyMap<string, SearchEngine>
  readonly #writers = new Map<string, DocumentWriter>()
  readonly #checks = new Map<string, DocumentCheck>()
  readonly #log: DocumentLog
  /** The documents of each entry that are not written yet. */
  readonly #unwritten = new Map<LogEntry, number>()
  readonly #limits: DocumentLimits
  /** The entries of commits with an unknown outcome, and how often their documents will be written again. */
  readonly #uncertain = new Map<LogEntry, number>()
  readonly #lateTimers = new Set<NodeJS.Timeout>()
  readonly #reader: LogReader
  #closed = false
  #isLeft = false

  /** `engines`: by the name of the index backend. `begin` begins a transaction that reads the newest state. */
  constructor(
    core: GraphCore,
    engines: ReadonlyMap<string, SearchEngine>,
    begin: () => GraphTransaction,
    events: DocumentEvents,
    limits: Partial<DocumentLimits> = {}
  ) {
    this.#core = core
    this.#limits = { ...defaultLimits, ...limits }
    this.#engines = engines
    this.#log = new DocumentLog(core.cells, randomUUID(), (backend) => engines.has(backend))
    this.#reader = new LogReader(this.#log, this.#limits.maxWaiting, {
      add: (entry) => void this.#addUnlessFull(entry),
      room: () => this.#limits.maxWaiting - Math.max(this.waiting, this.#unwritten.size),
      unread: events.unread
    })
    for (const [backend, engine] of engines) {
      const told: WriterEvents = {
        failed: (error, waiting) => events.failed(backend, error, waiting),
        recovered: () => events.recovered(backend),
        refused: events.refused,
        finished: (entry) => this.#finished(entry)
      }
      this.#writers.set(backend, new DocumentWriter(core, engine, begin, told))
      this.#checks.set(backend, new DocumentCheck(() => core.schema, engine, begin))
    }
  }

  readonly isServed = (index: GraphIndex): boolean => index.documents !== undefined && this.#engines.has(index.backing)

  hasEngine(backend: string): boolean {
    return this.#engines.has(backend)
  }

  register(backend: string, { fields, store }: DocumentStore): Promise<void> {
    return this.#engines.get(backend)!.register(store, fields)
  }

  async isLost(index: GraphIndex): Promise<boolean> {
    return !(await this.#engines.get(index.backing)!.hasIndex(index.store))
  }

  async discard(index: GraphIndex): Promise<void> {
    await this.#engines.get(index.backing)!.discard(index.store)
  }

  choose(reading: TransactionView, query: IndexQuery): ServedChoice | undefined {
    return chooseDocuments(reading, query, this.isServed, (index) => this.#isCurrent(reading, index))
  }

  scan(reading: TransactionView, snapshot: CellSnapshot, choice: ServedChoice): DocumentScan {
    const { index } = choice
    this.#assertKnown(index)
    const waiting = [...this.#writers.get(index.backing)!.waiting(index.id), ...this.#uncertainNames(index.id)]
    const engine = this.#engines.get(index.backing)!
    return new DocumentScan(reading, snapshot, this.#core.options.partitionBits, choice, { engine, waiting })
  }

  /** Throws EngineUnavailable unless all documents that wait are known. */
  #assertKnown(index: GraphIndex): void {
    const { refusal } = this.#reader
    if (refusal === undefined) return
    const reasons = {
      failed:
        `the log of the documents that wait was not read completely. ${this.#log.failure?.message ?? ""} The server tries again within a ` +
        "minute. Send the request again then.",
      reading: "the server reads the documents that wait from its log. Send the request again in some seconds.",
      full:
        `more than ${this.#limits.maxWaiting} documents wait for the search engine of the index backend '${index.backing}', or for another ` +
        "one of the graph. The log of the server says why. Repair the engine, and send the request again when it has the documents."
    }
    throw new EngineUnavailable(`The index ${index.name} cannot be searched for now: ${reasons[refusal]}`)
  }

  /** True if no element of an index has a change that its document does not have. */
  #isCurrent(reading: TransactionView, index: GraphIndex): boolean {
    const waits =
      this.#uncertain.size > 0 || this.#log.hasStored || this.#writers.get(index.backing)!.waiting(index.id).length > 0
    return !waits && !hasChangedElements(reading, index)
  }

  /** The documents of an index whose elements may still change. */
  #uncertainNames(index: number): ReadonlyArray<string> {
    const touched = [...this.#uncertain.keys()].flatMap((entry) => [...entry.touched.values()])
    return touched.flatMap(([id, name]) => (id === index ? [name] : []))
  }

  begin(): LogEntry {
    return this.#log.begin()
  }

  put(entry: LogEntry, changes: RowChanges): void {
    this.#log.put(entry, changes)
  }

  flush(): Promise<void> {
    return this.#log.flush()
  }

  committed(entry: LogEntry): Pending | undefined {
    if (entry.touched.size === 0) {
      this.#log.drop(entry)
      return undefined
    }
    this.#log.committed()
    return this.#addUnlessFull(entry)
  }

  failed(entry: LogEntry, written: FailedCommit): void {
    if (written === "unknown" && entry.touched.size > 0) {
      this.#uncertain.set(entry, this.#limits.latePauses.length)
      this.#add(entry)
    } else if (written === "nothing") this.#log.drop(entry)
    else this.#log.finish(entry)
  }

  /** Leaves an entry to the log if too many wait already. An entry of a commit with an unknown outcome is always added. */
  #addUnlessFull(entry: LogEntry): Pending | undefined {
    const { maxWaiting } = this.#limits
    if (this.waiting < maxWaiting && this.#unwritten.size < maxWaiting) return this.#add(entry)
    this.#log.leave(entry)
    return undefined
  }

  #add(entry: LogEntry): Pending | undefined {
    // An entry of another instance may also be for an engine that this one does not have. It then stays in the log.
    const touched = [...entry.touched.values()].filter(([, , backend]) => this.#writers.has(backend))
    this.#unwritten.set(entry, touched.length)
    const waits: Array<Promise<void>> = []
    for (const [index, name, backend] of touched) {
      const writer = this.#writers.get(backend)!
      if (writer.isDown) writer.add(index, name, entry)
      else waits.push(new Promise((resume) => writer.add(index, name, entry, () => resume())))
    }
    if (waits.length === 0) return undefined
    // An engine that does not answer delays a commit for a limited time only.
    return Pending.fromPromise(
      new Promise<void>((resume) => {
        const timer = setTimeout(resume, MAX_WAIT_MS)
        void Promise.all(waits).then(() => {
          clearTimeout(timer)
          resume()
        })
      })
    )
  }

  #finished(entry: LogEntry): void {
    const left = (this.#unwritten.get(entry) ?? 1) - 1
    if (left > 0) {
      this.#unwritten.set(entry, left)
      return
    }
    this.#unwritten.delete(entry)
    const rounds = this.#uncertain.get(entry) ?? 0
    if (rounds > 0) {
      this.#uncertain.set(entry, rounds - 1)
      this.#addLater(entry, this.#limits.latePauses.at(-rounds)!)
      return
    }
    this.#uncertain.delete(entry)
    this.#log.finish(entry)
    if (this.#log.hasUnread) void this.#reader.more()
  }

  /** Writes the documents of an entry again after a pause. The entry stays in the log until then. */
  #addLater(entry: LogEntry, pause: number): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#lateTimers.delete(timer)
      this.#add(entry)
    }, pause).unref()
    this.#lateTimers.add(timer)
  }

  check(index: GraphIndex): DocumentCheck {
    return this.#checks.get(index.backing)!
  }

  async rewrite(index: GraphIndex, names: ReadonlyArray<string>): Promise<void> {
    this.#core.assertWritable()
    const writer = this.#writers.get(index.backing)!
    const writes = names.map((name) => new Promise<boolean>((resume) => writer.add(index.id, name, undefined, resume)))
    const left = (await Promise.all(writes)).filter((isWritten) => !isWritten).length
    if (left === 0) return
    throw new EngineUnavailable(
      `The search engine of the index backend '${index.backing}' has not taken ${left} documents of the index ${index.name}. The log of ` +
        "the server says why. Repair the engine, and repeat the command."
    )
  }

  get waiting(): number {
    let waiting = 0
    for (const writer of this.#writers.values()) waiting += writer.size
    return waiting
  }

  recover(): Promise<void> {
    return this.#reader.recover()
  }

  async leave(): Promise<LeftIndexes> {
    // A write after the removal would make an index again.
    await Promise.all(Array.from(this.#writers.values(), (writer) => writer.end()))
    this.#isLeft = true
    const indexes = this.#core.schema.indexes.flatMap(({ backing, engineStatus, store }) => {
      const engine = engineStatus === undefined ? undefined : this.#engines.get(backing)
      const name = engine?.indexOf(store)
      // An engine has no index with the name of a pattern.
      return name === undefined || !isOneName(name) ? [] : [{ name, remove: () => engine!.discard(store) }]
    })
    return { indexes, close: () => this.#closeEngines() }
  }

  #closeEngines(): void {
    for (const engine of this.#engines.values()) engine.close()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#reader.close()
    for (const timer of this.#lateTimers) clearTimeout(timer)
    for (const writer of this.#writers.values()) writer.close()
    await this.#log.flush().catch(() => undefined)
    if (!this.#isLeft) this.#closeEngines()
  }
}
