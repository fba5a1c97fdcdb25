import { Pending } from "../../scheduling/Pending.ts"
import type { ClosedGraphs } from "./ClosedGraphs.ts"
import { PreparingProgram } from "./PreparingProgram.ts"
import type { Program } from "./Program.ts"

/** A request that may use closed graphs. They are opened before it runs. */
export class OpeningProgram extends PreparingProgram {
  readonly #closed: ClosedGraphs
  readonly #open: (graph: string) => Promise<unknown>
  readonly #make: () => Program
  #isOpening = false

  /**
   * @param open opens a graph; fails for a user who may not read it
   * @param make makes the program when the graphs are open
   */
  constructor(closed: ClosedGraphs, open: (graph: string) => Promise<unknown>, make: () => Program) {
    super("open graphs")
    this.#closed = closed
    this.#open = open
    this.#make = make
  }

  protected override prepare(until: number): Program | "slice" | Pending {
    if (!this.#isOpening) {
      if (!this.#closed.search(until)) return "slice"
      this.#isOpening = true
      const { found } = this.#closed
      if (found.size > 0) return Pending.fromPromise(Promise.all(Array.from(found, this.#open)))
    }
    return this.#make()
  }
}
