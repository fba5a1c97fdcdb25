import { TraversalError } from "../../process/language/Errors.ts"
import type { Transactions } from "../../services/Transactions.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { TransactionsNotSupported } from "../../structure/StoreErrors.ts"
import { ReadingObject } from "./AccessObjects.ts"
import { separateObject } from "./GraphHandles.ts"
import { type Method, type ScriptObject, stringOf } from "./ScriptObject.ts"

/** Begins a transaction that the script commits or rolls back itself. Throws for a graph without transactions. */
export const separateTransaction = (store: GraphStore, transactions: Transactions, isReadOnly: boolean) => {
  if (!store.features.transactions) {
    throw new TransactionsNotSupported("Graph does not support threaded transactions")
  }
  return separateObject(transactions.separate(store, isReadOnly))
}

/** Settings of JanusGraph's builder that tune its caches and have no counterpart here. */
const TUNING = [
  ...["enableBatchLoading", "disableBatchLoading", "consistencyChecks", "checkInternalVertexExistence"],
  ...["checkExternalVertexExistence", "propertyPrefetching", "multiQuery", "vertexCacheSize", "dirtyVertexSize"],
  ...["skipDBCacheRead", "groupName", "restrictedPartitions", "setIndexMode", "lazyLoadRelations", "indexCacheWeight"]
]

/** `graph.buildTransaction()`: a builder whose start() begins a separate transaction. */
export const transactionBuilder = (store: GraphStore, transactions: Transactions): ScriptObject => {
  let isReadOnly = false
  const refused =
    (name: string, instead: string): Method =>
    () => {
      throw new TraversalError(`buildTransaction().${name}() is not available: ${instead}`)
    }
  const builder: ScriptObject = new ReadingObject("transaction builder", store.name, null, {
    ...Object.fromEntries(TUNING.map((name) => [name, () => builder])),
    readOnly: () => {
      isReadOnly = true
      return builder
    },
    readOnlyOLAP: () => {
      isReadOnly = true
      return builder
    },
    logIdentifier: ([name]) => {
      throw new TraversalError(
        `logIdentifier('${stringOf(name, "logIdentifier", "a name")}'): this server has no log of transactions for ` +
          "processors of JanusGraph. Leave the call out."
      )
    },
    commitTime: refused("commitTime", "commits have the time of the server's clock."),
    customOption: refused("customOption", "set the option in the properties file of the graph."),
    start: () => separateTransaction(store, transactions, isReadOnly)
  })
  return builder
}
