import { ClosureSource } from "./Closure.ts"
import { TraversalInvalid } from "./Errors.ts"

/** Throws TraversalInvalid if an argument is a closure or lambda. `where` names the operator. */
export const refuseClosures = (where: string, args: Iterable<unknown>): void => {
  for (const argument of args) {
    if (argument instanceof ClosureSource) throw new TraversalInvalid(`${where}() takes no closure`)
  }
}
