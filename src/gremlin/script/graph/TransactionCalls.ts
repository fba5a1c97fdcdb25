import type { ScriptRun } from "../../HostCall.ts"
import { ScriptSource, type TransactionControl } from "../../ScriptObjects.ts"
import { noMethod } from "../closures/ClosureCalls.ts"

/** Methods of a transaction, and the action of the host that each requests. */
export const transactionActions = {
  begin: "begin",
  createThreadedTx: "separate",
  open: "begin",
  commit: "commit",
  rollback: "rollback",
  close: "close",
  readWrite: "readWrite",
  isOpen: "isOpen"
} as const

/** The errors of commits that failed in one run of a script. A script may catch these, but no other error of a store. */
export class CommitFailures {
  readonly #errors = new WeakSet<Error>()

  includes(error: unknown): boolean {
    return error instanceof Error && this.#errors.has(error)
  }

  /** Runs a method of a transaction or of another object of the host. */
  *watched(name: string, call: ScriptRun): ScriptRun {
    if (name !== "commit") return yield* call
    try {
      return yield* call
    } catch (error) {
      if (error instanceof Error) this.#errors.add(error)
      throw error
    }
  }
}

/** Calls a method of a transaction. */
export function* callTransaction(transaction: TransactionControl, name: string, args: readonly unknown[]): ScriptRun {
  if (!Object.hasOwn(transactionActions, name) || args.length > 0) {
    throw noMethod("a transaction", name, Object.keys(transactionActions))
  }
  const action = transactionActions[name as keyof typeof transactionActions]
  const { of } = transaction
  const answer = yield { kind: "transaction", action, of }
  if (action === "isOpen") return answer === true
  if (action === "separate") return answer
  if (action !== "begin") return null
  return answer ?? (of instanceof ScriptSource ? of : (of.source ?? null))
}
