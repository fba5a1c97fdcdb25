import { everyArgument, noParameters, type ParameterPositions } from "../plan/Operator.ts"
import { stepOperators } from "../steps/index.ts"

/** An operator that changes the step before it instead of making one. */
interface Modulator {
  /** Which of its arguments are parameters of a plan; null = the step that it changes says so. */
  readonly parameters: ParameterPositions | null
  /** It may stand before its repeat(). */
  readonly precedesRepeat: boolean
}

const modulators: ReadonlyMap<string, Modulator> = new Map<string, Modulator>([
  ["by", { parameters: noParameters, precedesRepeat: false }],
  ["from", { parameters: noParameters, precedesRepeat: false }],
  ["to", { parameters: noParameters, precedesRepeat: false }],
  ["with", { parameters: null, precedesRepeat: false }],
  ["option", { parameters: everyArgument, precedesRepeat: false }],
  ["times", { parameters: noParameters, precedesRepeat: true }],
  ["until", { parameters: noParameters, precedesRepeat: true }],
  ["emit", { parameters: noParameters, precedesRepeat: true }],
  ["through", { parameters: noParameters, precedesRepeat: false }],
  ["read", { parameters: noParameters, precedesRepeat: false }],
  ["write", { parameters: noParameters, precedesRepeat: false }]
])

/** The modulator of this name; undefined for other operators. to() is one of both. */
export const modulatorOf = (operator: string): Modulator | undefined => modulators.get(operator)

/** Which arguments of an instruction are parameters. `modulated`: the operator of the step that a with() changes. */
export const parametersOf = (operator: string, modulated: string): ParameterPositions => {
  const step = stepOperators.get(operator)
  if (step !== undefined) return step.parameters
  const modulator = modulators.get(operator)
  if (modulator === undefined) return noParameters
  return modulator.parameters ?? stepOperators.get(modulated)?.withParameters ?? noParameters
}
