import { type ParseOptions, SlicedParse } from "../../gremlin/Parser.ts"
import type { Script } from "../../gremlin/Script.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { PreparingProgram } from "./PreparingProgram.ts"
import type { Program } from "./Program.ts"

/** A long script. It is parsed in slices, between which other requests run, and then it runs. */
export class ParsingProgram extends PreparingProgram {
  readonly #parse: SlicedParse
  readonly #make: (script: Script) => Program
  readonly #slice = new TimeSlice()

  constructor(text: string, options: ParseOptions, make: (script: Script) => Program) {
    super("parse")
    this.#parse = new SlicedParse(text, options)
    this.#make = make
  }

  protected override prepare(until: number): Program | "slice" {
    this.#slice.restart(until)
    const script = this.#parse.next(this.#slice)
    return script === undefined ? "slice" : this.#make(script)
  }
}
