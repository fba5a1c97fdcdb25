/**
 * The public API. {@link EngineServer} runs a server in a program, and {@link TestServer} runs one in a test. The other exports
 * are the services of the server, for programs that use or replace its parts, and layers that such a replacement can use.
 */

export { composition, type ServerParts } from "./layers/Composition.ts"
export { EngineServer, type RunningServer, type StartError, TestServer } from "./layers/EngineServer.ts"
export { type EmbeddedServer, startServer } from "./layers/embedded/StartServer.ts"
export * as MemoryBudgets from "./layers/evaluation/MemoryBudgets.ts"
export * as TraversalEvaluator from "./layers/evaluation/TraversalEvaluator.ts"
export * as ConfiguredCallServices from "./layers/graphs/ConfiguredCallServices.ts"
export * as ConfiguredGraphs from "./layers/graphs/ConfiguredGraphs.ts"
export { openGraph } from "./layers/graphs/GraphStores.ts"
export * as PrometheusMetrics from "./layers/observability/PrometheusMetrics.ts"
export * as ServerDiagnostics from "./layers/observability/ServerDiagnostics.ts"
export * as SlowQueryLog from "./layers/observability/SlowQueryLog.ts"
export * as FiberSessions from "./layers/requests/FiberSessions.ts"
export * as LaneRequestPool from "./layers/requests/LaneRequestPool.ts"
export * as RequestDispatcher from "./layers/requests/RequestDispatcher.ts"
export * as RunQueues from "./layers/requests/RunQueue.ts"
export * as Channelizers from "./layers/transport/Channelizers.ts"
export * as AllowAllAuthenticator from "./layers/trust/AllowAllAuthenticator.ts"
export * as Authenticators from "./layers/trust/Authenticators.ts"
export * as Authorizers from "./layers/trust/Authorizers.ts"
export * as CredentialStores from "./layers/trust/CredentialStores.ts"
export type { ClusterStartError, RunningCluster } from "./layers/workers/Cluster.ts"
export { RequestArgs, RequestMessage } from "./protocol/Messages.ts"
export * from "./services/Authenticator.ts"
export * from "./services/Authorizer.ts"
export * from "./services/CallServices.ts"
export * from "./services/Channelizer.ts"
export * from "./services/Config.ts"
export * from "./services/Credentials.ts"
export * from "./services/Diagnostics.ts"
export * from "./services/Dispatcher.ts"
export * from "./services/Errors.ts"
export * from "./services/Evaluator.ts"
export * from "./services/GraphRegistry.ts"
export * from "./services/MemoryBudget.ts"
export * from "./services/Metrics.ts"
export * from "./services/RequestLog.ts"
export * from "./services/RequestPool.ts"
export * from "./services/RunQueue.ts"
export * from "./services/Sessions.ts"
export * from "./services/Transactions.ts"
export * from "./services/WorkerIdentity.ts"
export {
  CommitOutcomeUnknown,
  ElementExists,
  ElementNotFound,
  FailedAfterCommit,
  ReadOnlyTransaction,
  StorageFailure,
  StorageFull,
  StorageUnavailable,
  TransactionConflict,
  TransactionsNotSupported,
  UnsupportedValue
} from "./structure/errors/StoreErrors.ts"
export type { GraphStore, GraphTransaction } from "./structure/graph/GraphStore.ts"
