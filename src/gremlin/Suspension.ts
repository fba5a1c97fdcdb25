import type { Evaluation } from "./Scope.ts"

/** Work that could not be completed at once. `rest` completes it and returns the value. */
export class Suspension {
  readonly rest: Evaluation
  constructor(rest: Evaluation) {
    this.rest = rest
  }
}
