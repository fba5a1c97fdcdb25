import { TraversalError } from "../../process/language/Errors.ts"
import type { Transactions } from "../../services/Transactions.ts"
import { TransactionsNotSupported } from "../../structure/errors/StoreErrors.ts"
import type { BeginOptions, GraphStore } from "../../structure/graph/GraphStore.ts"
import { ReadingObject } from "./AccessObjects.ts"
import { separateObject } from "./GraphHandles.ts"
import { type Method, type ScriptObject, stringOf } from "./ScriptObject.ts"

/** Begins a transaction that the script commits or rolls back itself. Throws for a graph without transactions. */
export const separateTransaction = (store: GraphStore, transactions: Transactions, options?: BeginOptions) => {
  if (!store.features.transactions) {
    throw new TransactionsNotSupported("Graph does not support threaded transactions")
  }
  return separateObject(transactions.separate(store, options))
}

/** Settings of JanusGraph's builder that tune its caches and have no counterpart here. */
const TUNING = [
  ...["enableBatchLoading", "disableBatchLoading", "consistencyChecks", "checkInternalVertexExistence"],
  ...["checkExternalVertexExistence", "propertyPrefetching", "multiQuery", "vertexCacheSize", "dirtyVertexSize"],
  ...["skipDBCacheRead", "groupName", "restrictedPartitions", "setIndexMode", "lazyLoadRelations", "indexCacheWeight"]
]

/** Names of user logs: their tables are `ulog_` and the name, and Cassandra allows 48 characters in all. */
const USER_LOG_NAME = /^\w{1,43}$/

/** The name of a log of the user. Throws TraversalError for a graph without such logs, and for a name that no table can have. */
const userLogOf = (store: GraphStore, name: string): string => {
  const place = `logIdentifier('${name}')`
  if (store.takesUserLogs !== true) {
    throw new TraversalError(
      `${place}: JanusGraph's log processors read logs from a keyspace of Cassandra, and the graph ${store.name} is not in one. Leave ` +
        "the call out, or set storage.backend=cql."
    )
  }
  if (USER_LOG_NAME.test(name)) return name
  throw new TraversalError(`${place}: the name of a log has 1 to 43 letters, digits and underscores.`)
}

/** `graph.buildTransaction()`: a builder whose start() begins a separate transaction. */
export const transactionBuilder = (store: GraphStore, transactions: Transactions): ScriptObject => {
  let readOnly = false
  let userLog: string | undefined
  const refused =
    (name: string, instead: string): Method =>
    () => {
      throw new TraversalError(`buildTransaction().${name}() is not available: ${instead}`)
    }
  const builder: ScriptObject = new ReadingObject("transaction builder", store.name, null, {
    ...Object.fromEntries(TUNING.map((name) => [name, () => builder])),
    readOnly: () => {
      readOnly = true
      return builder
    },
    readOnlyOLAP: () => {
      readOnly = true
      return builder
    },
    logIdentifier: ([name]) => {
      userLog = userLogOf(store, stringOf(name, "logIdentifier", "a name"))
      return builder
    },
    commitTime: refused("commitTime", "commits have the time of the server's clock."),
    customOption: refused("customOption", "set the option in the properties file of the graph."),
    start: () => separateTransaction(store, transactions, { readOnly, userLog })
  })
  return builder
}
