import { Lambda } from "./Bytecode.ts"
import { LambdaNotSupported } from "./Errors.ts"

/** Throws LambdaNotSupported where an argument is code, which no part of the server runs. */
export const refuseLambdas = (args: Iterable<unknown>): void => {
  for (const argument of args) {
    if (!(argument instanceof Lambda)) continue
    throw new LambdaNotSupported(
      `The traversal contains a lambda in ${argument.language} (${argument.script.slice(0, 100)}). This server evaluates ` +
        "the Gremlin language only and runs no code; write it with Gremlin steps."
    )
  }
}
