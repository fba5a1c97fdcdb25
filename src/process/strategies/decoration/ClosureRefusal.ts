import { Bytecode } from "../../language/Bytecode.ts"
import { ClosureSource } from "../../language/Closure.ts"
import { VerificationFailed } from "../../language/Errors.ts"

/**
 * Refuses closures in the criteria of a strategy. A closure reads elements by traversals of its source, whose strategy would ask
 * the criteria again.
 */
export const refuseClosures = (criteria: ReadonlyArray<Bytecode | null>, strategy: string): void => {
  if (criteria.some(holdsClosure)) {
    throw new VerificationFailed(`${strategy} allows no closures in its criteria: write them with steps`)
  }
}

const holdsClosure = (argument: unknown): boolean =>
  argument instanceof ClosureSource ||
  (Array.isArray(argument) && argument.some(holdsClosure)) ||
  (argument instanceof Bytecode && argument.stepInstructions.some(({ args }) => args.some(holdsClosure)))
