import type { AddressInfo, Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { errorOf } from "../../scheduling/Pending.ts"
import type { WorkerReady } from "./Calls.ts"
import { type HeldSettings, keptLines, noteLines } from "./HeldSettings.ts"
import { RestartDelays } from "./RestartDelays.ts"
import { WaitingConnections } from "./WaitingConnections.ts"
import { endText, leastBusy, type NewWorker, type WorkerExit, type WorkerLink } from "./WorkerLink.ts"

/** Workers to which a connection is offered. A socket that no process takes is broken. */
const MAX_ATTEMPTS = 8

/** Time beyond `shutdownTimeout` after which the primary process asks whether a stopping worker still works, ms. */
const STOP_EXTRA_MS = 5_000

/** A worker that serves, and what it has reported. */
interface StartedWorker {
  readonly link: WorkerLink
  readonly ready: WorkerReady
}

/** What {@link Workers} needs of the primary process. */
interface WorkersParts {
  readonly count: number
  /** What the primary process keeps until a restart. */
  readonly held: HeldSettings
  /** Time for requests in flight when the server stops, ms. */
  readonly shutdownTimeoutMs: number
  /** Starts the process of a worker. */
  readonly fork: (worker: NewWorker) => WorkerLink
  /** The first worker of a start or reload serves. Later ones get its settings. */
  readonly onConfigured: (ready: WorkerReady) => void
  /** A worker process has ended, and what it held is no longer in use. Returns what it was doing, for the log. */
  readonly onEnd: (worker: WorkerLink, exit: WorkerExit) => string
  readonly log: (level: "info" | "warn" | "error", text: string) => void
}

/** The worker processes of a server: starts them, gives them connections, and replaces those that die. */
export class Workers {
  readonly #parts: WorkersParts
  #count: number
  readonly #links = new Set<WorkerLink>()
  readonly #delays = new RestartDelays()
  readonly #waiting = new WaitingConnections()
  #address: AddressInfo | undefined
  /** The version of the workers of the last start or reload; undefined for an early version. */
  #version: string | undefined
  /** Workers that open their logs again when they serve. */
  readonly #toReopen = new WeakSet<WorkerLink>()
  #isStopping = false
  #isReloading = false
  /** Ends waits for replacements. */
  readonly #stopped = new AbortController()

  constructor(parts: WorkersParts) {
    this.#parts = parts
    this.#count = parts.count
  }

  /** The workers, by their numbers. */
  get all(): ReadonlyArray<WorkerLink> {
    return [...this.#links].sort((a, b) => a.number - b.number)
  }

  /** Starts all workers. The first one creates and fills graphs; the others start when it is ready. Rejects when one fails. */
  async start(): Promise<void> {
    this.#configured(await this.#started(this.#fork({ isFirst: true, isFresh: true })))
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#started(this.#fork())))
    this.#parts.log("info", `The workers serve: ${this.#names()}`)
  }

  #configured(first: WorkerReady): void {
    this.#parts.onConfigured(first)
    this.#version = first.version
  }

  /** Waits until a worker serves. From then on it is replaced when it ends. */
  async #started(link: WorkerLink): Promise<WorkerReady> {
    const ready = await link.ready
    this.#watch(link)
    return ready
  }

  /** The primary process listens. */
  listening(address: AddressInfo): void {
    this.#address = address
    for (const link of this.#links) link.listening(address)
  }

  /**
   * Gives a connection to the worker with the fewest, in turn where several have as many. A blocked worker gets one only if all are. It
   * waits while no worker serves. While the server ends, a worker that still answers requests refuses new ones.
   *
   * @param attempts workers that did not get it, because they ended meanwhile
   */
  accept(socket: Socket, attempts = 0): void {
    const least = leastBusy(this.#links) ?? (this.#isStopping ? leastBusy(this.#links, "stopping") : undefined)
    if (least !== undefined) {
      // The last in the order, so that equal workers get connections alternately.
      this.#links.delete(least)
      this.#links.add(least)
      least.hand(socket, (wasSent) => this.#comesBack(socket, wasSent ? attempts + 1 : attempts))
    } else if (this.#isStopping) socket.destroy()
    else this.#waiting.add(socket)
  }

  #comesBack(socket: Socket, attempts: number): void {
    if (attempts >= MAX_ATTEMPTS) socket.destroy()
    else if (!socket.destroyed) this.accept(socket, attempts)
  }

  /**
   * Replaces every worker by a new process, which reads the program and the configuration again. Ends when the new workers
   * serve; old ones may still answer requests. Rejects when a new worker cannot start: the old ones then stay.
   */
  async reload(): Promise<string> {
    if (this.#isReloading) throw new Error("a reload is running already: wait for its end")
    if (this.#isStopping) throw new Error("the server is stopping")
    this.#isReloading = true
    try {
      return await this.#replaceAll()
    } finally {
      this.#isReloading = false
    }
  }

  async #replaceAll(): Promise<string> {
    const old = this.all.filter(isPresent)
    const { link, ready } = await this.#configuring()
    this.#configured(ready)
    // A worker that replaced a dead one during the reload has the earlier settings, so it is replaced, too.
    const before = [...new Set([...old, ...this.all.filter(isPresent)])].filter((each) => each !== link)
    this.#count = this.#countOf(ready)
    for (let at = 0; at < Math.max(before.length, this.#count); at++) {
      // No more new workers start than the configuration asks for. The successor of a new worker that has died is one of them.
      if (at > 0 && at < this.#count && this.#present(before) < this.#count)
        await this.#fresh({}, `${at} of ${before.length} workers are replaced, and the others stay`)
      // A worker that replaces a dead one may still start.
      await before[at]?.ready.catch(() => undefined)
      before[at]?.retire()
    }
    this.#parts.log("info", `The workers were replaced: ${this.#names()}`)
    const started = `${this.#count} ${this.#count === 1 ? "worker" : "workers"} started with the present program and configuration.\n`
    for (const { level, text } of ready.notes ?? []) this.#parts.log(level, text)
    return started + keptLines(this.#parts.held, ready) + noteLines(ready)
  }

  /** Starts the worker that reads the configuration. */
  async #configuring(): Promise<StartedWorker> {
    const first = await this.#fresh({ isFresh: true }, "The old workers stay")
    const workers = this.#countOf(first.ready)
    if (workers === this.#count) return first
    // Its heap has the size for the former number. Its limits of memory, which all workers get, would depend on this heap.
    first.link.retire()
    return this.#fresh({ isFresh: true, workers }, "The old workers stay")
  }

  /** The new number of workers; `auto` keeps the present one. With 1, one worker process stays until a restart. */
  #countOf({ workers }: WorkerReady): number {
    return typeof workers === "number" ? workers : this.#count
  }

  /** Starts a worker beside the others. `kept` says which of them stay if it cannot start. */
  async #fresh(worker: Partial<NewWorker>, kept: string): Promise<StartedWorker> {
    const link = this.#fork(worker)
    try {
      return { link, ready: await this.#started(link) }
    } catch (cause) {
      const message = errorOf(cause).message.replace(/\.$/, "")
      // Workers that died meanwhile were not replaced, because this one was starting. A configuration with more workers misses several.
      const missing = this.#count - this.#present()
      for (let i = 0; i < missing; i++) void this.#replace(`Worker ${link.number} cannot start: ${message}`, i === 0)
      throw new Error(`the new worker ${link.number} cannot start: ${message}. ${kept}`)
    }
  }

  /** `1 is process 4711, 2 is process 4712`. */
  #names(): string {
    const serving = this.all.filter(({ state }) => state === "serving")
    return serving.map(({ number, pid }) => `${number} is process ${pid}`).join(", ")
  }

  /** The server ends: no worker is replaced any more. */
  endReplacing(): void {
    this.#isStopping = true
    this.#stopped.abort()
  }

  /** Lets all workers end, and waits for it. */
  async stop(): Promise<void> {
    this.endReplacing()
    for (const socket of this.#waiting.take()) socket.destroy()
    await Promise.all(this.all.map((link) => link.stop(this.#parts.shutdownTimeoutMs + STOP_EXTRA_MS)))
  }

  /**
   * Makes every worker open its log again. The signal would end a worker that does not handle it yet: one that starts gets it when it
   * serves, because it may have opened the log before.
   */
  reopenLogs(): void {
    for (const link of this.#links) {
      if (link.state === "starting") this.#toReopen.add(link)
      else if (link.state !== "failed" && link.state !== "ended") link.signal("SIGHUP")
    }
  }

  /** Starts a process with the lowest free number. Throws when the server stops: no other call would end the process. */
  #fork({ isFirst = false, isFresh = false, workers = this.#count }: Partial<NewWorker> = {}): WorkerLink {
    if (this.#isStopping) throw new Error("the server is stopping")
    const taken = new Set(this.all.map(({ number }) => number))
    let number = 1
    while (taken.has(number)) number++
    const link = this.#parts.fork({ number, isFirst, isFresh, workers })
    this.#links.add(link)
    link.channel.onBlocked(() => {
      const other = leastBusy(this.#links)
      if (other !== undefined && !other.isBlocked) link.channel.takeBack()
    })
    void link.ended.then((exit) => {
      this.#links.delete(link)
      link.lastWork = this.#parts.onEnd(link, exit)
    })
    void link.ready.then(
      () => {
        if (this.#address !== undefined) link.listening(this.#address)
        if (this.#toReopen.delete(link)) link.signal("SIGHUP")
        for (const socket of this.#waiting.take()) this.accept(socket)
      },
      () => undefined
    )
    return link
  }

  /**
   * Replaces a worker when it begins to end by itself, or dies. One that is replaced or was told to end must end in order.
   */
  #watch(link: WorkerLink): void {
    let isReplaced = false
    void link.left.then(() => {
      if (this.#isStopping) return
      isReplaced = true
      void this.#replace(`Worker ${link.number} (process ${link.pid}) ends without an order of the primary process`)
    })
    void link.ended.then((exit) => {
      if (!this.#isStopping && !exit.isExpected && !isReplaced) void this.#replace(endText(link, exit))
      else if (exit.code !== 0) this.#parts.log("error", `${endText(link, exit)} before it had answered all requests`)
    })
  }

  /**
   * Starts workers in the place of one that is missing until one of them serves. `cause` is a sentence for the log. `isDeath`: the
   * cause counts for the delay of the next start.
   */
  async #replace(cause: string, isDeath = true): Promise<void> {
    const { log } = this.#parts
    let what = cause
    for (let counts = isDeath; ; counts = true) {
      const delayMs = counts ? this.#delays.died(performance.now()) : 0
      if (delayMs === 0) log("error", `${what}; a new one starts`)
      else {
        const many = `${this.#delays.recent} workers have ended within a minute`
        log("error", `${what}; ${many}, so the next one starts after ${delayMs} ms`)
        await sleep(delayMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined)
      }
      // A reload may have started enough workers since.
      if (this.#isStopping || this.#present() >= this.#count) return
      try {
        const link = this.#fork()
        const ready = await this.#started(link)
        log("info", `Worker ${link.number} (process ${link.pid}) serves`)
        if (ready.version !== this.#version) this.#differs(link, ready)
        // A reload may have started all workers while this one started.
        if (this.#present() > this.#count) link.retire()
        return
      } catch (cause) {
        if (this.#isStopping) return
        what = `A worker cannot start: ${errorOf(cause).message}`
      }
    }
  }

  /** A replacement of another version has read the present configuration. */
  #differs({ number, pid }: WorkerLink, { notes = [], version }: WorkerReady): void {
    const { log } = this.#parts
    log(
      "error",
      `Worker ${number} (process ${pid}) has version ${version ?? "unknown"} of the program and the present configuration, but the ` +
        `workers of the last start have version ${this.#version ?? "unknown"}: use 'reload' to replace them, too`
    )
    for (const { level, text } of notes) log(level, text)
  }

  /** The number of workers that serve or will serve, without the `old` ones. */
  #present(old: ReadonlyArray<WorkerLink> = []): number {
    return this.all.filter((link) => isPresent(link) && !old.includes(link)).length
  }
}

const isPresent = ({ state }: WorkerLink): boolean => state === "serving" || state === "starting"
