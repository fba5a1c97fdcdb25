import { errorOf } from "../../../scheduling/Pending.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import type { GraphCore } from "../GraphCore.ts"
import { refreshSchema } from "../management/SchemaChange.ts"
import type { GraphIndex } from "../schema/Schema.ts"
import { currentDocuments, type WantedDocument } from "./DocumentStates.ts"
import type { LogEntry } from "./LogEntry.ts"
import type { DocumentChange, SearchEngine } from "./SearchEngine.ts"

/** The maximum number of documents that are written at once. */
const DOCUMENTS_PER_WRITE = 500
/** Pauses after failures, ms: the first one, and the longest. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** Time after which a document that the engine has refused is sent again, ms. */
const REFUSED_PAUSE_MS = 600_000

/** A document that waits to be written. */
interface Waiting {
  readonly index: number
  readonly name: string
  readonly entries: Set<LogEntry>
  /** Called when the document is written, with true, or when an attempt has failed. */
  readonly resumes: Array<(isWritten: boolean) => void>
}

/** A waiting document with its index. */
interface Wanted extends WantedDocument {
  readonly key: string
  readonly waiting: Waiting
}

/** Events of a writer. */
export interface WriterEvents {
  /** The engine does not answer. */
  readonly failed: (error: Error, waiting: number) => void
  /** The engine answers again. */
  readonly recovered: () => void
  /** The engine does not accept a document. */
  readonly refused: (index: string, name: string, reason: string) => void
  /** All documents of an entry are written. */
  readonly finished: (entry: LogEntry) => void
}

/**
 * Writes documents to one search engine, each from the newest state of its element. A write applies only if no other process has
 * changed the document since the state was read; otherwise the state is read again. So the last write has the last state, whatever the
 * order.
 */
export class DocumentWriter {
  readonly #core: GraphCore
  readonly #engine: SearchEngine
  readonly #begin: () => GraphTransaction
  readonly #events: WriterEvents
  readonly #queue = new Map<string, Waiting>()
  /** The documents that are being written. */
  #current = new Map<string, Waiting>()
  readonly #refused = new Map<string, Waiting>()
  #running = false
  /** The end of the last run. */
  #work: Promise<void> = Promise.resolve()
  #closed = false
  #pause = 0
  #timer: NodeJS.Timeout | undefined
  #refusedTimer: NodeJS.Timeout | undefined

  constructor(core: GraphCore, engine: SearchEngine, begin: () => GraphTransaction, events: WriterEvents) {
    this.#core = core
    this.#engine = engine
    this.#begin = begin
    this.#events = events
  }

  /** True while the engine does not answer, so that no commit waits for a write. */
  get isDown(): boolean {
    return this.#pause > 0
  }

  /** The number of documents that wait. */
  get size(): number {
    return this.#queue.size + this.#current.size + this.#refused.size
  }

  /** The names of the waiting documents of an index. */
  waiting(index: number): ReadonlyArray<string> {
    if (this.size === 0) return []
    const all = [...this.#current.values(), ...this.#queue.values(), ...this.#refused.values()]
    return [...new Set(all.flatMap((each) => (each.index === index ? [each.name] : [])))]
  }

  /** Adds a document of an entry. `resume` is called when it is written, with true, or when an attempt has failed. */
  add(index: number, name: string, entry: LogEntry | undefined, resume?: (isWritten: boolean) => void): void {
    const key = `${index} ${name}`
    const known = this.#queue.get(key) ?? this.#refused.get(key)
    const waiting = known ?? { index, name, entries: new Set(), resumes: [] }
    this.#refused.delete(key)
    if (entry !== undefined) waiting.entries.add(entry)
    if (resume !== undefined) waiting.resumes.push(resume)
    this.#queue.set(key, waiting)
    this.#start()
  }

  #start(): void {
    if (this.#running || this.#closed || this.#timer !== undefined) return
    this.#running = true
    this.#work = this.#run()
  }

  async #run(): Promise<void> {
    // The elements of commits that end in the same turn are written together.
    await Promise.resolve()
    try {
      while (this.#queue.size > 0 && !this.#closed) {
        for (const [key, each] of this.#queue) {
          this.#queue.delete(key)
          if (this.#current.set(key, each).size === DOCUMENTS_PER_WRITE) break
        }
        await this.#write([...this.#current])
        if (this.#pause > 0) this.#events.recovered()
        this.#pause = 0
      }
    } catch (cause) {
      this.#failed(errorOf(cause))
    } finally {
      this.#running = false
    }
  }

  /** Puts the current documents back, and writes them again after a pause. */
  #failed(error: Error): void {
    // The end of the connections is no failure of the engine, and close() has resumed the commits.
    if (this.#closed) return
    for (const [key, each] of this.#current) this.#requeue(key, each)
    for (const { resumes } of this.#queue.values()) for (const resume of resumes.splice(0)) resume(false)
    this.#pause = Math.min(MAX_PAUSE_MS, this.#pause === 0 ? FIRST_PAUSE_MS : this.#pause * 2)
    this.#events.failed(error, this.size)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#start()
    }, this.#pause).unref()
  }

  #requeue(key: string, each: Waiting): void {
    this.#current.delete(key)
    const newer = this.#queue.get(key)
    if (newer === undefined) this.#queue.set(key, each)
    else {
      for (const entry of each.entries) newer.entries.add(entry)
      newer.resumes.push(...each.resumes)
    }
  }

  async #write(documents: ReadonlyArray<readonly [key: string, document: Waiting]>): Promise<void> {
    // A commit may know an index that this process has not read yet.
    await refreshSchema(this.#core)
    const indexes = new Map(this.#core.schema.engineIndexes.map((index) => [index.id, index]))
    const wanted: Array<Wanted> = []
    for (const [key, waiting] of documents) {
      const index = indexes.get(waiting.index)
      // An index that was removed needs no documents.
      if (index?.documents === undefined) this.#done(key, waiting)
      else wanted.push({ index, name: waiting.name, key, waiting })
    }
    if (wanted.length === 0) return
    const versions = await this.#engine.versions(wanted.map(nameOf))
    const current = await currentDocuments(this.#begin, this.#core.schema, wanted)
    const changed: Array<Wanted & { readonly change: DocumentChange }> = []
    let later: string | undefined
    wanted.forEach((document, at) => {
      const { index, key, waiting } = document
      const [json, version] = [current[at], versions[at]]
      if (version !== undefined && "problem" in version) {
        if (version.isTemporary) {
          later = version.problem
          this.#requeue(key, waiting)
        } else this.#refuse(key, waiting, index, version.problem)
      } else if (typeof json === "object") {
        this.#refuse(key, waiting, index, `Its element cannot be read: ${json.unreadable}`)
      } else if (json === undefined && version === undefined) this.#done(key, waiting)
      else changed.push({ ...document, change: { ...nameOf(document), json, version } })
    })
    later = (await this.#apply(changed)) ?? later
    if (later !== undefined) throw new Error(`The search engine refuses documents for now: ${later}`)
  }

  /** Writes changed documents. Returns why the engine takes some of them later; undefined if it does not. */
  async #apply(changed: ReadonlyArray<Wanted & { readonly change: DocumentChange }>): Promise<string | undefined> {
    if (changed.length === 0) return undefined
    const changes = changed.map(({ change }) => change)
    const outcomes = await this.#engine.write(changes)
    const removed = await this.#removedSince(changed, changes)
    let later: string | undefined
    changed.forEach(({ index, key, waiting: each }, at) => {
      const outcome = outcomes[at]!
      if (outcome.kind === "later") later = outcome.reason
      if (outcome.kind === "refused") this.#refuse(key, each, index, outcome.reason)
      else if (outcome.kind !== "done" || removed.has(key)) this.#requeue(key, each)
      else this.#done(key, each)
    })
    return later
  }

  /**
   * The new documents whose elements were removed while they were written: the removal may have found no document to remove.
   */
  async #removedSince(
    wanted: ReadonlyArray<Wanted>,
    changes: ReadonlyArray<DocumentChange>
  ): Promise<ReadonlySet<string>> {
    const created = wanted.filter((_, at) => changes[at]!.version === undefined)
    if (created.length === 0) return new Set()
    const current = await currentDocuments(this.#begin, this.#core.schema, created)
    return new Set(created.flatMap(({ key }, at) => (current[at] === undefined ? [key] : [])))
  }

  #done(key: string, { entries, resumes }: Waiting): void {
    this.#current.delete(key)
    for (const entry of entries) this.#events.finished(entry)
    for (const resume of resumes.splice(0)) resume(true)
  }

  /** Keeps a refused document, which is sent again later: the mapping of the index may be repaired. */
  #refuse(key: string, each: Waiting, index: GraphIndex, reason: string): void {
    this.#events.refused(index.name, each.name, reason)
    this.#current.delete(key)
    for (const resume of each.resumes.splice(0)) resume(false)
    if (this.#queue.has(key)) {
      this.#requeue(key, each)
      return
    }
    this.#refused.set(key, each)
    this.#refusedTimer ??= setTimeout(() => {
      this.#refusedTimer = undefined
      for (const [refusedKey, refused] of this.#refused) this.#queue.set(refusedKey, refused)
      this.#refused.clear()
      this.#start()
    }, REFUSED_PAUSE_MS).unref()
  }

  /** Ends the work. Documents that still wait are in the log. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#refusedTimer)
    for (const { resumes } of [...this.#queue.values(), ...this.#current.values()]) {
      for (const resume of resumes.splice(0)) resume(false)
    }
  }

  /** Ends the work, and waits for a write that is on its way. */
  async end(): Promise<void> {
    this.close()
    await this.#work
  }
}

const nameOf = ({ index, name }: WantedDocument): { readonly store: string; readonly id: string } => ({
  store: index.documents!.store,
  id: name
})
