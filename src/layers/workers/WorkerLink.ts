import type { ChildProcess } from "node:child_process"
import type { AddressInfo, Socket } from "node:net"
import type { WorkerReady } from "./Calls.ts"
import { Channel } from "./Channel.ts"
import type { HandingFailure } from "./HandedConnections.ts"

/** Time for a worker to answer whether it still works, ms. */
const SIGN_OF_LIFE_MS = 5_000

/** Time in which a worker takes a connection, ms. The slices of requests are far shorter. */
const BLOCKED_MS = 100

/**
 * - starting: it opens its graphs
 * - failed: its start has failed, and its process ends
 * - serving: it takes connections
 * - leaving: it ends without an order, for example after a SIGTERM of its own; it answers the requests that it has
 * - retiring: another worker has its place; it serves the connections that it has
 * - stopping: the server ends
 * - ended: the process has ended
 */
type WorkerState = "starting" | "failed" | "serving" | "leaving" | "retiring" | "stopping" | "ended"

/** A worker that starts. */
export interface NewWorker {
  readonly number: number
  /** It is the first one of the server, which creates and fills graphs. */
  readonly isFirst: boolean
  /** It is the first one of a start or reload, which reads the configuration. */
  readonly isFresh: boolean
  /** The number of workers of the server. */
  readonly workers: number
}

/** How a process ended: exit status or signal. */
export interface WorkerExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The primary process had told the worker to end. */
  readonly isExpected: boolean
  /** The server was ending. A worker that another one has replaced is expected to end, too, but it still evaluates requests. */
  readonly isStopped: boolean
}

/** The start of a worker failed. The message is for the operator. */
class WorkerStartFailed extends Error {}

/** A worker as the primary process sees it. */
export class WorkerLink {
  readonly number: number
  readonly pid: number
  readonly startedAt = Date.now()
  /** What the process was doing when it ended, for the log; empty before, and when it was doing nothing. */
  lastWork = ""
  readonly channel: Channel
  /** Resolves when the worker can take connections. Rejects with {@link WorkerStartFailed}. */
  readonly ready: Promise<WorkerReady>
  /** Resolves when the worker begins to end without an order. One that dies does not say so. */
  readonly left: Promise<void>
  /** Resolves when the process has ended. */
  readonly ended: Promise<WorkerExit>
  readonly #child: ChildProcess
  #state: WorkerState = "starting"
  #hasServed = false
  #isDrained = false
  #handed = 0
  #closed = 0

  constructor(number: number, child: ChildProcess) {
    this.number = number
    this.#child = child
    this.pid = child.pid ?? 0
    this.channel = new Channel(child)
    this.channel.onNotice("closed", (count) => {
      this.#closed += count
    })
    this.channel.onQuestion("drained", async () => {
      this.#isDrained = true
      await this.channel.allHanded()
      return null
    })
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        const isStopped = this.#state === "stopping"
        const isExpected = isStopped || this.#state === "retiring"
        this.#state = "ended"
        this.channel.close()
        resolve({ code, signal, isExpected, isStopped })
      }
      child.once("exit", end)
      // The process could not be created, or a message could not be sent to it.
      child.once("error", () => {
        if (child.pid === undefined) end(null, null)
      })
    })
    this.ready = new Promise((resolve, reject) => {
      this.channel.onNotice("ready", (ready) => {
        // A worker that was told to end meanwhile takes no connections.
        if (this.#state !== "starting") return
        this.#state = "serving"
        this.#hasServed = true
        resolve(ready)
      })
      this.channel.onQuestion("failed", (reason) => {
        // Its process takes time to end. It has no place among the workers meanwhile.
        if (this.#state === "starting") this.#state = "failed"
        reject(new WorkerStartFailed(reason))
        return null
      })
      void this.ended.then((exit) =>
        reject(new WorkerStartFailed(`its process ended with ${exitText(exit)}; the log says why`))
      )
    })
    this.left = new Promise((resolve) => {
      this.channel.onNotice("leaving", () => {
        // A worker that was told to end says so, too.
        if (this.#state !== "serving") return
        this.#state = "leaving"
        resolve()
      })
    })
    // Without a handler, a failure before the first await of `ready` would be an unhandled rejection.
    this.ready.catch(() => undefined)
  }

  /** A process that ends closes its channel before the system reports its end. */
  get state(): WorkerState {
    return this.#child.connected ? this.#state : "ended"
  }

  /** The worker has taken connections, or takes them. */
  get hasServed(): boolean {
    return this.#hasServed
  }

  /** The worker has taken connections, and requests on new ones would get an answer. */
  get answers(): boolean {
    return this.#hasServed && !this.#isDrained
  }

  /** Connections that the worker has, including those on their way to it. */
  get connections(): number {
    return this.#handed - this.#closed
  }

  /** The worker does not take the connections that it was given: its event loop is busy, or its process is stopped. */
  get isBlocked(): boolean {
    return this.channel.waitingMs > BLOCKED_MS
  }

  /** Tells the worker where the primary process listens. */
  listening(address: AddressInfo): void {
    this.channel.tell("listening", address)
  }

  /** Gives a connection to the worker. `onFailure` runs when the worker did not get it. */
  hand(socket: Socket, onFailure: HandingFailure): void {
    this.#handed++
    const failed: HandingFailure = (wasSent) => {
      this.#handed--
      onFailure(wasSent)
    }
    this.channel.hand(socket, failed, "connection", null)
  }

  /** The worker takes no more connections, serves those that it has, and ends. */
  retire(): void {
    if (this.#state !== "serving") return
    this.#state = "retiring"
    // The worker ends when it has no connection, so none may come after the order.
    this.channel.takeBack()
    this.channel.tell("retire", null)
  }

  /**
   * Lets the worker end as after SIGTERM, and waits for its end. After `graceMs` a worker that no longer answers is killed. One
   * that answers may wait for a commit, which has no limit.
   */
  async stop(graceMs: number): Promise<void> {
    if (this.#state === "ended") return
    this.#state = "stopping"
    this.channel.tell("stop", null)
    const check = (): void => {
      this.channel.ask("alive", null, SIGN_OF_LIFE_MS).then(
        () => {
          timer = setTimeout(check, SIGN_OF_LIFE_MS)
        },
        () => this.#child.kill("SIGKILL")
      )
    }
    let timer = setTimeout(check, graceMs)
    await this.ended
    clearTimeout(timer)
  }

  /** The worker has its settings. While it waited for them, it has missed an order to stop. */
  settled(): void {
    if (this.#state === "stopping") this.channel.tell("stop", null)
  }

  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void {
    if (this.#state !== "ended") this.#child.kill(signal)
  }
}

/** `exit status 1`, or `signal SIGKILL`. */
export const exitText = ({ code, signal }: Pick<WorkerExit, "code" | "signal">): string =>
  signal === null ? `exit status ${code ?? "unknown"}` : `signal ${signal}`

/** How a worker ended, and what it was doing, for the log. */
export const endText = ({ lastWork, number, pid }: WorkerLink, exit: WorkerExit): string =>
  `Worker ${number} (process ${pid}) ended with ${exitText(exit)}${lastWork}`

/**
 * The worker with the fewest connections, and the first of several. One that takes no connections is the last choice.
 *
 * @param state of the workers that count: of a server that ends, those that are stopping and still answer requests
 */
export const leastBusy = (
  links: Iterable<WorkerLink>,
  state: "serving" | "stopping" = "serving"
): WorkerLink | undefined => {
  let least: WorkerLink | undefined
  for (const link of links) {
    if (link.state === state && link.answers && (least === undefined || isBusier(least, link))) least = link
  }
  return least
}

const isBusier = (one: WorkerLink, other: WorkerLink): boolean =>
  one.isBlocked === other.isBlocked ? one.connections > other.connections : one.isBlocked
