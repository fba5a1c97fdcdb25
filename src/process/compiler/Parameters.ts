import { modulatorOf } from "../language/Modulators.ts"
import type { Language } from "../plan/Language.ts"
import { everyArgument, noParameters, type ParameterPositions } from "../plan/Operator.ts"

/** Returns which arguments of an instruction are parameters of a plan. `modulated` is the operator that a with() modifies. */
export const parametersOf = ({ operators }: Language, operator: string, modulated: string): ParameterPositions => {
  const step = operators.get(operator)
  if (step !== undefined) return step.parameters
  switch (modulatorOf(operator)?.parameters) {
    case "all":
      return everyArgument
    case "as the step says":
      return operators.get(modulated)?.withParameters ?? noParameters
    default:
      return noParameters
  }
}
