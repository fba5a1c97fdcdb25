import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises"
import { ABORT } from "lmdb"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import { CommitOutcomeUnknown } from "../../../structure/errors/StoreErrors.ts"
import { Answer } from "../../shared/Answer.ts"
import type { Environment } from "../Environment.ts"
import { StoreSnapshot } from "../StoreSnapshot.ts"
import { settle, type Waiting } from "../WaitingCommits.ts"
import { HandedBatch, handedWork } from "./HandedCommit.ts"
import { isHandedFile, type OtherFile, OwnFile } from "./HandedFile.ts"
import { PeerFiles } from "./PeerFiles.ts"
import { readProgress, removeProgress, writeProgress } from "./Progress.ts"
import { SyncTimes } from "./SyncTimes.ts"

/** Syncs of a transaction are shared if they take at least so long, in milliseconds. Otherwise the second run of a commit costs more. */
const SLOW_SYNC_MS = 3
/**
 * With a sync of {@link SLOW_SYNC_MS}, a transaction of so many commits of one process is not shared: their second runs cost as much as the
 * sync. A sync that is twice as slow is worth it for twice as many.
 */
const MANY_COMMITS = 16
/** How long a commit of another process makes this one expect more of them, in milliseconds. */
const RIVAL_MS = 1_000
/** A transaction waits for further commits for this part of the time of a sync, and no longer than the next constant. */
const GATHERING_SHARE = 1 / 2
const MAX_GATHERING_MS = 5
/** For so long it looks for commits in each turn of the event loop, and then at each tick of its timers, in milliseconds. */
const EAGER_MS = 0.5
const TICK_MS = 1
/** No further commit is run for the file after this time, in milliseconds, because it blocks the event loop. */
const MAX_RECORDING_MS = 8
/** After a write of the file has failed, the next one is tried after this time, in milliseconds: the disk may have room again. */
const RETRY_MS = 60_000
/** The weight of the newest transaction in the smoothed number of commits. */
const NEWEST_WEIGHT = 0.25

/** A commit of another process. */
interface Received {
  readonly waiting: Waiting
  readonly file: string
  readonly number: number
  /** The first number of the file that its owner has not taken back. */
  readonly first: number
}

/** The parameters of {@link Handover}. */
interface HandoverOptions {
  readonly directory: string
  readonly server: string
  /** Default: {@link SLOW_SYNC_MS}. */
  readonly slowSync?: number | undefined
}

/**
 * Commits of several processes in one transaction of lmdb, and so with one sync. It is on while syncs are slow and another process
 * commits, too.
 *
 * A process that waits for lmdb's write mutex adds its commits to a file, as data. The process that has the mutex applies them in
 * its own transaction, if their reads return the same, and records them in the same transaction. When the owner of the file gets the
 * mutex, it reads this record: the applied commits have completed, and it takes the others back and runs them itself. Commits are
 * read from the file, and taken back, only under the mutex. So each commit is applied once, whichever process is killed.
 */
export class Handover {
  readonly #environment: Environment
  readonly #directory: string
  readonly #server: string
  readonly #slowSync: number
  readonly #peers: PeerFiles
  #own: OwnFile | undefined
  /** The commits in the file, by their numbers. */
  readonly #handed = new Map<number, Waiting>()
  #unpublished: Array<Waiting> = []
  /** The times in which this process had nothing to do while it waited for a sync. */
  readonly #syncs = new SyncTimes()
  /** The smoothed number of commits of this process in its transactions. */
  #ownCommits = 0
  #rivalUntil = 0
  #version: number | undefined
  /** The number of commits in the last transaction of this process, and how many of them others had handed over. */
  #expected = 0
  #received = 0
  /** True if others had commits in the last transaction, or ran one since. */
  #isContended = false
  /** Until when the file is not written, because a write has failed. */
  #brokenUntil = 0

  constructor(environment: Environment, { directory, server, slowSync = SLOW_SYNC_MS }: HandoverOptions) {
    this.#environment = environment
    this.#directory = directory
    this.#server = server
    this.#slowSync = slowSync
    this.#peers = new PeerFiles(directory, server)
  }

  /** Whether the next transaction is a shared one. It is while commits of this process are in the file. */
  get isOn(): boolean {
    return this.hasHanded || this.#isWorthIt()
  }

  /** Whether another process may have applied commits of this one. */
  get hasHanded(): boolean {
    return this.#handed.size > 0
  }

  #isWorthIt(): boolean {
    const leastSync = this.#slowSync * Math.max(1, this.#ownCommits / MANY_COMMITS)
    const now = performance.now()
    return now >= this.#brokenUntil && this.#syncs.least >= leastSync && now < this.#rivalUntil
  }

  /** Hands a commit that waits to the process that holds the write mutex, in this turn of the event loop. */
  add(waiting: Waiting): void {
    if (!this.#isWorthIt()) return
    if (this.#unpublished.length === 0) setImmediate(() => this.#publish())
    this.#unpublished.push(waiting)
  }

  #publish(): void {
    const waiting = this.#unpublished
    this.#unpublished = []
    if (waiting.length === 0) return
    try {
      this.#own ??= new OwnFile(this.#directory, this.#server)
      const commits = this.#recorded(waiting)
      const first = this.#own.next
      // Before the write: if it fails, the commits may be in the file or not. The next transaction takes them back.
      for (const [i, [each]] of commits.entries()) this.#handed.set(first + i, each)
      const count = this.#own.add(commits.map(([, bytes]) => bytes))
      for (let i = count; i < commits.length; i++) this.#handed.delete(first + i)
    } catch {
      // The disk may be full.
      this.#brokenUntil = performance.now() + RETRY_MS
    }
  }

  /** Runs commits on the newest state, and returns them as data. One that fails does so again in the transaction of this process. */
  #recorded(commits: ReadonlyArray<Waiting>): ReadonlyArray<readonly [Waiting, Uint8Array]> {
    const { root } = this.#environment
    root.resetReadTxn()
    const transaction = root.useReadTransaction()
    const read = { transaction, state: this.#environment.state(transaction), ended: false }
    const snapshot = new StoreSnapshot(this.#environment, read, () => transaction.done())
    const limit = performance.now() + MAX_RECORDING_MS
    try {
      return commits.flatMap((waiting) => {
        if (performance.now() > limit) return []
        const batch = new HandedBatch(snapshot.version, snapshot.schemaVersion, (query) => snapshot.slice(query))
        try {
          waiting.work(batch)
        } catch {
          return []
        }
        const bytes = batch.encoded()
        return bytes === undefined ? [] : [[waiting, bytes] as const]
      })
    } finally {
      snapshot.close()
    }
  }

  /**
   * Takes the handed commits back, when a transaction of this process has begun. Returns those that another process has applied:
   * they are on the disk.
   */
  takeBack(environment: Environment): ReadonlySet<Waiting> {
    this.#unpublished = []
    const { version } = environment.state()
    const isForeign = this.#version !== undefined && version !== this.#version
    if (isForeign) this.#rivalUntil = performance.now() + RIVAL_MS
    this.#isContended = isForeign || this.#received > 0
    this.#version = version
    const applied = new Set<Waiting>()
    // Also commits whose outcome is unknown are taken back: they are applied soon or never.
    if (this.#own === undefined || (this.#handed.size === 0 && this.#own.isEmpty)) return applied
    const progress = readProgress(environment, this.#own.name)
    this.#withdraw(this.#own)
    for (const [number, waiting] of this.#handed) {
      if (progress !== undefined && number <= progress.upTo && !progress.refused.has(number)) applied.add(waiting)
    }
    this.#handed.clear()
    return applied
  }

  #withdraw(own: OwnFile): void {
    try {
      own.withdraw()
    } catch {
      this.#brokenUntil = performance.now() + RETRY_MS
      own.abandon()
      this.#own = undefined
    }
  }

  /**
   * Takes all commits back after a transaction of this process has failed, so that none is applied later. Completes the commits that
   * another process has applied. If no further transaction is possible, the outcome of all is unknown, and they fail. Returns the commits
   * that it has completed or failed.
   */
  async resolve(): Promise<ReadonlySet<Waiting>> {
    this.#unpublished = []
    let applied: ReadonlySet<Waiting> = new Set()
    if (!this.hasHanded) return applied
    const unknown = new Set<Waiting>()
    let failure: CommitOutcomeUnknown | undefined
    try {
      if (this.#environment.isBroken) throw new Error("LMDB begins no more transactions")
      await this.#environment.transaction(() => {
        applied = this.takeBack(this.#environment)
        // Nothing is written, so it need not wait for a process that opens the files.
        return ABORT
      })
    } catch (cause) {
      for (const waiting of this.#handed.values()) unknown.add(waiting)
      this.#handed.clear()
      failure = new CommitOutcomeUnknown(`the graph in ${this.#directory} failed (${reasonOf(cause)}).`, { cause })
    }
    settle(applied, undefined)
    settle(unknown, failure)
    return new Set([...applied, ...unknown])
  }

  /**
   * Called when the work of a transaction of this process is done. Returns a function to call when the transaction is on the disk.
   * Only the time without work counts: a process that is busy gains nothing by a shared sync. `own` is the number of its commits.
   */
  syncing(environment: Environment, own: number): () => void {
    const { version } = environment.state()
    this.#ownCommits += (own - this.#ownCommits) * NEWEST_WEIGHT
    const before = performance.eventLoopUtilization().idle
    return () => {
      this.#version = version
      this.#syncs.add(performance.eventLoopUtilization().idle - before)
    }
  }

  /** Waits for commits of all processes, as long as it is likely that some come. `own` returns the number of those of this process. */
  async gather(environment: Environment, own: () => number): Promise<void> {
    if (!this.#isWorthIt()) return
    const begun = performance.now()
    const until = begun + Math.min(this.#syncs.least * GATHERING_SHARE, MAX_GATHERING_MS)
    // Processes and their records do not change in so short a time, and each poll would read them again. `received` looks for new processes
    // in the same transaction: it waits for their commits the next time.
    const counts = this.#marked(environment, this.#peers.open).map(
      ({ after, file }) =>
        () =>
          file.count(after)
    )
    for (;;) {
      const others = counts.reduce((sum, count) => sum + count(), 0)
      if (own() + others >= this.#expected && (others > 0 || !this.#isContended)) return
      const now = performance.now()
      if (now >= until) return
      await (now < begun + EAGER_MS ? turn() : sleep(TICK_MS))
    }
  }

  /** Files of others, each with the last number that a transaction has looked at. */
  #marked(
    environment: Environment,
    files: ReadonlyArray<OtherFile>
  ): ReadonlyArray<{ readonly file: OtherFile; readonly after: number }> {
    return files.map((file) => ({ file, after: readProgress(environment, file.name)?.upTo ?? 0 }))
  }

  /** The commits of others that no transaction has looked at. */
  received(environment: Environment): ReadonlyArray<Received> {
    return this.#marked(environment, this.#peers.update(this.#own?.name ?? "")).flatMap(({ after, file }) =>
      file.records(after).map(({ commit, first, number }) => ({
        waiting: { work: handedWork(commit), longWork: undefined, error: undefined, answer: new Answer() },
        file: file.name,
        number,
        first
      }))
    )
  }

  /** Records the commits of others that were looked at, in the transaction. `own` is the number of commits of this process in it. */
  record(environment: Environment, received: ReadonlyArray<Received>, own: number): void {
    this.#expected = own + received.length
    this.#received = received.length
    const refused = new Map<string, Set<number>>()
    for (const { file, number, waiting } of received) {
      const numbers = refused.get(file) ?? new Set()
      refused.set(file, waiting.error === undefined ? numbers : numbers.add(number))
    }
    for (const [file, numbers] of refused) {
      const { first, number } = received.findLast((each) => each.file === file)!
      // Earlier refusals count until the owner has looked at the record. It takes the commits back then.
      for (const earlier of readProgress(environment, file)?.refused ?? []) if (earlier >= first) numbers.add(earlier)
      writeProgress(environment, file, { upTo: number, refused: numbers })
    }
    if (refused.size > 0) removeProgress(environment, (file) => isHandedFile(this.#directory, file))
  }

  close(): void {
    this.#own?.close()
    this.#own = undefined
    this.#peers.close()
  }
}
