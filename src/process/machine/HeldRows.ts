import type { Task } from "../../scheduling/Task.ts"

/** Rows that steps of one run gave out, in order. Each goes on after it was checked, and after those before it. */
export class HeldRows {
  #held: Array<{ readonly unchecked: Task | null; readonly goOn: () => void }> = []
  /** Whether rows are held back: what is given out waits behind them, and no step works. */
  isHolding = false

  /** Lets rows go on by `goOn` only after `unchecked`, if any, has come to its end, and after those held back before. */
  add(unchecked: Task | null, goOn: () => void): void {
    this.isHolding = true
    this.#held.push({ unchecked, goOn })
  }

  /** Works on the checks until one of them yields or all rows have gone on. */
  letGo(): void {
    const held = this.#held
    while (held.length > 0) {
      if (held[0]!.unchecked?.next().done === false) return
      this.isHolding = held.length > 1
      held.shift()!.goOn()
    }
  }
}
