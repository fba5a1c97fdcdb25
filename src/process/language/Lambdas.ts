import { Lambda } from "./Bytecode.ts"
import { LambdaNotSupported } from "./Errors.ts"

/** Throws LambdaNotSupported if an argument is code. The server never runs code of clients. */
export const refuseLambdas = (args: Iterable<unknown>): void => {
  for (const argument of args) {
    if (!(argument instanceof Lambda)) continue
    throw new LambdaNotSupported(
      `The traversal contains a lambda in ${argument.language} (${argument.script.slice(0, 100)}). This server evaluates ` +
        "the Gremlin language only and runs no code; write it with Gremlin steps."
    )
  }
}
