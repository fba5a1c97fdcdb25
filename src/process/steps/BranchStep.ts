import { type EnumValue, Pick } from "../../structure/Enums.ts"
import type { Reads } from "../../structure/GraphStore.ts"
import type { Activation } from "../Activation.ts"
import { isEnum, isTraversal, nameOf } from "../Arguments.ts"
import { Batch, carry, select, VALUE } from "../Batch.ts"
import { By, type ByColumn } from "../By.ts"
import { Bytecode, Instruction } from "../Bytecode.ts"
import type { Compiler, StepBuilder } from "../Compiler.ts"
import { TraversalInvalid } from "../Errors.ts"
import { resolve } from "../Operand.ts"
import { planOf } from "../Plan.ts"
import { isPredicate, type Predicate } from "../Predicate.ts"
import { compilePredicate, type Test } from "../PredicateTest.ts"
import { Step } from "../Step.ts"
import type { Traversal } from "../Traversal.ts"
import { asPredicate } from "./HasStep.ts"
import { isFreeOrder } from "./UnionStep.ts"

/** A branch and what leads into it. */
interface Option {
  readonly token: Token
  branch: Traversal
}

type Token =
  | { readonly kind: "pick"; readonly pick: EnumValue }
  | { readonly kind: "predicate"; readonly predicate: Predicate }
  | { readonly kind: "traversal"; traversal: Traversal }

/** For each row the places of the options it goes into, in their order. */
type Choices = ReadonlyArray<ReadonlyArray<number>>

/**
 * branch() and choose(). A value is made of each object; options whose token is equal to it, or a predicate or traversal
 * it meets, get the traverser: branch() all of them (and Pick.any in any case), choose() the first. Pick.none is for
 * values that no option takes, Pick.unproductive for objects that give no value; without them choose() lets those pass.
 */
export class BranchStep extends Step {
  readonly operator: "branch" | "choose"
  readonly name: string
  override readonly keepsObject = true
  #choice: By
  /** Options for picks come first, in order, then the others. */
  #options: Array<Option> = []
  /** if/then/else: the choice is whether the child has a result. */
  readonly #asksWhether: boolean

  constructor(operator: "branch" | "choose", choice: unknown, asksWhether: boolean, compiler: Compiler) {
    super()
    this.operator = operator
    this.name = operator === "branch" ? "BranchStep" : "ChooseStep"
    this.#choice = By.of(choice, this, compiler)
    this.#asksWhether = asksWhether
  }

  override modulate(operator: string, args: readonly unknown[], compiler: Compiler): void {
    if (operator !== "option") super.modulate(operator, args, compiler)
    if (this.#asksWhether)
      throw new TraversalInvalid("choose(predicate, traversal...) takes no option(): its branches are given")
    if (args.length === 1) this.#add(Pick.any, args[0], compiler)
    else this.#add(args[0], args[1], compiler)
  }

  #add(token: unknown, branch: unknown, compiler: Compiler): void {
    if (this.operator === "choose") {
      if (token === Pick.any) {
        throw new TraversalInvalid("Choose step can not have an any-option as only one option per traverser is allowed")
      }
      if (isTraversal(token)) {
        throw new TraversalInvalid("Traversal is not allowed as a Pick token for choose().option()")
      }
      // The first option for a pick counts.
      if (isEnum(token, "Pick") && this.#options.some((option) => isPick(option, token))) return
    }
    this.option(token, branch, compiler)
  }

  /** Adds an option without a look at what choose() refuses. */
  option(token: unknown, branch: unknown, compiler: Compiler): void {
    const option: Option = { token: this.#token(token, compiler), branch: compiler.child(branch, this) }
    const picks = this.#options.filter(({ token: known }) => known.kind === "pick").length
    this.#options.splice(option.token.kind === "pick" ? picks : this.#options.length, 0, option)
  }

  #token(token: unknown, compiler: Compiler): Token {
    if (isEnum(token, "Pick")) return { kind: "pick", pick: token }
    if (isTraversal(token)) return { kind: "traversal", traversal: compiler.child(token, this) }
    return { kind: "predicate", predicate: asPredicate(token) }
  }

  override localChildren(): ReadonlyArray<Traversal> {
    const tokens = this.#options.flatMap(({ token }) => (token.kind === "traversal" ? [token.traversal] : []))
    return this.#choice.child === undefined ? tokens : [this.#choice.child, ...tokens]
  }
  override globalChildren(): ReadonlyArray<Traversal> {
    return this.#options.map(({ branch }) => branch)
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    for (const option of this.#options) {
      if (option.branch === from) option.branch = to
      if (option.token.kind === "traversal" && option.token.traversal === from) option.token.traversal = to
    }
    if (this.#choice.child === from) this.#choice = this.#choice.withChild(to)
  }

  override reads(batch: Batch): readonly Reads[] {
    return this.#choice.reads(batch)
  }

  override run(batch: Batch, activation: Activation): boolean {
    const chosen = activation.state<{ choices: Choices | null }>(this, () => ({ choices: null }))
    const cursor = activation.cursor(this)
    if (chosen.choices === null) {
      // The batch must stay as it is while its choices are made.
      cursor.offset = 1
      const free = isFreeOrder(this, batch, activation)
      this.#choose(batch, activation, (choices) => {
        if (free) this.#enterTogether(batch, choices, activation)
        else chosen.choices = choices
      })
      return free
    }
    cursor.row = this.#enterRun(batch, chosen.choices, cursor.row, activation)
    if (cursor.row < batch.length) return false
    chosen.choices = null
    return true
  }

  /** The rows that follow each other and go the same way; gives the row after them. */
  #enterRun(batch: Batch, choices: Choices, from: number, activation: Activation): number {
    const ways = choices[from]!
    let to = from + 1
    if (ways.length <= 1) while (to < batch.length && isSame(choices[to]!, ways)) to++
    const rows = Array.from({ length: to - from }, (_, i) => from + i)
    const run = rows.length === batch.length ? batch : select(batch, rows, rows.length)
    for (const way of ways) activation.enterBranch(this, this.#options[way]!.branch, run)
    if (ways.length === 0) this.#passBy(run, activation)
    return to
  }

  #enterTogether(batch: Batch, choices: Choices, activation: Activation): void {
    this.#options.forEach(({ branch }, place) => {
      const rows: Array<number> = []
      choices.forEach((ways, row) => {
        if (ways.includes(place)) rows.push(row)
      })
      if (rows.length > 0) activation.enterBranch(this, branch, select(batch, rows, rows.length))
    })
    const rows: Array<number> = []
    choices.forEach((ways, row) => {
      if (ways.length === 0) rows.push(row)
    })
    if (rows.length > 0) this.#passBy(select(batch, rows, rows.length), activation)
  }

  /** Rows that no option takes: gone, or on. */
  #passBy(rows: Batch, activation: Activation): void {
    if (this.operator === "choose") activation.pass(this, rows)
  }

  #choose(batch: Batch, activation: Activation, done: (choices: Choices) => void): void {
    if (this.#asksWhether) {
      activation.invoke(planOf(this.#choice.child!), batch, "exists", ({ found }) => {
        this.#match({ values: Array.from(found, (bit) => bit === 1), found: null }, batch, activation, done)
      })
    } else this.#choice.evaluate(batch, activation, (column) => this.#match(column, batch, activation, done))
  }

  /** Which options take the value of each row. */
  #match(column: ByColumn, batch: Batch, activation: Activation, done: (choices: Choices) => void): void {
    const taken: Array<Array<number>> = Array.from({ length: batch.length }, () => [])
    const isValue = (row: number): boolean => column.found === null || column.found[row] === 1
    const tests = activation.run.sharedBy<Array<Test | undefined>>(this.#options, () => [])
    const next = (place: number): void => {
      const option = this.#options[place]
      if (option === undefined) {
        done(taken.map((ways, row) => this.#ways(ways, isValue(row))))
        return
      }
      const { token } = option
      if (token.kind === "predicate") {
        const test = (tests[place] ??= compilePredicate(token.predicate, (operand) => resolve(operand, activation.run)))
        for (let row = 0; row < batch.length; row++)
          if (isValue(row) && test(column.values[row])) taken[row]!.push(place)
      } else if (token.kind === "traversal") {
        const values = carry(batch, null, new Batch(VALUE, column.values, batch.length))
        activation.invoke(planOf(token.traversal), values, "exists", ({ found }) => {
          for (let row = 0; row < batch.length; row++) if (isValue(row) && found[row] === 1) taken[row]!.push(place)
          next(place + 1)
        })
        return
      }
      next(place + 1)
    }
    next(0)
  }

  #ways(taken: ReadonlyArray<number>, isValue: boolean): ReadonlyArray<number> {
    let ways = isValue ? taken : this.#picks(Pick.unproductive)
    if (ways.length === 0 && (isValue || this.operator === "branch")) ways = this.#picks(Pick.none)
    if (this.operator === "choose") return ways.slice(0, 1)
    return [...this.#picks(Pick.any), ...ways]
  }

  #picks(pick: EnumValue): Array<number> {
    return this.#options.flatMap((option, place) => (isPick(option, pick) ? [place] : []))
  }

  override describe(): string {
    return this.#options.map(({ branch }) => String(branch)).join(", ")
  }
}

const isPick = ({ token }: Option, pick: EnumValue): boolean => token.kind === "pick" && token.pick === pick

const isSame = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean => a.length === b.length && a[0] === b[0]

/** choose(predicate, then, else): the predicate may be a P on the object. */
const choose: StepBuilder = (args, compiler) => {
  const [first, then, otherwise] = args
  if (args.length === 0) throw new TraversalInvalid("choose() needs a traversal, a T or a predicate")
  if (args.length === 1) {
    if (isTraversal(first) || isEnum(first, "T")) return new BranchStep("choose", first, false, compiler)
    throw new TraversalInvalid(`choose() with options takes a traversal or a T, but was given ${nameOf(first)}`)
  }
  const asked = isPredicate(first) ? new Bytecode([], [new Instruction("is", [first])]) : first
  const step = new BranchStep("choose", asked, true, compiler)
  step.option(true, then, compiler)
  if (otherwise !== undefined) step.option(false, otherwise, compiler)
  return step
}

export const branchSteps: Readonly<Record<string, StepBuilder>> = {
  choose,
  branch: (args, compiler) => {
    if (!(isTraversal(args[0]) || isEnum(args[0], "T"))) {
      throw new TraversalInvalid(`branch() takes a traversal, but was given ${nameOf(args[0])}`)
    }
    return new BranchStep("branch", args[0], false, compiler)
  }
}
