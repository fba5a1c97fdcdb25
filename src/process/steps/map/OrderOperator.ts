import { isEnum } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { OrderGlobalStep } from "./OrderGlobalStep.ts"
import { OrderLocalStep } from "./OrderLocalStep.ts"

/** order(), with or without a scope. */
export const orderSteps: Operators = {
  order: stepOperator(noParameters, (args) => {
    if (args.length === 0 || (isEnum(args[0], "Scope") && args[0].name === "global")) return new OrderGlobalStep()
    if (isEnum(args[0], "Scope")) return new OrderLocalStep()
    throw new TraversalInvalid("order() takes Scope.local or Scope.global; use by() to name the sort keys")
  })
}
