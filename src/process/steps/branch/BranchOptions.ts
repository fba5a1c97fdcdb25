import type { Task } from "../../../scheduling/Task.ts"
import type { EnumValue } from "../../../structure/scalars/Enums.ts"
import { resolve } from "../../language/Operand.ts"
import type { Predicate } from "../../language/Predicate.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Traversal } from "../../plan/Step.ts"
import { compileTask, type Test } from "../../predicates/PredicateEvaluation.ts"

/** A branch and the condition that leads into it. */
interface Option {
  readonly token: Token
  branch: Traversal
}

/** The condition of an option: a Pick, a predicate on the value of an object, or a traversal that has a result for it. */
export type Token =
  | { readonly kind: "pick"; readonly pick: EnumValue }
  | { readonly kind: "predicate"; readonly predicate: Predicate }
  | { readonly kind: "traversal"; traversal: Traversal }

/** Whether an option takes the value of a row. */
export type RowTest = (row: number) => boolean

/** The options of one step by their places. Those with a Pick token come first, in order, then the others. */
export class BranchOptions {
  readonly #options: Array<Option> = []
  #pickCount = 0

  /** Adds an option after the others of its kind. */
  add(option: Option): void {
    if (option.token.kind === "pick") this.#options.splice(this.#pickCount++, 0, option)
    else this.#options.push(option)
  }

  get count(): number {
    return this.#options.length
  }

  /** The branch of an option. */
  branch(place: number): Traversal {
    return this.#options[place]!.branch
  }

  /** The branches of all options. */
  get branches(): ReadonlyArray<Traversal> {
    return this.#options.map(({ branch }) => branch)
  }

  /** The traversals that are conditions. */
  get conditions(): ReadonlyArray<Traversal> {
    return this.#options.flatMap(({ token }) => (token.kind === "traversal" ? [token.traversal] : []))
  }

  /** The places of the options with a Pick. */
  picks(pick: EnumValue): ReadonlyArray<number> {
    return this.#options.flatMap(({ token }, place) => (token.kind === "pick" && token.pick === pick ? [place] : []))
  }

  /** Replaces a traversal by another one. */
  replace(from: Traversal, to: Traversal): void {
    for (const option of this.#options) {
      if (option.branch === from) option.branch = to
      if (option.token.kind === "traversal" && option.token.traversal === from) option.token.traversal = to
    }
  }

  /** The condition of an option. */
  token(place: number): Token {
    return this.#options[place]!.token
  }

  /** Computes which of the values an option with this predicate takes. */
  *test(place: number, predicate: Predicate, values: ReadonlyArray<unknown>, { run }: Activation): Task<RowTest> {
    const tests = run.sharedBy<Array<Test | undefined>>(this, () => [])
    tests[place] ??= yield* compileTask(run.slice, predicate, (operand) => resolve(operand, run))
    const test = tests[place]!
    return (row) => test(values[row])
  }
}
