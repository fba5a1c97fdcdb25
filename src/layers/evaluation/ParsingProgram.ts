import { type ParseOptions, SlicedParse } from "../../gremlin/Parser.ts"
import type { Script } from "../../gremlin/Script.ts"
import type { Progress } from "../../process/machine/ResultSink.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { ResponseSink } from "../../services/Evaluator.ts"
import type { Program } from "./Program.ts"

/** A long script. It is parsed in slices, between which other requests run, and then it runs. */
export class ParsingProgram implements Program {
  readonly #parse: SlicedParse
  readonly #make: (script: Script) => Program
  readonly #slice = new TimeSlice()
  #program: Program | null = null
  #cancelled: Error | null = null

  constructor(text: string, options: ParseOptions, make: (script: Script) => Program) {
    this.#parse = new SlicedParse(text, options)
    this.#make = make
  }

  get currentStep(): string {
    return this.#program === null ? "parse" : this.#program.currentStep
  }

  get heldBytes(): number {
    return this.#program?.heldBytes ?? 0
  }

  get repeatable(): boolean {
    return this.#program?.repeatable !== false
  }

  advance(until: number, sink: ResponseSink): Progress {
    if (this.#program === null) {
      if (this.#cancelled !== null) throw this.#cancelled
      this.#slice.restart(until)
      const script = this.#parse.next(this.#slice)
      if (script === undefined) return "slice"
      this.#program = this.#make(script)
      // Short plans are made at once, which may have taken the rest of the slice.
      if (performance.now() > until) return "slice"
    }
    return this.#program.advance(until, sink)
  }

  cancel(error: Error): void {
    this.#cancelled = error
    this.#program?.cancel(error)
  }

  close(): void {
    this.#program?.close()
  }
}
