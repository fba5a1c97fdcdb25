import { type Evaluation, type TransactionControl, TraversalSource } from "../Scope.ts"
import { noMethod } from "./ClosureCalls.ts"

/** Methods of a transaction, and the action of the host that each requests. */
export const transactionActions = {
  begin: "begin",
  createThreadedTx: "separate",
  open: "begin",
  commit: "commit",
  rollback: "rollback",
  close: "close",
  isOpen: "isOpen"
} as const

/** Calls a method of a transaction. */
export function* callTransaction(transaction: TransactionControl, name: string, args: readonly unknown[]): Evaluation {
  if (!Object.hasOwn(transactionActions, name) || args.length > 0) {
    throw noMethod("a transaction", name, Object.keys(transactionActions))
  }
  const action = transactionActions[name as keyof typeof transactionActions]
  const { of } = transaction
  const answer = yield { kind: "transaction", action, of }
  if (action === "isOpen") return answer === true
  if (action === "separate") return answer
  if (action !== "begin") return null
  return answer ?? (of instanceof TraversalSource ? of : (of.source ?? null))
}
