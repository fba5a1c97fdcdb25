import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { integerArgument, nameOf } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { randomOf } from "../../machine/Randomness.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, carry, gather } from "../../plan/Batch.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { onMainLine } from "../../plan/Plan.ts"
import { Step } from "../../plan/Step.ts"
import { acting, filtering, type StepTraits } from "../../plan/StepTraits.ts"

const coinTraits = acting({
  scout: "passes",
  limits: "stay",
  keepsObject: true,
  merging: "none",
  children: "none",
  access: "reads"
})

/** coin(probability): passes each traverser with the given probability. */
class CoinStep extends Step {
  readonly operator = "coin"
  readonly name = "CoinStep"
  readonly traits = coinTraits
  readonly #probability: number
  constructor(probability: number) {
    super()
    this.#probability = probability
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const random = randomOf(activation.run, this)
    const rows = activation.run.scratch.rows(batch.length)
    const bulks: Array<number> = []
    for (let row = 0; row < batch.length; row++) {
      const bulk = batch.bulkOf(row)
      let passing = 0
      // NaN where the probability is 0 and the bulk Infinity.
      if (bulk >= EXACT_SHARE_BULK) passing = Math.round(this.#probability * bulk)
      else for (let i = 0; i < bulk; i++) if (this.#probability >= random.nextDouble()) passing++
      if (!(passing > 0)) continue
      rows[bulks.length] = row
      bulks.push(passing)
    }
    const { length } = bulks
    if (length === 0) return
    const out = carry(batch, rows, new Batch(batch.kind, gather(batch.data, rows, length), length))
    if (out.bulk !== null) out.bulk = Float64Array.from(bulks)
    activation.pass(this, out)
  }

  override describe(): string {
    return String(this.#probability)
  }
}

/** From this bulk on, probability * bulk traversers pass, without a draw for each traverser. */
const EXACT_SHARE_BULK = 100

const timeLimitTraits = acting({
  scout: "passes",
  limits: "is",
  keepsObject: true,
  merging: "none",
  children: "none",
  access: "reads"
})

/** timeLimit(ms): passes traversers until the given time has elapsed since the first one. */
class TimeLimitStep extends Step {
  readonly operator = "timeLimit"
  readonly name = "TimeLimitStep"
  readonly traits = timeLimitTraits
  readonly #millis: number
  constructor(millis: number) {
    super()
    this.#millis = millis
  }

  override get ignoresCount(): boolean {
    return true
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const state = activation.state(this, () => ({ end: performance.now() + this.#millis }))
    if (performance.now() < state.end) activation.pass(this, batch)
    else if (onMainLine(this)) activation.stopUpstream(this)
    else for (let row = 0; row < batch.length; row++) activation.stopOrigin(this, batch.loops, batch.originOf(row))
  }

  override describe(): string {
    return String(this.#millis)
  }
}

const discardTraits: StepTraits = {
  ...filtering({ filter: "no", rank: 0, labels: "none", children: "none" }),
  role: "discards"
}

/** discard(), and none() of older drivers: passes no traverser. */
class DiscardStep extends Step {
  readonly operator = "discard"
  readonly name = "DiscardStep"
  readonly traits = discardTraits
  override reads(): null {
    return null
  }

  override run(): undefined {}
}

const coin: StepBuilder = ([probability]) => {
  if (isNumber(probability)) return new CoinStep(toDouble(probability))
  throw new TraversalInvalid(`coin() takes a probability from 0.0 to 1.0, but was given ${nameOf(probability)}`)
}

/** Creates discard(), which emits nothing. */
export const discard = (): Step => new DiscardStep()

/** The operators coin(), discard() and timeLimit(). */
export const passSteps: Operators = {
  coin: stepOperator(noParameters, coin),
  discard: stepOperator(noParameters, discard),
  timeLimit: stepOperator(
    noParameters,
    ([millis]) => new TimeLimitStep(integerArgument("timeLimit", millis, "number of milliseconds"))
  )
}
