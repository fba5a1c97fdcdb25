import type { Task } from "../../scheduling/Task.ts"

/** Emitted rows of one run that are not checked yet. They continue in order, each batch after its check. */
export class HeldRows {
  #held: Array<{ readonly unchecked: Task | null; readonly goOn: () => void }> = []
  /** Whether rows are held back. Then later rows queue up here, and no step runs. */
  isHolding = false

  /** Calls `goOn` after the check `unchecked`, if any, has ended, and after the rows that were added before. */
  add(unchecked: Task | null, goOn: () => void): void {
    this.isHolding = true
    this.#held.push({ unchecked, goOn })
  }

  /** Continues the checks until one of them yields or none is left. */
  letGo(): void {
    const held = this.#held
    while (held.length > 0) {
      if (held[0]!.unchecked?.next().done === false) return
      this.isHolding = held.length > 1
      held.shift()!.goOn()
    }
  }
}
