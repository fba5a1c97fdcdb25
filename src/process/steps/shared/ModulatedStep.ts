import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { Bytecode } from "../../language/Bytecode.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { By } from "./By.ts"

/** Base of steps that take by() modulators. */
export abstract class ModulatedStep extends Step {
  protected modulators: Array<By> = []
  /** The maximum number of by() modulators. */
  protected readonly mostModulators: number = Number.POSITIVE_INFINITY

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator !== "by") {
      super.modulate(operator, args, compiler)
      return
    }
    if (this.modulators.length >= this.mostModulators) {
      const name = this.operator.charAt(0).toUpperCase() + this.operator.slice(1)
      const taken = this.mostModulators === 1 ? "one by modulator" : `${this.mostModulators} by modulators`
      throw new TraversalInvalid(`${name} step can only have ${taken}`)
    }
    this.modulators.push(this.modulator(args, compiler))
  }

  /** Builds the modulator of a by() with these arguments. */
  protected modulator(args: readonly unknown[], compiler: PlanBuilder): By {
    if (args.length > 1) {
      throw new TraversalInvalid(
        `by() of ${this.operator}() takes one argument: only order() takes a second one, which compares`
      )
    }
    return isIdentity(args[0]) ? By.identity : By.of(args[0], this, compiler)
  }

  /** The modulator at a position; identity if none is given. */
  protected by(at: number): By {
    return this.modulators[at] ?? By.identity
  }

  /** Returns whether the step collects the values of the modulator at a position, so a missing value is omitted. */
  collects(_at: number): boolean {
    return false
  }

  /** The modulators, for strategies. */
  bys(): ReadonlyArray<By> {
    return this.modulators
  }

  /** Replaces the modulators (strategies). */
  replaceBys(modulators: Array<By>): void {
    this.modulators = modulators
  }

  override describeModulators(): string {
    // Modulators that apply in turn are a list.
    if (Number.isFinite(this.mostModulators) || this.modulators.length === 0) return this.modulators.join(",")
    return `[${this.modulators.join(", ")}]`
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return this.modulators.flatMap((by) => (by.child === undefined ? [] : [by.child]))
  }

  override replaceChild(from: Traversal, to: Traversal): void {
    this.modulators = this.modulators.map((by) => (by.child === from ? by.withChild(to) : by))
  }

  override reads(batch: Batch, _activation: Activation): readonly Reads[] {
    return this.modulators.flatMap((by) => by.reads(batch))
  }
}

/** by(__.identity()), with or without labels, is the same as by(): nothing reads a label inside by(). */
const isIdentity = (argument: unknown): boolean => {
  if (!(argument instanceof Bytecode)) return false
  const [first, ...rest] = argument.stepInstructions
  return first?.operator === "identity" && first.args.length === 0 && rest.every(({ operator }) => operator === "as")
}
