import { Pending } from "../../scheduling/Pending.ts"
import { PreparingProgram } from "./PreparingProgram.ts"
import type { Program } from "./Program.ts"

/** The first request that needs the interpreter of scripts. Its modules are loaded, and then the request runs. */
export class LoadingProgram extends PreparingProgram {
  readonly #load: () => Promise<void>
  readonly #make: () => Program
  #isLoading = false

  /** `load` loads the modules. `make` makes the program when they are loaded. */
  constructor(load: () => Promise<void>, make: () => Program) {
    super("load the interpreter")
    this.#load = load
    this.#make = make
  }

  protected override prepare(): Program | Pending {
    if (this.#isLoading) return this.#make()
    this.#isLoading = true
    return Pending.fromPromise(this.#load())
  }
}
