import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { EngineServer, type RunningServer } from "../../src/layers/EngineServer.ts"
import { Channelizer } from "../../src/services/Channelizer.ts"
import { RequestPool } from "../../src/services/RequestPool.ts"
import { Sessions } from "../../src/services/Sessions.ts"
import { defaultSettings, type ServerSettings } from "../../src/services/Settings.ts"
import { certify } from "../layers/support/Certificates.ts"
import { asking, givingTokens, password, user } from "../layers/support/Users.ts"
import { MAX_MESSAGE_BYTES } from "./Cases.ts"
import type { Target } from "./Wire.ts"

/** The tested servers: without authentication, with password authentication, and with password authentication over TLS. */
export interface FuzzedServers {
  readonly open: Target
  readonly asking: Target
  readonly encrypted: Target
  /** Log lines of all servers. */
  readonly log: ReadonlyArray<string>
  /** The remaining connections, running and waiting requests, and sessions. */
  readonly left: () => number
  readonly end: () => Promise<void>
}

const common: Partial<ServerSettings> = {
  port: 0,
  channelizer: "WsAndHttpChannelizer",
  datasets: [{ graph: "graph", dataset: "modern", file: undefined }],
  enginePool: 8,
  headersTimeout: 1_000,
  requestTimeout: 1_000,
  evaluationTimeout: 500,
  maxContentLength: MAX_MESSAGE_BYTES,
  maxNestingDepth: 64,
  maxResults: 10_000,
  shutdownTimeout: 500
}

export const startServers = async (): Promise<FuzzedServers> => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-fuzz-"))
  const { certificate, key } = certify("localhost")
  const keyCertChainFile = join(folder, "server.crt")
  const keyFile = join(folder, "server.key")
  writeFileSync(keyCertChainFile, certificate)
  writeFileSync(keyFile, key)
  const ssl = { ...defaultSettings().ssl, enabled: true, keyCertChainFile, keyFile }
  const scope = await Effect.runPromise(Scope.make())
  const log: Array<string> = []
  const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    const rest = JSON.stringify([Object.fromEntries(annotations), cause])
    if (log.length < 10_000) log.push(`${logLevel.label} ${[message].flat().join(" ")} ${rest}`)
  })
  const start = (settings: Partial<ServerSettings>): Promise<RunningServer> =>
    Effect.runPromise(
      EngineServer.start(defaultSettings({ ...common, ...settings })).pipe(
        Effect.provideService(Scope.Scope, scope),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
    )
  const limits = { maxFailures: 0, authenticationTimeout: 2_000 }
  const servers = [await start({}), await start(asking(limits)), await start({ ...givingTokens(limits), ssl })] as const
  const credentials = `${user}:${password}`
  return {
    open: { port: servers[0].port, secure: false, credentials: undefined },
    asking: { port: servers[1].port, secure: false, credentials },
    encrypted: { port: servers[2].port, secure: true, credentials },
    log,
    left: () =>
      servers.reduce((sum, { services }) => {
        const { queued, running } = Context.get(services, RequestPool).status()
        return (
          sum +
          queued +
          running +
          Context.get(services, Channelizer).connections() +
          Context.get(services, Sessions).count()
        )
      }, 0),
    end: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
