import type { Socket } from "node:net"

/** Runs when the other process did not get a connection. `wasSent`: it was sent, or the other process has ended. */
export type HandingFailure = (wasSent: boolean) => void

/** The way to the other process. */
interface Way {
  /** Sends a connection with a message. `onSent`: the system has sent it, or has not. */
  readonly send: (number: number, socket: Socket, message: unknown, onSent: (isSent: boolean) => void) => void
  /**
   * Asks the other process to report which connections up to this number it has taken. `onSent` runs when the question has left: then the
   * other process has received the last connection.
   */
  readonly check: (number: number, onSent: () => void) => void
}

/** A connection on its way to the other process. */
interface Handed {
  readonly socket: Socket
  readonly message: unknown
  readonly onFailure: HandingFailure
  /** The system has sent it. */
  isSent: boolean
  /** What the other process has reported. */
  report: "none" | "taken" | "lost"
}

/**
 * Time without a connection taken after which the other process is asked whether those that wait have arrived, ms. No answer comes while
 * its event loop is busy.
 */
const CHECK_MS = 100

/**
 * Connections that this process sends to another one, by their numbers, until the other process reports that it has them. Messages arrive
 * in their order. A connection that is missing between two others was therefore lost: the system drops it when the other process has no
 * file descriptor left, and Node.js sends no connection twice that its sender keeps open. One connection is under way at a time. The others
 * wait here, and not in Node.js, so that they can be taken back while the other process is blocked.
 */
export class HandedConnections {
  readonly #way: Way
  readonly #handed = new Map<number, Handed>()
  #last = 0
  /** Numbers of the connections that wait here. */
  readonly #waiting = new Set<number>()
  /** The connection that is under way, and the last one that was sent; 0 = none. */
  #underWay = 0
  #lastSent = 0
  /** Since when the other process has taken none of the connections that wait for it, ms of `performance.now()`. */
  #waitingSince: number | undefined
  #timer: NodeJS.Timeout | undefined
  /** The number up to which the other process was asked. */
  #checked = 0
  /** Wakes those who wait until no connection waits here. */
  #onNoneWaits: Array<() => void> = []
  /** Runs again and again while the other process takes no connection, and some wait here. */
  onBlocked: () => void = () => undefined

  constructor(way: Way) {
    this.#way = way
  }

  /** Sends a connection with a message. `onFailure` runs in a later turn of the event loop if it does not arrive. */
  add(socket: Socket, message: unknown, onFailure: HandingFailure): void {
    this.#waitingSince ??= performance.now()
    this.#handed.set(++this.#last, { socket, message, onFailure, isSent: false, report: "none" })
    this.#waiting.add(this.#last)
    this.#checkLater()
    if (this.#underWay === 0) this.#sendNext()
    else this.#ask(this.#underWay)
  }

  /** Resolves when no connection waits here. A message that is sent then arrives after all connections. */
  noneWaits(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#onNoneWaits.push(resolve))
  }

  /** Takes back the connections that wait here: `onFailure` runs for each. */
  takeBack(): void {
    for (const number of this.#waiting) {
      const handed = this.#handed.get(number)
      this.#handed.delete(number)
      if (handed !== undefined) setImmediate(() => handed.onFailure(false))
    }
    this.#waiting.clear()
    this.#wake()
    this.#nextWaits()
  }

  #sendNext(): void {
    const [number] = this.#waiting
    this.#underWay = number ?? 0
    if (number === undefined) return
    this.#waiting.delete(number)
    this.#lastSent = number
    const { message, socket } = this.#handed.get(number)!
    this.#way.send(number, socket, message, (isSent) => this.#sent(number, isSent))
    if (this.#waiting.size === 0) this.#wake()
    else if (this.#underWay === number) this.#ask(number)
  }

  #wake(): void {
    for (const wake of this.#onNoneWaits.splice(0)) wake()
  }

  /** Asks about the connection that is under way. */
  #ask(number: number): void {
    if (this.#checked >= number) return
    this.#checked = number
    this.#way.check(number, () => this.#arrived(number))
  }

  /** The connection is no longer under way: it has arrived, or was lost. */
  #arrived(number: number): void {
    if (this.#underWay === number) this.#sendNext()
  }

  /** The system has sent a connection, or has not (`isSent` is false). */
  #sent(number: number, isSent: boolean): void {
    const handed = this.#handed.get(number)
    if (handed === undefined) return
    if (!isSent) handed.report = "lost"
    handed.isSent = true
    this.#settle(number, handed)
    if (!isSent) this.#arrived(number)
    this.#nextWaits()
  }

  /** The other process has taken the connections with these numbers. Others up to the number `upTo` are lost. */
  reported(numbers: ReadonlyArray<number>, upTo: number): void {
    for (const number of numbers) {
      const handed = this.#handed.get(number)
      if (handed !== undefined) handed.report = "taken"
    }
    for (const [number, handed] of this.#handed) {
      if (number > upTo) break
      if (handed.report === "none") handed.report = "lost"
      this.#settle(number, handed)
    }
    this.#waitingSince = performance.now()
    if (this.#underWay <= upTo) this.#arrived(this.#underWay)
    this.#nextWaits()
  }

  /**
   * How long the other process has taken none of the connections that wait for it, ms; 0 when none waits. Pauses of this process do not
   * count: meanwhile the other one may have taken all.
   */
  get waitingMs(): number {
    return this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince
  }

  /**
   * The other process has ended. A connection that was sent is closed, because it is unknown how much of it was read. The others have
   * not arrived.
   */
  end(): void {
    this.#waiting.clear()
    this.#wake()
    for (const [number, handed] of this.#handed) {
      if (handed.report === "none") handed.report = handed.isSent ? "taken" : "lost"
      handed.isSent = true
      this.#settle(number, handed)
    }
    this.#underWay = 0
    this.#nextWaits()
  }

  /** Nothing of a lost connection was read, so another process can take it. */
  #settle(number: number, { isSent, onFailure, report, socket }: Handed): void {
    if (!isSent || report === "none") return
    this.#handed.delete(number)
    if (report === "taken") socket.destroy()
    else setImmediate(() => onFailure(true))
  }

  #nextWaits(): void {
    if (this.#handed.size > 0) return
    this.#waitingSince = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #checkLater(): void {
    if (this.#timer !== undefined) return
    const due = performance.now() + CHECK_MS
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#waitingSince === undefined) return
      // The timer is late by the time in which this process did not run. A report may have been read since: the wait began again then.
      this.#waitingSince += performance.now() - Math.max(due, this.#waitingSince)
      if (this.waitingMs >= CHECK_MS) {
        this.#ask(this.#lastSent)
        if (this.#waiting.size > 0) this.onBlocked()
      }
      this.#checkLater()
    }, CHECK_MS)
    this.#timer.unref()
  }
}
