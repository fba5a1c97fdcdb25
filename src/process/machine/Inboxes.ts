import type { Batch } from "../plan/Batch.ts"
import { Inbox, type WaitingRows } from "./Inbox.ts"

/** The inboxes of all steps of one activation, by the index of the step. */
export class Inboxes {
  readonly #inboxes: Array<Inbox | undefined>
  /** Highest step index that may have input. */
  #deepest = -1
  /** Lowest step index that may have input: in a plan of thousands of steps most have no input any more. */
  #shallowest = Number.MAX_SAFE_INTEGER

  /** @param steps Number of steps in the plan. */
  constructor(steps: number) {
    this.#inboxes = new Array(steps)
  }

  /** The inbox of a step; undefined before its first rows came. */
  at(index: number): Inbox | undefined {
    return this.#inboxes[index]
  }

  /** Puts rows before a step. `goesFirst`: before those of other rounds of the loops. */
  push(index: number, batch: Batch, goesFirst: boolean): void {
    const inbox = this.#inboxes[index]
    if (inbox === undefined) {
      const fresh = new Inbox()
      fresh.push(batch)
      this.#inboxes[index] = fresh
    } else if (goesFirst) inbox.pushFirst(batch)
    else inbox.push(batch)
    if (index > this.#deepest) this.#deepest = index
    if (index < this.#shallowest) this.#shallowest = index
  }

  /** Index of the deepest step with input, or -1. */
  deepest(): number {
    let index = this.#deepest
    while (index >= this.#shallowest) {
      const inbox = this.#inboxes[index]
      if (inbox !== undefined && !inbox.isEmpty) break
      index--
    }
    if (index < this.#shallowest) {
      index = -1
      this.#shallowest = Number.MAX_SAFE_INTEGER
    }
    this.#deepest = index
    return index
  }

  /** Drops the rows before a step. */
  drop(index: number): void {
    this.#inboxes[index] = undefined
  }

  /** Adds what waits before all steps to `sum`. */
  addTo(sum: WaitingRows): void {
    for (const inbox of this.#inboxes) inbox?.addTo(sum)
  }
}
