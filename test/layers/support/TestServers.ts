import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { afterAll, afterEach } from "vitest"
import {
  defaultSettings,
  EngineServer,
  type RunningServer,
  type ServerParts,
  type ServerSettings
} from "../../../src/index.ts"
import { RequestRecords } from "../../../src/services/RequestRecords.ts"
import { SharedState } from "../../../src/services/SharedState.ts"
import { patience } from "../../Limits.ts"
import { packedPackage } from "../../packed/Package.ts"
import { writeConfiguration } from "./Configuration.ts"
import { graphOf, onLmdb } from "./LmdbGraphs.ts"
import { isPacked, testedWorkers } from "./Packed.ts"
import { residentBytes } from "./ResidentMemory.ts"
import { startConfigured } from "./ServerProcess.ts"

export { eventually } from "../../Eventually.ts"

/** A server of a test, on a free port. */
export interface TestedServer {
  /** `127.0.0.1:port`. */
  readonly authority: string
  readonly port: number
  /** Lines of its log. The stack of a cause follows in the same line. */
  readonly log: ReadonlyArray<string>
  /** Bytes of memory that the processes of the server occupy. A server in the process of the test counts with the test. */
  readonly resident: () => number
  readonly end: () => Promise<void>
}

/** A server in the process of the test, which can access its services. */
export interface InsideServer extends TestedServer, RunningServer {
  readonly port: number
}

const open = new Set<TestedServer>()
const folders: Array<string> = []

/** Folders of io() for servers in this process. A server creates its folder when it writes there. */
const io = mkdtempSync(join(tmpdir(), "engine-server-io-"))
let servers = 0

afterAll(() => rmSync(io, { recursive: true, force: true }))

/** The time limit of requests, ms: 30 seconds are the default. */
const ENDLESS_MS = 30_000 * patience

const settingsOf = (overrides: Partial<ServerSettings>): Partial<ServerSettings> => ({
  port: 0,
  channelizer: "WsAndHttpChannelizer",
  shutdownTimeout: 1_000,
  // A request that a test ends does not reach the limit first, on a slow machine either.
  evaluationTimeout: ENDLESS_MS,
  ...overrides
})

/**
 * Starts a server on a free port with both transports. It is stopped at the end of the test. The test cannot see in which
 * process it runs, so that it also holds for the packed program.
 */
export const startServer = (overrides: Partial<ServerSettings> = {}): Promise<TestedServer> =>
  isPacked ? startOutside(overrides) : startInside(overrides)

const startOutside = async (overrides: Partial<ServerSettings>): Promise<TestedServer> => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-outside-"))
  folders.push(folder)
  const settings = testedWorkers > 1 ? inWorkers(folder, overrides) : overrides
  const file = writeConfiguration(folder, settingsOf(settings))
  const { child, exit, log, port } = await startConfigured(
    join(packedPackage(), "dist", "main.js"),
    folder,
    file,
    asLine
  )
  const server: TestedServer = {
    authority: `127.0.0.1:${port}`,
    port,
    log,
    resident: () => residentBytes(child.pid!),
    end: async () => {
      open.delete(server)
      child.kill("SIGTERM")
      await exit
    }
  }
  open.add(server)
  return server
}

/** The same settings for worker processes, which need graphs on disk. */
const inWorkers = (folder: string, overrides: Partial<ServerSettings>): Partial<ServerSettings> => {
  const { authentication } = overrides
  const users = { ...graphOf(["storage.backend=lmdb", "storage.directory=users"], folder), name: "users" }
  return {
    workers: testedWorkers,
    ...onLmdb(folder),
    ...overrides,
    ...(authentication?.credentialsDb && { authentication: { ...authentication, credentialsDb: users } })
  }
}

/** A JSON log line in the form of {@link startInside}. Other lines stay unchanged. */
const asLine = (text: string): string => {
  try {
    const { error, level, message, time: _, ...annotations } = JSON.parse(text)
    const line = `${level} ${message} ${JSON.stringify(annotations)}`
    return error === undefined ? line : `${line}\n${error}`
  } catch {
    return text
  }
}

/**
 * Starts a server in this process, for a test that replaces parts or accesses its services. `bounds`: what it shares with other
 * servers, as a worker does. `records`: where it records its requests, as a worker does.
 */
export const startInside = async (
  overrides: Partial<ServerSettings> = {},
  parts: ServerParts = {},
  bounds?: typeof SharedState.Service,
  records?: typeof RequestRecords.Service
): Promise<InsideServer> => {
  const scope = await Effect.runPromise(Scope.make())
  const log: Array<string> = []
  const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    const line = `${logLevel.label} ${[message].flat().join(" ")} ${JSON.stringify(Object.fromEntries(annotations))}`
    log.push(Cause.isEmpty(cause) ? line : `${line}\n${Cause.pretty(cause, { renderErrorCause: true })}`)
  })
  const settings = defaultSettings(settingsOf({ ioDirectory: join(io, String(servers++)), ...overrides }))
  const started = EngineServer.start(settings, parts).pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger))
  )
  const bounded = bounds === undefined ? started : Effect.provideService(started, SharedState, bounds)
  const running = await Effect.runPromise(
    records === undefined ? bounded : Effect.provideService(bounded, RequestRecords, records)
  )
  const server: InsideServer = {
    ...running,
    authority: `127.0.0.1:${running.port}`,
    log,
    resident: () => process.memoryUsage().rss,
    end: () => {
      open.delete(server)
      return Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
  open.add(server)
  return server
}

afterEach(async () => {
  await Promise.all([...open].map((server) => server.end()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** The modern toy graph as `g`. */
export const modern: Partial<ServerSettings> = {
  datasets: [{ graph: "graph", dataset: "modern", file: undefined }]
}

/** A script that runs until its time limit. */
export const endless = "g.inject(1).repeat(__.identity()).until(__.is(2))"
