import type { Task } from "../../../scheduling/Task.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { Pick } from "../../../structure/scalars/Enums.ts"
import { isEnum, isTraversal, nameOf } from "../../language/Arguments.ts"
import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { isPredicate } from "../../language/Predicate.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, select, slice, VALUE } from "../../plan/Batch.ts"
import { everyArgument, noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { flattening } from "../../plan/StepTraits.ts"
import { asPredicate } from "../filter/HasStep.ts"
import { By, type ByColumn, withoutPast } from "../shared/By.ts"
import { BranchOptions, type RowTest, type Token } from "./BranchOptions.ts"
import { AllTaken, type Choices, FirstTaken, type Taken } from "./OptionChoices.ts"
import { isFreeOrder } from "./UnionStep.ts"

/** The choices for the current batch: complete, or still being computed. */
interface Chosen {
  choosing: Task<Choices> | null
  choices: Choices | null
}

const traits = flattening({ results: "perRow", keepsObject: true, children: "branches" })

/**
 * branch() and choose(). The child computes a value for each object. An option takes the traverser if its token equals
 * the value, or if its predicate or traversal accepts the value. branch() enters all such options and always Pick.any;
 * choose() enters the first one. Pick.none takes values that no option takes. Pick.unproductive takes objects without a
 * value. Without these two options, choose() lets such traversers pass.
 */
export class BranchStep extends Step {
  readonly operator: "branch" | "choose"
  readonly name: string
  readonly traits = traits
  #choice: By
  readonly #options = new BranchOptions()
  /** True for if/then/else: the choice is whether the child has a result. */
  readonly #asksWhether: boolean

  constructor(operator: "branch" | "choose", choice: unknown, asksWhether: boolean, compiler: PlanBuilder) {
    super()
    this.operator = operator
    this.name = operator === "branch" ? "BranchStep" : "ChooseStep"
    this.#choice = By.of(choice, this, compiler)
    this.#asksWhether = asksWhether
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator !== "option") super.modulate(operator, args, compiler)
    if (this.#asksWhether)
      throw new TraversalInvalid("choose(predicate, traversal...) takes no option(): its branches are given")
    if (args.length === 1) this.#add(Pick.any, args[0], compiler)
    else this.#add(args[0], args[1], compiler)
  }

  #add(token: unknown, branch: unknown, compiler: PlanBuilder): void {
    if (this.operator === "choose") {
      if (token === Pick.any) {
        throw new TraversalInvalid("Choose step can not have an any-option as only one option per traverser is allowed")
      }
      if (isTraversal(token)) {
        throw new TraversalInvalid("Traversal is not allowed as a Pick token for choose().option()")
      }
      // For each Pick token, the first option is used.
      if (isEnum(token, "Pick") && this.#options.picks(token).length > 0) return
    }
    this.option(token, branch, compiler)
  }

  /** Adds an option without the checks of choose(). */
  option(token: unknown, branch: unknown, compiler: PlanBuilder): void {
    this.#options.add({ token: this.#token(token, compiler), branch: compiler.child(branch, this) })
  }

  /** Gives choose() the branches that TinkerPop has for rows that no option takes, so that they enter one, too. */
  addPassing(compiler: PlanBuilder): void {
    if (this.operator !== "choose") return
    const add = (token: Token): void => {
      const branch = compiler.build([new Instruction("identity", [])])
      branch.parent = this
      this.#options.add({ token, branch })
    }
    if (this.#asksWhether) {
      if (this.#options.count < 2) add(this.#token(false, compiler))
      return
    }
    for (const pick of [Pick.none, Pick.unproductive]) {
      if (this.#options.picks(pick).length === 0) add({ kind: "pick", pick })
    }
  }

  #token(token: unknown, compiler: PlanBuilder): Token {
    if (isEnum(token, "Pick")) return { kind: "pick", pick: token }
    if (isTraversal(token)) return { kind: "traversal", traversal: compiler.child(token, this) }
    return { kind: "predicate", predicate: asPredicate(token) }
  }

  override localChildren(): ReadonlyArray<Traversal> {
    const { conditions } = this.#options
    return this.#choice.child === undefined ? conditions : [this.#choice.child, ...conditions]
  }
  override globalChildren(): ReadonlyArray<Traversal> {
    return this.#options.branches
  }
  override asksWhether(child: Traversal): boolean {
    if (child === this.#choice.child) return this.#asksWhether
    return this.#options.conditions.includes(child)
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    this.#options.replace(from, to)
    if (this.#choice.child === from) this.#choice = this.#choice.withChild(to)
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return this.#chosen(activation).choices === null ? this.#choice.reads(batch) : []
  }

  override goesOneByOne(batch: Batch, activation: Activation): boolean {
    return batch.length > 1 && !isFreeOrder(this, batch, activation)
  }

  #chosen(activation: Activation): Chosen {
    return activation.state<Chosen>(this, () => ({ choosing: null, choices: null }))
  }

  override run(batch: Batch, activation: Activation): boolean {
    const chosen = this.#chosen(activation)
    const cursor = activation.cursor(this)
    if (chosen.choices === null) {
      // The batch must not change while its choices are computed.
      cursor.offset = 1
      chosen.choosing ??= this.#choose(batch, activation)
      const { done, value } = chosen.choosing.next()
      if (done !== true) {
        return false
      }
      chosen.choosing = null
      if (isFreeOrder(this, batch, activation)) {
        this.#enterTogether(batch, value, activation)
        return true
      }
      chosen.choices = value
    }
    cursor.row = this.#enterRun(batch, chosen.choices, cursor.row, activation)
    if (cursor.row < batch.length) return false
    chosen.choices = null
    return true
  }

  /**
   * Enters consecutive rows with the same choice, or a single row if it takes several options. Returns the index of the
   * next row.
   */
  #enterRun(batch: Batch, { way, ways }: Choices, from: number, activation: Activation): number {
    const places = ways[way[from]!]!
    let to = from + 1
    if (places.length <= 1) while (to < batch.length && way[to] === way[from]) to++
    const run = to - from === batch.length ? batch : slice(batch, from, to)
    for (const place of places) activation.enterBranch(this, this.#options.branch(place), run)
    if (places.length === 0) this.#passBy(run, activation)
    return to
  }

  /** Enters all rows of one option in order, then those of the next option. */
  #enterTogether(batch: Batch, choices: Choices, activation: Activation): void {
    const { byOption, open } = rowsOf(choices, batch.length, this.#options.count)
    const those = (rows: ReadonlyArray<number>): Batch =>
      rows.length === batch.length ? batch : select(batch, rows, rows.length)
    byOption.forEach((rows, place) => {
      if (rows.length > 0) activation.enterBranch(this, this.#options.branch(place), those(rows))
    })
    this.#passBy(those(open), activation)
  }

  /** Handles rows that no option takes: choose() passes them, branch() drops them. */
  #passBy(rows: Batch, activation: Activation): void {
    if (rows.length > 0 && this.operator === "choose") activation.pass(this, rows)
  }

  /** Computes which options take the value of each row. The children run at the yields. */
  *#choose(batch: Batch, activation: Activation): Task<Choices> {
    let column: ByColumn | undefined
    if (this.#asksWhether) {
      activation.invoke(planOf(this.#choice.child!), batch, "exists", ({ found }) => {
        column = { values: Array.from(found, (bit) => bit === 1), found: null }
      })
    } else {
      this.#choice.evaluate(batch, activation, (evaluated) => {
        column = evaluated
      })
    }
    if (column === undefined) yield
    const { found, values } = column!
    const taken = this.operator === "choose" ? new FirstTaken(batch.length) : new AllTaken(batch.length)
    for (let place = 0; place < this.#options.count; place++) {
      const token = this.#options.token(place)
      if (token.kind === "pick") continue
      const meets =
        token.kind === "traversal"
          ? yield* leads(token.traversal, values, activation)
          : yield* this.#options.test(place, token.predicate, values, activation)
      for (let row = 0; row < batch.length; row++) {
        if ((found === null || found[row] === 1) && meets(row)) taken.add(row, place)
        if (activation.slice.isOverAfter(row + 1)) yield
      }
    }
    this.#takePicks(taken, found, batch.length)
    return taken.choices(this.#options.count)
  }

  /**
   * Adds the picks: Pick.any takes every row, Pick.unproductive the rows without a value, Pick.none the rows that no
   * option took.
   */
  #takePicks(taken: Taken, found: Uint8Array | null, length: number): void {
    const any = this.#options.picks(Pick.any)
    const none = this.#options.picks(Pick.none)
    const unproductive = this.#options.picks(Pick.unproductive)
    for (let row = 0; row < length; row++) {
      const isValue = found === null || found[row] === 1
      if (!isValue) for (const place of unproductive) taken.add(row, place)
      if (taken.isOpen(row) && (isValue || this.operator === "branch")) for (const place of none) taken.add(row, place)
    }
    if (any.length > 0) for (let row = 0; row < length; row++) for (const place of any) taken.add(row, place)
  }

  override describe(): string {
    return this.#options.branches.map(String).join(", ")
  }
}

/** Computes whether a traversal has a result for the value of a row. The traversal runs at the yield. */
function* leads(traversal: Traversal, values: ReadonlyArray<unknown>, activation: Activation): Task<RowTest> {
  let found: Uint8Array | undefined
  const starts = withoutPast(new Batch(VALUE, values, values.length), activation, [{ child: traversal }])
  activation.invoke(planOf(traversal), starts, "exists", (result) => {
    found = result.found
  })
  yield
  return (row) => found![row] === 1
}

/** The rows for each option, and the rows that no option takes. */
const rowsOf = ({ way, ways }: Choices, length: number, options: number) => {
  const byOption = Array.from({ length: options }, (): Array<number> => [])
  const open: Array<number> = []
  for (let row = 0; row < length; row++) {
    const places = ways[way[row]!]!
    for (const place of places) byOption[place]!.push(row)
    if (places.length === 0) open.push(row)
  }
  return { byOption, open }
}

/** choose(predicate, then, else): the predicate may be a P, which tests the object. */
const choose: StepBuilder = (args, compiler) => {
  const [first, then, otherwise] = args
  if (args.length === 0) throw new TraversalInvalid("choose() needs a traversal, a T or a predicate")
  if (args.length === 1) {
    if (isTraversal(first) || isEnum(first, "T") || isEnum(first, "Column")) {
      return new BranchStep("choose", first, false, compiler)
    }
    throw new TraversalInvalid(
      `choose() with options takes a traversal, a T or a Column, but was given ${nameOf(first)}`
    )
  }
  const asked = isPredicate(first) ? new Bytecode([], [new Instruction("is", [first])]) : first
  const step = new BranchStep("choose", asked, true, compiler)
  step.option(true, then, compiler)
  if (otherwise !== undefined) step.option(false, otherwise, compiler)
  return step
}

/** The operators choose() and branch(). */
export const branchSteps: Operators = {
  choose: stepOperator(everyArgument, choose),
  branch: stepOperator(noParameters, (args, compiler) => {
    if (!(isTraversal(args[0]) || isEnum(args[0], "T"))) {
      throw new TraversalInvalid(`branch() takes a traversal, but was given ${nameOf(args[0])}`)
    }
    return new BranchStep("branch", args[0], false, compiler)
  })
}
