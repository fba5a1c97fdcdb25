import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { afterEach } from "vitest"
import type { ServerParts } from "../../../src/layers/Composition.ts"
import { EngineServer, type RunningServer } from "../../../src/layers/EngineServer.ts"
import { defaultSettings, type ServerSettings } from "../../../src/services/Settings.ts"

/** A server of a test, on a port of its own. */
export interface TestedServer extends RunningServer {
  /** `127.0.0.1:port`. */
  readonly authority: string
  /** Lines of its log; one with a cause has the cause's stack below it. */
  readonly log: ReadonlyArray<string>
  readonly end: () => Promise<void>
}

const open = new Set<TestedServer>()

/** Starts a server on a free port with both transports; it ends with the test. */
export const startServer = async (
  overrides: Partial<ServerSettings> = {},
  parts: ServerParts = {}
): Promise<TestedServer> => {
  const scope = await Effect.runPromise(Scope.make())
  const log: Array<string> = []
  const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    const line = `${logLevel.label} ${[message].flat().join(" ")} ${JSON.stringify(Object.fromEntries(annotations))}`
    log.push(Cause.isEmpty(cause) ? line : `${line}\n${Cause.pretty(cause, { renderErrorCause: true })}`)
  })
  const settings = defaultSettings({
    port: 0,
    channelizer: "WsAndHttpChannelizer",
    shutdownTimeout: 1_000,
    ...overrides
  })
  const running = await Effect.runPromise(
    EngineServer.start(settings, parts).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
  )
  const server: TestedServer = {
    ...running,
    authority: `127.0.0.1:${running.port}`,
    log,
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
})

/** The modern toy graph as `g`. */
export const modern: Partial<ServerSettings> = {
  datasets: [{ graph: "graph", dataset: "modern", file: undefined }]
}

/** Runs until its time limit. */
export const endless = "g.inject(1).repeat(__.identity()).until(__.is(2))"

/** Waits until the test is true; fails after five seconds. */
export const eventually = async (test: () => boolean | Promise<boolean>): Promise<void> => {
  const limit = performance.now() + 60_000
  while (!(await test())) {
    if (performance.now() > limit) throw new Error(`it did not become true: ${test}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
