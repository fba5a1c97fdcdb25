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
import { defaultSettings } from "../../src/services/DefaultSettings.ts"
import { RequestPool } from "../../src/services/RequestPool.ts"
import { Sessions } from "../../src/services/Sessions.ts"
import type { ServerSettings } from "../../src/services/Settings.ts"
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
  readonly left: () => number | Promise<number>
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

/** The settings of the servers of a run. Their key is in a folder, which the caller removes. */
export interface FuzzedSettings {
  readonly folder: string
  readonly open: Partial<ServerSettings>
  readonly asking: Partial<ServerSettings>
  readonly encrypted: Partial<ServerSettings>
}

export const fuzzedSettings = (): FuzzedSettings => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-fuzz-"))
  const { certificate, key } = certify("localhost")
  const keyCertChainFile = join(folder, "server.crt")
  const keyFile = join(folder, "server.key")
  writeFileSync(keyCertChainFile, certificate)
  writeFileSync(keyFile, key)
  const ssl = { ...defaultSettings().ssl, enabled: true, keyCertChainFile, keyFile }
  const limits = { maxFailures: 0, maxUserFailures: 0, authenticationTimeout: 2_000 }
  return {
    folder,
    open: common,
    asking: { ...common, ...asking(limits) },
    encrypted: { ...common, ...givingTokens(limits), ssl }
  }
}

/** The addresses of servers with these settings. */
export const targetsAt = (ports: Readonly<Record<"open" | "asking" | "encrypted", number>>) => {
  const credentials = `${user}:${password}`
  return {
    open: { port: ports.open, secure: false, credentials: undefined },
    asking: { port: ports.asking, secure: false, credentials },
    encrypted: { port: ports.encrypted, secure: true, credentials }
  }
}

/** Starts the servers in this process. */
export const startServers = async (): Promise<FuzzedServers> => {
  const settings = fuzzedSettings()
  const scope = await Effect.runPromise(Scope.make())
  const log: Array<string> = []
  const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    const rest = JSON.stringify([Object.fromEntries(annotations), cause])
    if (log.length < 10_000) log.push(`${logLevel.label} ${[message].flat().join(" ")} ${rest}`)
  })
  const start = (settings: Partial<ServerSettings>): Promise<RunningServer> =>
    Effect.runPromise(
      EngineServer.start(defaultSettings(settings)).pipe(
        Effect.provideService(Scope.Scope, scope),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
    )
  const servers = [await start(settings.open), await start(settings.asking), await start(settings.encrypted)] as const
  return {
    ...targetsAt({ open: servers[0].port, asking: servers[1].port, encrypted: servers[2].port }),
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
      rmSync(settings.folder, { recursive: true, force: true })
    }
  }
}
