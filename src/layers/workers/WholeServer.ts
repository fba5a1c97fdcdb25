import type { Socket } from "node:net"
import { errorOf } from "../../scheduling/Pending.ts"
import type { LogControl, LogLevelName } from "../../services/LogControl.ts"
import { alsoStarting, type PeerAnswer } from "../../services/Peers.ts"
import type { RequestIdentity } from "../../services/RequestRecords.ts"
import { BlockedRequests } from "./BlockedRequests.ts"
import type { ForPeers } from "./Calls.ts"
import { CausesOfDeath } from "./CausesOfDeath.ts"
import { CUT } from "./RequestIdentity.ts"
import { RunningDrops } from "./RunningDrops.ts"
import { ServerMetrics } from "./ServerMetrics.ts"
import { leastBusy, type WorkerExit, type WorkerLink } from "./WorkerLink.ts"

/** Time that a worker has for an answer, ms. */
const ANSWER_MS = 3_000

/** Workers to which a connection of the control socket is offered. A socket that no process takes is broken. */
const MAX_ATTEMPTS = 8

/** What the primary process does between the workers: it passes their questions on, and keeps what outlives a worker. */
export class WholeServer {
  readonly metrics: ServerMetrics
  readonly #workers: () => ReadonlyArray<WorkerLink>
  readonly #blocked = new BlockedRequests()
  readonly #causes = new CausesOfDeath()
  readonly #drops = new RunningDrops()
  readonly #log: typeof LogControl.Service | undefined
  /** The worker whose question, whether all others have ended, is the newest. */
  #asker: WorkerLink | undefined
  /** Wakes the worker that asked before it. */
  #overtake: () => void = () => undefined
  /** A worker was told that it is the last one. */
  #hadLast = false
  /** The level of the log after a change; null: each process has the configured one. */
  #logLevel: LogLevelName | null = null

  /**
   * @param workers the workers that run now
   * @param log the level of this process's log
   */
  constructor(workers: () => ReadonlyArray<WorkerLink>, log: typeof LogControl.Service | undefined) {
    this.#workers = workers
    this.#log = log
    this.metrics = new ServerMetrics(workers, () => this.#blocked.blocked(performance.now()).length)
  }

  /** Answers the questions of a worker from its start to its end. */
  attend(link: WorkerLink): WorkerLink {
    this.metrics.attend(link)
    link.channel.onQuestion("others", (question) => {
      this.#drops.follow(link, question)
      return this.#pass(link, question)
    })
    link.channel.onQuestion("graphDrops", () => this.#drops.others(link))
    void link.ended.then(() => this.#drops.ended(link))
    link.channel.onQuestion("logLevel", (level) => {
      this.#logLevel = level
      this.#log?.change(level ?? this.#log.configured)
      return this.#pass(link, { name: "logLevel", body: level, answerMs: ANSWER_MS })
    })
    link.channel.onQuestion("last", () => this.#isLast(link))
    void link.ready.then(() => this.#catchUp(link)).catch(() => undefined)
    return link
  }

  /** Asks all workers but one. */
  #pass(from: WorkerLink | undefined, { answerMs, body, name }: ForPeers): Promise<ReadonlyArray<PeerAnswer<unknown>>> {
    if (alsoStarting.has(name)) this.#tellStarting(from, { name, body })
    const others = this.#running().filter((link) => link !== from)
    return Promise.all(
      others.map(({ channel, number }) =>
        channel.ask("peer", { name, body }, answerMs).then(
          (answer): PeerAnswer<unknown> => ({ worker: number, answer }),
          (cause): PeerAnswer<unknown> => ({ worker: number, reason: errorOf(cause).message })
        )
      )
    )
  }

  /** Tells the workers that start. Their answers are not needed: what they do not take yet, they read later. */
  #tellStarting(from: WorkerLink | undefined, question: Omit<ForPeers, "answerMs">): void {
    for (const link of this.#workers()) {
      if (link !== from && link.state === "starting") link.channel.ask("peer", question).catch(() => undefined)
    }
  }

  /**
   * Whether all other workers have ended. Waits while others end. If several workers ask, it is true for the one that asks last. A
   * worker that was told to end before it served is not waited for, and is itself the last one only if no other is.
   */
  async #isLast(link: WorkerLink): Promise<boolean> {
    this.#overtake()
    this.#asker = link
    const overtaken = new Promise<void>((resolve) => {
      this.#overtake = resolve
    })
    for (;;) {
      const others = this.#workers().filter((other) => other !== link && holdsEnd(other))
      if (this.#asker !== link || others.some(goesOn) || (this.#hadLast && !link.hasServed)) return false
      if (others.length === 0) {
        this.#hadLast = true
        return true
      }
      await Promise.race([overtaken, ...others.map(({ ended }) => ended)])
    }
  }

  /** Tells a worker that has just started what changed before. */
  async #catchUp({ channel }: WorkerLink): Promise<void> {
    await channel.ask("peer", { name: "blocked", body: this.#blocked.blocked(performance.now()) })
    if (this.#logLevel !== null) await channel.ask("peer", { name: "logLevel", body: this.#logLevel })
  }

  /**
   * A worker died. `request`: what had its event loop. Returns a sentence for the log, after a space, when the request is refused
   * from now on.
   */
  died(exit: WorkerExit, request: RequestIdentity | undefined): string {
    if (request === undefined || !this.#causes.isOwn(exit)) return ""
    // Only a part of the request is known: others with the same part would be refused, too.
    if (request.bindings.endsWith(CUT)) return ""
    if (!this.#blocked.died(request, performance.now())) return ""
    void this.#tellBlocked()
    return "; this request is refused for ten minutes, because two workers died of it"
  }

  /** A line about each request that is refused. */
  get blockedLines(): ReadonlyArray<string> {
    return this.#blocked.lines(performance.now())
  }

  /** Allows all requests again. Returns a line for the administrator. */
  async unblock(): Promise<string> {
    const count = this.#blocked.clear(performance.now())
    const silent = await this.#tellBlocked()
    const workers = silent.length === 0 ? "" : `WARNING: these workers did not answer: ${silent.join(", ")}\n`
    return `${count} ${count === 1 ? "request is" : "requests are"} allowed again.\n${workers}`
  }

  /** Tells all workers what is refused. Returns those that do not answer. */
  async #tellBlocked(): Promise<ReadonlyArray<number>> {
    const body = this.#blocked.blocked(performance.now())
    const answers = await this.#pass(undefined, { name: "blocked", body, answerMs: ANSWER_MS })
    return answers.flatMap((one) => ("answer" in one ? [] : [one.worker]))
  }

  /** Ends with the server. */
  close(): void {
    this.#causes.close()
  }

  /** Workers that may have requests. */
  #running(): ReadonlyArray<WorkerLink> {
    return this.#workers().filter(({ state }) => state !== "starting" && state !== "failed" && state !== "ended")
  }

  /**
   * Gives a connection of the control socket to the worker with the fewest connections.
   *
   * @param attempts workers that did not get it, because they ended or had no room for it. One that was busy does not count
   */
  forward(socket: Socket, line: string, attempts = 0): void {
    const link = leastBusy(this.#workers())
    if (link === undefined) socket.end("error: no worker serves now; try again later\n")
    else if (attempts >= MAX_ATTEMPTS) socket.end("error: no worker took the command; try again later\n")
    else {
      const again = (wasSent: boolean): void => this.forward(socket, line, wasSent ? attempts + 1 : attempts)
      link.channel.hand(socket, again, "control", line)
    }
  }
}

/** A worker without which the server has not ended. */
const holdsEnd = ({ hasServed, state }: WorkerLink): boolean => state !== "ended" && (hasServed || state === "starting")

const goesOn = ({ state }: WorkerLink): boolean => state === "starting" || state === "serving"
