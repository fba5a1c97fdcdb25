import { EventEmitter } from "node:events"
import type { WorkerReady } from "../../../src/layers/workers/Calls.ts"
import type { HeldSettings } from "../../../src/layers/workers/HeldSettings.ts"

/** The settings of fake processes that the primary process has. */
export const heldByFakes: HeldSettings = { host: "127.0.0.1", port: 0, version: "1.0.0", others: {} }

/** A worker process whose messages and end the test decides. */
export class FakeProcess extends EventEmitter {
  readonly pid: number
  connected = true
  readonly sent: Array<{ readonly kind: string; readonly name?: string; readonly body?: unknown }> = []
  /** It takes no connections. */
  refuses = false
  readonly signals: Array<string> = []

  constructor(pid: number) {
    super()
    this.pid = pid
  }

  send(message: { readonly kind: string }, ...rest: ReadonlyArray<unknown>): boolean {
    this.sent.push(message)
    const done = rest.at(-1)
    if (typeof done === "function")
      queueMicrotask(() => done(this.refuses && message.kind === "handed" ? new Error("refused") : null))
    return true
  }

  kill(signal: string): void {
    this.signals.push(signal)
  }

  /** The worker serves. Its configuration has so many workers. `more`: what else it reports. */
  ready(workers = 2, more: Partial<WorkerReady> = {}): void {
    this.emit("message", { kind: "notice", name: "ready", body: { held: heldByFakes, workers, ...more } })
  }

  /** The worker begins to end by itself. */
  leaves(): void {
    this.emit("message", { kind: "notice", name: "leaving", body: null })
  }

  /** The worker ends, and has answered its requests. */
  drains(): void {
    this.emit("message", { kind: "question", number: 8, name: "drained", body: null })
  }

  /** The worker asks whether it is the last one. Returns the answer; undefined while there is none. */
  asksLast(): () => unknown {
    this.emit("message", { kind: "question", number: 7, name: "last", body: null })
    return () => this.sent.find(({ kind }) => kind === "answer")?.body
  }

  /** Answers the last question that it was asked. */
  answers(body: unknown): void {
    this.emit("message", { ...this.sent.findLast(({ kind }) => kind === "question"), kind: "answer", body })
  }

  /** The connections that it was given. */
  get handed(): number {
    return this.sent.filter(({ name }) => name === "connection").length
  }

  /** The start of the worker fails. Its process goes on for a while. */
  fails(reason: string): void {
    this.emit("message", { kind: "question", id: 1, name: "failed", body: reason })
  }

  /** The process ends. */
  end(code: number | null, signal: string | null = null): void {
    this.connected = false
    this.emit("disconnect")
    this.emit("exit", code, signal)
  }

  has(notice: string): boolean {
    return this.sent.some(({ name }) => name === notice)
  }
}
