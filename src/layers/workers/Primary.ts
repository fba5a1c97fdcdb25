import { fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import type { AddressInfo } from "node:net"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { errorOf } from "../../scheduling/Pending.ts"
import type { ListenFailed } from "../../services/Channelizer.ts"
import type { ServerSettings } from "../../services/Config.ts"
import { listeningOn } from "../../services/ListenAddress.ts"
import { LogControl } from "../../services/LogControl.ts"
import { refuseImpossiblePool } from "../../services/PoolRequirements.ts"
import type { IllegalStateException } from "../../services/RequestPool.ts"
import * as ControlSocket from "../commands/ControlSocket.ts"
import { hint } from "../commands/Hint.ts"
import type { Serve } from "../commands/Surroundings.ts"
import { type WorkerRole, workerEnvironment } from "../commands/WorkerRole.ts"
import { giveSettings } from "../commands/WorkerSettings.ts"
import { removeCutSnapshot, withOneSnapshot } from "./HeapSnapshots.ts"
import { heldSettings } from "./HeldSettings.ts"
import { watchHungWorkers } from "./HungWorkers.ts"
import { KeptSettings } from "./KeptSettings.ts"
import { lastWorkOf } from "./LastWork.ts"
import { listen } from "./Listening.ts"
import { hasDebugger, heapShareNote, ownOptionsForWorkers, variableForWorkers, withHeapShare } from "./NodeOptions.ts"
import { type ServerMemory, serverMemory } from "./ServerMemory.ts"
import { dumpOf, statusOf } from "./ServerReports.ts"
import { WholeServer } from "./WholeServer.ts"
import { type NewWorker, WorkerLink } from "./WorkerLink.ts"
import { Workers } from "./Workers.ts"

/** A worker could not start, so the server does not start. */
export class WorkersNotStarted extends Data.TaggedError("WorkersNotStarted")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** What a worker process runs. */
interface WorkerCommand {
  /** The path of the server program. */
  readonly program: string
  readonly arguments: ReadonlyArray<string>
  /** Options of Node.js. */
  readonly nodeOptions: ReadonlyArray<string>
  /** The variable NODE_OPTIONS. */
  readonly nodeVariable: string | undefined
  /** The settings of a program that contains the server; undefined where the first worker reads the configuration. */
  readonly settings: ServerSettings | undefined
}

/**
 * Starts a worker. It has a process group of its own, so that Ctrl+C in a terminal reaches only the primary process, which then
 * stops the workers.
 */
const forkWorker = (
  command: WorkerCommand,
  server: Pick<WorkerRole, "server" | "startedAt">,
  memory: ServerMemory,
  kept: KeptSettings,
  { isFirst, isFresh, number, workers }: NewWorker
): WorkerLink => {
  const role = { ...server, number, isFirst, workers, ...kept.roleFor(isFresh) }
  const child = fork(command.program, command.arguments, {
    detached: true,
    stdio: memory.stdio(number),
    execArgv: withHeapShare(command.nodeOptions, workers, process.env),
    env: { ...process.env, NODE_OPTIONS: command.nodeVariable, ...workerEnvironment(role) }
  })
  memory.began(number, child.pid ?? 0)
  const link = new WorkerLink(number, child)
  const text = kept.textFor(isFresh)
  if (text !== undefined) giveSettings(child, text, () => link.settled())
  return link
}

/** The workers of a server that listens. */
interface RunningWorkers {
  readonly workers: Workers
  readonly whole: WholeServer
  readonly address: AddressInfo
}

/** Starts workers and listens until the scope closes. Then the workers end as after SIGTERM. */
export const startWorkers = (
  settings: ServerSettings,
  count: number,
  command: WorkerCommand
): Effect.Effect<RunningWorkers, IllegalStateException | WorkersNotStarted | ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    yield* refuseImpossiblePool(settings, true)
    const run = Runtime.runFork(yield* Effect.runtime<never>())
    const { host, port, shutdownTimeout } = settings
    const memory = yield* Effect.mapError(
      serverMemory(count),
      ({ message }) => new WorkersNotStarted({ reason: message })
    )
    const note = heapShareNote(command.nodeOptions, count, process.env)
    if (note !== undefined) yield* Effect.logInfo(note)
    const server = { server: randomUUID(), startedAt: Date.now() }
    const log = Option.getOrUndefined(yield* Effect.serviceOption(LogControl))
    const kept = new KeptSettings(command.settings)
    const whole = new WholeServer(() => workers.all, log)
    const workers: Workers = new Workers({
      count,
      held: heldSettings(settings),
      shutdownTimeoutMs: shutdownTimeout,
      fork: (worker) => {
        const { existing, options } = withOneSnapshot(command.nodeOptions)
        if (existing !== undefined)
          run(Effect.logInfo(`Worker ${worker.number} writes no heap snapshot, because ${existing} exists`))
        return whole.attend(forkWorker({ ...command, nodeOptions: options }, server, memory, kept, worker))
      },
      onConfigured: (ready) => kept.read(ready),
      onEnd: ({ number, pid }, exit) => {
        const reading = memory.ended(number, exit.isExpected && exit.code === 0)
        const snapshot = exit.signal === null ? "" : removeCutSnapshot(command.nodeOptions, pid)
        return lastWorkOf(reading, settings.scriptLogLength) + whole.died(exit, reading.onEventLoop) + snapshot
      },
      log: (level, text) => run({ info: Effect.logInfo, warn: Effect.logWarning, error: Effect.logError }[level](text))
    })
    yield* Effect.addFinalizer(() => Effect.promise(() => workers.stop().finally(() => whole.close())))
    if (!hasDebugger(command.nodeOptions, command.nodeVariable)) {
      const log = (text: string): void => void run(Effect.logError(text))
      yield* Effect.acquireRelease(
        Effect.sync(() => watchHungWorkers({ workers: () => workers.all, log })),
        (end) => Effect.sync(end)
      )
    }
    yield* Effect.tryPromise({
      try: () => workers.start(),
      catch: (cause) => new WorkersNotStarted({ reason: errorOf(cause).message })
    })
    const address = yield* listen(host, port, (socket) => workers.accept(socket))
    // Before the port closes: until all requests are answered, new ones are refused with an answer.
    yield* Effect.addFinalizer(() => Effect.promise(() => workers.stop()))
    workers.listening(address)
    run(Effect.promise(() => whole.metrics.load()))
    yield* Effect.logInfo(`Channel started at port ${address.port}.`).pipe(
      Effect.annotateLogs("address", listeningOn(address))
    )
    return { workers, whole, address }
  })

/** Passes the signals of this process to the workers. */
const passSignals = (workers: Workers, logFile: string | undefined): Effect.Effect<void, never, Scope.Scope> => {
  // A service manager may send its signal to all processes at once: a worker that it ends is not replaced.
  const end = (): void => workers.endReplacing()
  const reopen = (): void => workers.reopenLogs()
  // A terminal that closes ends a server whose log it shows.
  const hangUp = logFile === undefined && process.stdout.isTTY ? {} : { SIGHUP: reopen }
  const handlers = { SIGTERM: end, SIGINT: end, ...hangUp }
  return Effect.acquireRelease(
    Effect.sync(() => {
      for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
    }),
    () =>
      Effect.sync(() => {
        for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
      })
  )
}

/** The program and the arguments of this process. */
const ownCommand = (): WorkerCommand => ({
  program: process.argv[1] ?? "",
  arguments: process.argv.slice(2),
  nodeOptions: ownOptionsForWorkers(process.execArgv),
  nodeVariable: variableForWorkers(process.env.NODE_OPTIONS, ownOptionsForWorkers),
  settings: undefined
})

/** Runs the primary process of a server with workers until the scope closes. It has no graph and serves no request. */
export const primaryProgram =
  (count: number): Serve =>
  (settings, announcement) =>
    Effect.gen(function* () {
      const { address, whole, workers } = yield* startWorkers(settings, count, ownCommand())
      yield* passSignals(workers, settings.logging.file)
      yield* Effect.logInfo(hint(settings, address))
      yield* announcement.ready
      if (settings.controlSocket !== undefined) {
        yield* ControlSocket.listen(settings.controlSocket, {
          status: Effect.promise(() =>
            statusOf({ workers, address, replaced: whole.metrics.replaced, blocked: whole.blockedLines })
          ).pipe(Effect.map((text) => announcement.status + text)),
          dump: (format) => Effect.promise(() => dumpOf(workers, format)),
          unblock: Effect.promise(() => whole.unblock()),
          forward: (socket, line) => whole.forward(socket, line),
          reload: Effect.tryPromise({
            try: () => workers.reload(),
            catch: (cause) => new WorkersNotStarted({ reason: errorOf(cause).message })
          })
        })
      }
      return yield* Effect.never
    })
