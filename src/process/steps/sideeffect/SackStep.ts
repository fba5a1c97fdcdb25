import type { EnumValue } from "../../../structure/scalars/Enums.ts"
import { isEnum } from "../../language/Arguments.ts"
import { ClosureSource } from "../../language/Closure.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, VALUE, withSacks } from "../../plan/Batch.ts"
import { noParameters, stepOperator } from "../../plan/Operator.ts"
import type { PlanBuilder } from "../../plan/Step.ts"
import { filtering, mapping, type StepTraits } from "../../plan/StepTraits.ts"
import { applyOperator } from "../../scalars/Operators.ts"
import { ClosureSackStep } from "../closure/ClosureSackStep.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"

const readingSack = mapping({ limits: "pass", labels: "none", children: "none" })
/** A scout passes the rows: it does not need the new collections in sacks. */
const writingSack: StepTraits = {
  ...filtering({ filter: "no", rank: 0, labels: "none", children: "asked" }),
  scout: "passes"
}

/** sack(): the traverser's sack. sack(operator) combines the sack with the object or with its by() value. */
class SackStep extends ModulatedStep {
  readonly operator = "sack"
  readonly name: string
  readonly traits: StepTraits
  readonly reducer: EnumValue | null
  protected override readonly mostModulators = 1
  constructor(reducer: EnumValue | null) {
    super()
    this.reducer = reducer
    this.name = reducer === null ? "SackStep" : "SackValueStep"
    this.traits = reducer === null ? readingSack : writingSack
  }
  override get holdsLambda(): boolean {
    return this.reducer !== null
  }
  override require(needs: Needs): void {
    needs.sack = true
  }
  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (this.reducer === null)
      throw new TraversalInvalid("sack() takes by() only with an operator, as in sack(sum).by('weight')")
    super.modulate(operator, args, compiler)
  }
  override run(batch: Batch, activation: Activation): undefined {
    if (this.reducer === null) {
      const sacks = batch.sack ?? new Array<unknown>(batch.length).fill(null)
      activation.emitData(
        this,
        batch,
        null,
        VALUE,
        sacks.map((sack) => sack ?? null),
        batch.length
      )
      return
    }
    const by = this.by(0)
    by.evaluate(batch, activation, ({ values, found }) => {
      const sacks = Array.from({ length: batch.length }, (_, i) => {
        const sack = batch.sack?.[i] ?? null
        if (found !== null && found[i] === 0) return sack
        return applyOperator(this.reducer!, sack, values[i])
      })
      const rows = found === null ? null : Array.from(found.keys()).filter((i) => found[i] === 1)
      activation.emitRows(this, withSacks(batch, sacks), rows, rows?.length ?? batch.length)
    })
  }
}

/** The operator sack(). */
export const sackOperator = stepOperator(noParameters, ([reducer]) =>
  reducer instanceof ClosureSource
    ? new ClosureSackStep(reducer)
    : new SackStep(isEnum(reducer, "Operator") ? reducer : null)
)
