import type { ChildProcess } from "node:child_process"
import type { Socket } from "node:net"
import { errorOf } from "../../scheduling/Pending.ts"
import type { Notices, Questions } from "./Calls.ts"
import { HandedConnections, type HandingFailure } from "./HandedConnections.ts"
import { WaitLimit } from "./WaitLimit.ts"

/** The end of a channel between two processes: a child process, or `process` in the child. */
type End = Pick<ChildProcess, "connected" | "off" | "on" | "send">

/**
 * A message between two processes. Questions and connections have numbers. A notice that is `handed` has a connection, and its receiver
 * sends the numbers of the connections that it has `taken`, up to the last message `handed` or `check`.
 */
type Message =
  | { readonly kind: "handed"; readonly number: number; readonly name: keyof Notices; readonly body: unknown }
  | { readonly kind: "check"; readonly number: number }
  | { readonly kind: "taken"; readonly numbers: ReadonlyArray<number>; readonly upTo: number }
  | { readonly kind: "question"; readonly number: number; readonly name: keyof Questions; readonly body: unknown }
  | { readonly kind: "notice"; readonly name: keyof Notices; readonly body: unknown }
  | { readonly kind: "answer"; readonly number: number; readonly body: unknown }
  | { readonly kind: "failure"; readonly number: number; readonly reason: string }

type NoticeHandler = (body: unknown, socket: Socket | undefined) => void
type QuestionHandler = (body: unknown) => unknown

interface Asked {
  readonly resolve: (body: unknown) => void
  readonly reject: (error: Error) => void
  readonly limit: WaitLimit
}

/** Time for an answer of the other process, ms. A process whose event loop is blocked gives none. */
const ANSWER_MS = 5_000

/** Notices and questions between the primary process and a worker. */
export class Channel {
  readonly #end: End
  readonly #onNotice = new Map<keyof Notices, NoticeHandler>()
  readonly #onQuestion = new Map<keyof Questions, QuestionHandler>()
  readonly #asked = new Map<number, Asked>()
  readonly #handed = new HandedConnections({
    send: (number, socket, given, onSent) => {
      const message = { ...(given as object), number }
      if (!this.#end.connected) onSent(false)
      else this.#end.send(message, socket, { keepOpen: true }, (error) => onSent(error === null))
    },
    // Node.js sends no message after a connection before the other process has received it.
    check: (number, onSent) => this.#send({ kind: "check", number }, onSent)
  })
  /** Numbers of the connections that this process has taken in this turn of the event loop. */
  #taking: Array<number> = []
  /** Number of the last connection that the other process has sent, as far as it is known and not confirmed. */
  #upTo: number | undefined
  #asks = 0

  constructor(end: End) {
    this.#end = end
    end.on("message", this.#receive)
    end.on("disconnect", this.#fail)
  }

  /** Handles the notices of the other process with this name. `socket`: the connection that was sent with it. */
  onNotice<N extends keyof Notices>(name: N, handler: (body: Notices[N], socket: Socket | undefined) => void): void {
    this.#onNotice.set(name, handler as NoticeHandler)
  }

  /** Handles the questions of the other process with this name. The result, or what its Promise resolves to, is the answer. */
  onQuestion<N extends keyof Questions>(
    name: N,
    handler: (body: Questions[N][0]) => Questions[N][1] | Promise<Questions[N][1]>
  ): void {
    this.#onQuestion.set(name, handler as QuestionHandler)
  }

  /** Sends a notice. A notice to a process that has ended is dropped. */
  tell<N extends keyof Notices>(name: N, body: Notices[N]): void {
    this.#send({ kind: "notice", name, body })
  }

  /**
   * Sends a connection with a notice. This process closes its own descriptor when the other process has the connection.
   * `onFailure` runs in a later turn of the event loop when the connection did not arrive: it is still open then. A connection
   * that was sent to a process which ended is closed, because it is unknown how much of it was read.
   */
  hand<N extends "connection" | "control">(socket: Socket, onFailure: HandingFailure, name: N, body: Notices[N]): void {
    this.#handed.add(socket, { kind: "handed", name, body }, onFailure)
  }

  /** Calls back again and again while the other process takes no connection, and some were not sent: {@link takeBack} returns these. */
  onBlocked(listener: () => void): void {
    this.#handed.onBlocked = listener
  }

  /** Resolves when all connections were sent. A message that is sent then arrives after them. */
  allHanded(): Promise<void> {
    return this.#handed.noneWaits()
  }

  /** Takes back the connections that were not sent: their `onFailure` runs. */
  takeBack(): void {
    this.#handed.takeBack()
  }

  /** How long the other process has taken none of the connections that wait for it, ms; 0 when none waits. */
  get waitingMs(): number {
    return this.#handed.waitingMs
  }

  /** Tells the other process which connections this one has: in one message for all of a turn of the event loop. */
  #confirm(upTo: number): void {
    const isFirst = this.#upTo === undefined
    this.#upTo = upTo
    if (!isFirst) return
    setImmediate(() => {
      this.#send({ kind: "taken", numbers: this.#taking, upTo: this.#upTo! })
      this.#taking = []
      this.#upTo = undefined
    })
  }

  /** Sends a question and waits for its answer. Rejects when the other process ends, fails, or does not answer in time. */
  ask<N extends keyof Questions>(name: N, body: Questions[N][0], answerMs = ANSWER_MS): Promise<Questions[N][1]> {
    return new Promise((resolve, reject) => {
      const number = ++this.#asks
      const limit = new WaitLimit(answerMs, () => {
        this.#asked.delete(number)
        reject(new Error(`the process did not answer '${name}' within ${answerMs} ms`))
      })
      this.#asked.set(number, { resolve: resolve as (body: unknown) => void, reject, limit })
      this.#send({ kind: "question", number, name, body })
      if (!this.#end.connected) this.#fail()
    })
  }

  /** Ends the channel on this side: questions without an answer fail. */
  close(): void {
    this.#end.off("message", this.#receive)
    this.#end.off("disconnect", this.#fail)
    this.#fail()
  }

  #send(message: Message, onSent: () => void = () => undefined): void {
    // The other process may end at any time; its exit is reported elsewhere.
    if (this.#end.connected) this.#end.send(message, onSent)
  }

  readonly #fail = (): void => {
    this.#handed.end()
    for (const [number, asked] of this.#asked) this.#settle(number, asked).reject(new Error("the process has ended"))
  }

  #settle(number: number, asked: Asked): Asked {
    asked.limit.cancel()
    this.#asked.delete(number)
    return asked
  }

  readonly #receive = (given: unknown, attached?: unknown): void => {
    const message = given as Message
    const socket = attached as Socket | undefined
    switch (message.kind) {
      case "notice":
        this.#onNotice.get(message.name)?.(message.body, undefined)
        return
      case "handed":
        this.#onNotice.get(message.name)?.(message.body, socket)
        this.#taking.push(message.number)
        this.#confirm(message.number)
        return
      case "check":
        this.#confirm(message.number)
        return
      case "taken":
        this.#handed.reported(message.numbers, message.upTo)
        return
      case "question":
        void this.#answer(message.number, message.name, message.body)
        return
      case "answer":
      case "failure": {
        const asked = this.#asked.get(message.number)
        // The question may have timed out.
        if (asked === undefined) return
        this.#settle(message.number, asked)
        if (message.kind === "answer") asked.resolve(message.body)
        else asked.reject(new Error(message.reason))
      }
    }
  }

  async #answer(number: number, name: keyof Questions, body: unknown): Promise<void> {
    const handler = this.#onQuestion.get(name)
    try {
      if (handler === undefined) throw new Error(`this process has no answer to '${name}'`)
      this.#send({ kind: "answer", number, body: await handler(body) })
    } catch (cause) {
      this.#send({ kind: "failure", number, reason: errorOf(cause).message })
    }
  }
}

/** The end of a worker's channel to the process that forked it. */
export const channelToParent = (): Channel => new Channel(process as unknown as End)
