import type { AddressInfo } from "node:net"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Scope from "effect/Scope"
import type { process } from "gremlin"
import { defaultSettings, givenSettings } from "../../services/DefaultSettings.ts"
import { Dispatcher } from "../../services/Dispatcher.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import type { ServerParts } from "../Composition.ts"
import { EngineServer } from "../EngineServer.ts"
import { InProcessDriver } from "./InProcessDriver.ts"

/** A server inside this process, for programs and tests without Effect. */
export interface EmbeddedServer {
  readonly address: AddressInfo
  readonly port: number
  /**
   * The `g` of the driver of Apache TinkerPop (the npm package `gremlin`, 3.7 or 3.8), whose requests do not pass a socket. They
   * are requests like all others, with the server's limits, but without a user. Throws if the package is not installed.
   *
   * @param source the name of a traversal source of the server. Default `g`
   */
  readonly traversal: (source?: string) => process.GraphTraversalSource
  /** Lets requests in flight end, then stops the server and closes its graphs. Later calls wait for the same end. */
  readonly close: () => Promise<void>
}

/**
 * Starts a server in this process. Without settings it has an empty graph in memory as `g`, and listens with WebSocket and HTTP
 * on any free port of this machine. Rejects with the error of a start that fails. The log has warnings and errors only.
 */
export const startServer = async (
  settings: Partial<ServerSettings> = {},
  parts: ServerParts = {}
): Promise<EmbeddedServer> => {
  const all = defaultSettings({
    port: 0,
    host: "127.0.0.1",
    channelizer: "WsAndHttpChannelizer",
    ...givenSettings(settings)
  })
  const scope = await Effect.runPromise(Scope.make())
  const started = await Effect.runPromiseExit(
    EngineServer.start(all, parts).pipe(
      Effect.provideService(Scope.Scope, scope),
      Logger.withMinimumLogLevel(LogLevel.Warning)
    )
  )
  if (Exit.isFailure(started)) {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    throw Cause.squash(started.cause)
  }
  const { address, port, services } = started.value
  let driver: InProcessDriver | undefined
  let closed: Promise<void> | undefined
  return {
    address,
    port,
    traversal: (source = "g") => {
      driver ??= new InProcessDriver({ dispatcher: Context.get(services, Dispatcher), settings: all })
      return driver.traversal(source)
    },
    close: () => {
      closed ??= Effect.runPromise(Scope.close(scope, Exit.void).pipe(Logger.withMinimumLogLevel(LogLevel.Warning)))
      return closed
    }
  }
}
