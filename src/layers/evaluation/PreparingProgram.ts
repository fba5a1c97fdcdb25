import type { ResponseSink } from "../../services/Evaluator.ts"
import { Preparation } from "./Preparation.ts"
import type { Program } from "./Program.ts"

/** A program that prepares another one in slices, and then runs it. */
export abstract class PreparingProgram extends Preparation<ResponseSink, Program> implements Program {
  get repeatable(): boolean {
    return this.run?.repeatable !== false
  }
}
