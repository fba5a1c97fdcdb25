import { url as debuggerUrl } from "node:inspector"
import type { AddressInfo, Socket } from "node:net"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type * as Scope from "effect/Scope"
import { Channelizer } from "../../services/Channelizer.ts"
import type { ServerSettings } from "../../services/Config.ts"
import { Diagnostics } from "../../services/Diagnostics.ts"
import { RequestRecords } from "../../services/RequestRecords.ts"
import { SharedState } from "../../services/SharedState.ts"
import { WorkerIdentity } from "../../services/WorkerIdentity.ts"
import { WorkerProcess, type WorkerProcessShape } from "../../services/WorkerProcess.ts"
import { commandRunner } from "../commands/ControlSocket.ts"
import { reduceIdleHeap } from "../commands/IdleHeap.ts"
import type { Serve } from "../commands/Surroundings.ts"
import type { WorkerRole } from "../commands/WorkerRole.ts"
import { settingsText } from "../commands/WorkerSettings.ts"
import { refusedByWorkers } from "../config/WorkerCount.ts"
import { EngineServer } from "../EngineServer.ts"
import { serverCommands } from "../ServerCommands.ts"
import { type Channel, channelToParent } from "./Channel.ts"
import { heldSettings } from "./HeldSettings.ts"
import { peersOf } from "./PeersOfWorker.ts"
import { refusals } from "./Refusals.ts"
import { joinServerMemory } from "./ServerMemory.ts"

/** Time that a worker has to end after its primary process has died, ms. No other process would end it. */
const ORPHAN_MS = 5_000

/** Time beyond `shutdownTimeout` that the other workers have to end before the hooks `onShutDown` run, ms. */
const LAST_MS = 120_000

/** The connections that the primary process sends. Those that arrive before the server takes them wait. */
const arrivals = (channel: Channel): Pick<WorkerProcessShape, "onConnection" | "connectionClosed"> => {
  let take: ((socket: Socket) => void) | undefined
  const early: Array<Socket> = []
  channel.onNotice("connection", (_, socket) => {
    // The client may have closed the connection before it arrived.
    if (socket === undefined) connectionClosed()
    else if (take === undefined) early.push(socket)
    else take(socket)
  })
  let closed = 0
  // Connections that close in one turn of the event loop are one message.
  const connectionClosed = (): void => {
    if (closed++ > 0) return
    setImmediate(() => {
      channel.tell("closed", closed)
      closed = 0
    })
  }
  return {
    onConnection: (taken) => {
      take = taken
      for (const socket of early.splice(0)) taken(socket)
    },
    connectionClosed
  }
}

/**
 * Obeys the primary process: `stop` interrupts this fiber, as SIGTERM does, also while the server starts. Returns an effect that
 * waits for the order to retire.
 */
const obey = (channel: Channel): Effect.Effect<Effect.Effect<void>> =>
  Effect.withFiberRuntime((fiber) => {
    const retire = Deferred.unsafeMake<void>(FiberId.none)
    const stop = (): void => void Effect.runFork(Fiber.interrupt(fiber))
    channel.onNotice("stop", stop)
    channel.onNotice("retire", () => Deferred.unsafeDone(retire, Effect.void))
    // SIGUSR1 or a script of the administrator may have opened it since the start.
    channel.onQuestion("alive", () => (debuggerUrl() === undefined ? null : "debugger"))
    const orphaned = (): void => {
      stop()
      setTimeout(() => process.exit(1), ORPHAN_MS).unref()
    }
    process.once("disconnect", orphaned)
    // The channel may have closed before.
    if (process.connected !== true) orphaned()
    return Effect.succeed(Deferred.await(retire))
  })

/** The channel to the primary process. Without it, an ended program would keep its process. */
const channelToPrimary: Effect.Effect<Channel, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(channelToParent),
  (channel) =>
    Effect.sync(() => {
      channel.close()
      if (process.connected) process.disconnect()
    })
)

/**
 * Starts the server of a worker, with what it shares with the others. Fails for graphs that workers cannot share: the
 * configuration may have changed since the primary process checked it.
 */
const startServer = (
  settings: ServerSettings,
  { number, server, workers }: Pick<WorkerRole, "number" | "server" | "workers">
) =>
  Effect.gen(function* () {
    const refused = refusedByWorkers(settings, workers)
    if (refused !== undefined) return yield* refused
    const { bounds, records, writes } = yield* joinServerMemory(number)
    const identity = { server, worker: number, hasOthers: workers > 1, workers: bounds.workers, writes }
    return yield* EngineServer.start(settings).pipe(
      Effect.provideService(SharedState, bounds),
      Effect.provideService(RequestRecords, records),
      Effect.provideService(WorkerIdentity, identity),
      Effect.map(({ services }) => ({ services, imports: bounds.imports }))
    )
  })

/** Runs a worker until the primary process ends it, or another worker has its place and its connections are closed. */
export const workerProgram =
  ({ asksForSettings, isFirst, number, server, startedAt, workers }: WorkerRole): Serve =>
  (settings, { notes }) =>
    Effect.gen(function* () {
      const channel = yield* channelToPrimary
      const ordered = yield* obey(channel)
      const address: AddressInfo = { address: settings.host, family: "", port: settings.port }
      channel.onNotice("listening", (found) => void Object.assign(address, found))
      const peers = peersOf(channel)
      const worker: WorkerProcessShape = {
        number,
        isFirst,
        startedAt: new Date(startedAt),
        address,
        // A primary process of an earlier version does not know the question, and one that has died sends no connections.
        drained: () =>
          channel.ask("drained", null).then(
            () => undefined,
            () => undefined
          ),
        isLast: () => channel.ask("last", null, settings.shutdownTimeout + LAST_MS),
        refusal: refusals(peers),
        peers,
        ...arrivals(channel)
      }
      const { imports, services } = yield* startServer(settings, { number, server, workers }).pipe(
        Effect.provideService(WorkerProcess, worker),
        Effect.tapError(({ message }) => Effect.promise(() => channel.ask("failed", message).catch(() => null)))
      )
      yield* reduceIdleHeap
      const diagnostics = Context.get(services, Diagnostics)
      channel.onQuestion("status", () => diagnostics.figures())
      channel.onQuestion("dump", (format) => diagnostics.dump(format))
      const commands = yield* commandRunner(serverCommands(services, settings, imports))
      // The client may have closed the connection before it arrived.
      channel.onNotice("control", (line, socket) => socket !== undefined && commands.run(socket, line))
      // Runs before the server ends. New connections would get no answer while it waits for its requests.
      yield* Effect.addFinalizer(() => Effect.sync(() => channel.tell("leaving", null)))
      const reported = asksForSettings ? undefined : settingsText(settings)
      channel.tell("ready", { ...heldSettings(settings), workers: settings.workers, notes, settings: reported })
      const { retire = Effect.void } = Context.get(services, Channelizer)
      yield* Effect.all([ordered, retire, commands.idle], { discard: true })
      return yield* Effect.interrupt
    })
