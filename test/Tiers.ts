/**
 * Test files that `npm test` excludes, so that it takes less than five minutes on two cores. `npm run test:full` runs all
 * files, and so does a run with file names.
 */

/** Tests that fill the memory of a server, or measure it. They run alone. A test that fails once has failed. */
export const solitary: ReadonlyArray<string> = [
  "test/layers/evaluation/MemoryPressure.test.ts",
  "test/layers/hostile/WebSocketHostile.test.ts"
]

/** Tests that measure how long a server delays other requests, or how long it takes for something. They run alone, last. */
export const measuring: ReadonlyArray<string> = [
  "test/layers/evaluation/AnswerStalls.test.ts",
  "test/layers/commands/IdleMemory.test.ts",
  "test/layers/requests/Fairness.test.ts",
  "test/layers/evaluation/PlanStalls.test.ts",
  "test/layers/evaluation/Stalls.test.ts",
  "test/layers/evaluation/StorageStalls.test.ts",
  "test/layers/evaluation/TextStalls.test.ts",
  "test/layers/evaluation/ValueStalls.test.ts",
  "test/layers/hostile/EnvelopeStalls.test.ts",
  "test/layers/hostile/FloodStalls.test.ts"
]

/** Tests of hostile clients. The run against the built package repeats them with worker processes over lmdb. */
export const withWorkers: ReadonlyArray<string> = [
  "test/fuzz/Fuzz.test.ts",
  "test/layers/hostile/EveryType.test.ts",
  "test/layers/hostile/HttpHostile.test.ts",
  "test/layers/hostile/LargeResults.test.ts",
  "test/layers/hostile/Limits.test.ts",
  "test/layers/hostile/Races.test.ts",
  "test/layers/hostile/WebSocketHostile.test.ts",
  "test/layers/transport/ConnectionLimits.test.ts",
  "test/layers/transport/Http.test.ts",
  "test/layers/transport/Paths.test.ts",
  "test/layers/transport/Pipelining.test.ts",
  "test/layers/transport/Tls.test.ts",
  "test/layers/transport/WebSocket.test.ts",
  "test/layers/transport/shared/ArrivingBytes.test.ts"
]

/** Tests that take many seconds: they use many processes, much data, many random runs, or real timeouts. */
export const lengthy: ReadonlyArray<string> = [
  "test/console/DataView.test.ts",
  "test/console/GraphView.test.ts",
  "test/console/HostileTexts.test.ts",
  "test/console/QueryView.test.ts",
  "test/console/ServerViews.test.ts",
  "test/console/Tours.test.ts",
  "test/console/Users.test.ts",
  "test/console/Views.test.ts",
  "test/fuzz/Fuzz.test.ts",
  "test/launcher/Cassandra.test.ts",
  "test/launcher/EntryPoint.test.ts",
  "test/launcher/Launcher.test.ts",
  "test/launcher/Modules.test.ts",
  "test/launcher/Shells.test.ts",
  "test/launcher/Variables.test.ts",
  "test/launcher/Workers.test.ts",
  "test/layers/commands/ClosedOutput.test.ts",
  "test/layers/commands/Crashes.test.ts",
  "test/layers/commands/Signals.test.ts",
  "test/layers/evaluation/LongAnswers.test.ts",
  "test/layers/evaluation/Memory.test.ts",
  "test/layers/evaluation/SmallHeap.test.ts",
  "test/layers/evaluation/WorkerInitialization.test.ts",
  "test/layers/graphs/CqlCancelling.test.ts",
  "test/layers/graphs/Draining.test.ts",
  "test/layers/graphs/LmdbCrash.test.ts",
  "test/layers/graphs/LmdbDurability.test.ts",
  "test/layers/graphs/MemoryGraphs.test.ts",
  "test/layers/graphs/WorkersOnLmdb.test.ts",
  "test/layers/graphs/dynamic/OtherWorkers.test.ts",
  "test/layers/graphs/dynamic/ScriptGraphWorkers.test.ts",
  "test/layers/hostile/EveryType.test.ts",
  "test/layers/hostile/LargeResults.test.ts",
  "test/layers/hostile/Races.test.ts",
  "test/layers/hostile/ValueAttacks.test.ts",
  "test/layers/requests/CommitOutcomes.test.ts",
  "test/layers/tools/CassandraVerification.test.ts",
  "test/layers/tools/DocumentVerification.test.ts",
  "test/layers/tools/FileLaws.test.ts",
  "test/layers/tools/Import.test.ts",
  "test/layers/tools/LiveServer.test.ts",
  "test/layers/tools/RandomWork.test.ts",
  "test/layers/transport/http/OtherWorkers.test.ts",
  "test/layers/trust/Attacks.test.ts",
  "test/layers/trust/ServerProcess.test.ts",
  "test/layers/workers/BlockedRequests.test.ts",
  "test/layers/workers/BlockedWorkers.test.ts",
  "test/layers/workers/HungWorkers.test.ts",
  "test/layers/workers/KilledWorkers.test.ts",
  "test/layers/workers/LostSessions.test.ts",
  "test/layers/workers/RenewedFiles.test.ts",
  "test/layers/workers/ServerMemory.test.ts",
  "test/layers/workers/ServerMetrics.test.ts",
  "test/layers/workers/ServerReports.test.ts",
  "test/layers/workers/SharedReload.test.ts",
  "test/layers/workers/WholeServer.test.ts",
  "test/layers/workers/Workers.test.ts",
  "test/packed/Embedded.test.ts",
  "test/process/LongTraversals.test.ts",
  "test/protocol/ResumableWrite.test.ts",
  "test/storage/janusgraph/ConcurrentChanges.test.ts",
  "test/storage/janusgraph/documents/DocumentLog.test.ts",
  "test/storage/janusgraph/documents/EngineFaults.test.ts",
  "test/storage/janusgraph/documents/FailedCommits.test.ts",
  "test/storage/lmdb/ChangedRows.test.ts",
  "test/storage/lmdb/IndexCrash.test.ts",
  "test/storage/lmdb/LongCommits.test.ts",
  "test/storage/lmdb/OpeningMarker.test.ts",
  "test/storage/lmdb/Processes.test.ts",
  "test/storage/lmdb/RandomOpenings.test.ts",
  "test/storage/lmdb/SharedCommits.test.ts",
  "test/storage/lmdb/SharedCrash.test.ts",
  "test/storage/lmdb/SharedIndexes.test.ts",
  "test/storage/memory/FailedCommits.test.ts"
]
