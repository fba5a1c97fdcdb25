import type { Socket } from "node:net"

/** A connection on its way to the other process. */
interface Handed {
  readonly socket: Socket
  /** Runs when the other process did not get the connection. */
  readonly onFailure: () => void
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
 * file descriptor left, and Node.js sends no connection twice that its sender keeps open.
 */
export class HandedConnections {
  readonly #check: (number: number) => void
  readonly #handed = new Map<number, Handed>()
  #last = 0
  /** Since when the other process has taken none of the connections that wait for it, ms of `performance.now()`. */
  #waitingSince: number | undefined
  #timer: NodeJS.Timeout | undefined
  /** The number up to which the other process was asked. */
  #checked = 0

  /** @param check asks the other process to report which connections up to this number it has taken */
  constructor(check: (number: number) => void) {
    this.#check = check
  }

  /** Adds a connection, and returns its number. `onFailure` runs in a later turn of the event loop if it does not arrive. */
  add(socket: Socket, onFailure: () => void): number {
    this.#waitingSince ??= performance.now()
    this.#handed.set(++this.#last, { socket, onFailure, isSent: false, report: "none" })
    this.#checkLater()
    return this.#last
  }

  /** The system has sent a connection, or has not (`isSent` is false). */
  sent(number: number, isSent: boolean): void {
    const handed = this.#handed.get(number)
    if (handed === undefined) return
    if (!isSent) handed.report = "lost"
    handed.isSent = true
    this.#settle(number, handed)
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
    for (const [number, handed] of this.#handed) {
      if (handed.report === "none") handed.report = handed.isSent ? "taken" : "lost"
      handed.isSent = true
      this.#settle(number, handed)
    }
    this.#nextWaits()
  }

  /** Nothing of a lost connection was read, so another process can take it. */
  #settle(number: number, { isSent, onFailure, report, socket }: Handed): void {
    if (!isSent || report === "none") return
    this.#handed.delete(number)
    if (report === "taken") socket.destroy()
    else setImmediate(onFailure)
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
      if (this.waitingMs >= CHECK_MS && this.#checked < this.#last) {
        this.#checked = this.#last
        this.#check(this.#last)
      }
      this.#checkLater()
    }, CHECK_MS)
    this.#timer.unref()
  }
}
