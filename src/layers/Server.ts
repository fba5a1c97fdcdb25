import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type CredentialStore, Credentials } from "../services/Credentials.ts"
import { Diagnostics } from "../services/Diagnostics.ts"
import { GraphRegistry } from "../services/GraphRegistry.ts"
import type { ServerSettings } from "../services/Settings.ts"
import type { Serve } from "./commands/CommandLine.ts"
import * as ControlSocket from "./commands/ControlSocket.ts"
import { reduceIdleHeap } from "./commands/IdleHeap.ts"
import { EngineServer, type RunningServer } from "./EngineServer.ts"
import { parseRequest, perform } from "./trust/CredentialsRequests.ts"

/** The log line at the start, which shows how to send a first request. */
const hint = ({ authentication, channelizer, ssl }: ServerSettings, { address, port }: RunningServer): string => {
  const named = address.address === "0.0.0.0" || address.address === "::" ? "localhost" : address.address
  const host = `${named.includes(":") ? `[${named}]` : named}:${port}`
  const who = authentication.authenticator === "AllowAllAuthenticator" ? "" : "-u <user>:<password> "
  return channelizer === "WebSocketChannelizer"
    ? `Connect a driver to ${ssl.enabled ? "wss" : "ws"}://${host}/gremlin`
    : `Try: curl ${who}-d '{"engine":"g.V().count()"}' ${ssl.enabled ? "https" : "http"}://${host}/`
}

/** Handles the requests of the command `credentials`, which arrive on the control socket. Logs each change. */
const aboutUsers =
  (users: CredentialStore, settings: ServerSettings): ControlSocket.CredentialsAnswer =>
  (text) =>
    Effect.flatMap(parseRequest(text), (request) =>
      Effect.tap(perform(users, request, settings.authorization), () =>
        request.action === "list"
          ? Effect.void
          : Effect.annotateLogs(Effect.logInfo("The users were changed"), {
              action: request.action,
              user: request.user
            })
      )
    ).pipe(
      Effect.tapError((error) =>
        error.cause === undefined ? Effect.void : Effect.logError("The users could not be changed", Cause.fail(error))
      ),
      Effect.catchAll(({ message }) => Effect.succeed(`error: ${message}\n`))
    )

/** Runs commands on graphs, such as `backup`, which arrive on the control socket. The first command loads their code. */
const onGraphs =
  ({ dynamic, graphs }: typeof GraphRegistry.Service, settings: ServerSettings): ControlSocket.ToolAnswer =>
  (request, send) =>
    Effect.flatMap(
      Effect.promise(() => import("./tools/ToolService.ts")),
      ({ toolAnswer }) => toolAnswer(graphs, settings.graphs, dynamic)(request, send)
    )

/** Runs the server and its control socket until the scope closes. */
export const serve: Serve = (settings, announcement) =>
  Effect.gen(function* () {
    const running = yield* EngineServer.start(settings)
    yield* reduceIdleHeap
    const { services } = running
    yield* Effect.logInfo(hint(settings, running))
    yield* announcement.ready
    if (settings.controlSocket !== undefined) {
      const diagnostics = Context.get(services, Diagnostics)
      const users = Context.get(services, Credentials)
      yield* ControlSocket.listen(
        settings.controlSocket,
        { ...diagnostics, status: () => announcement.status + diagnostics.status() },
        users === null ? undefined : aboutUsers(users, settings),
        onGraphs(Context.get(services, GraphRegistry), settings)
      )
    }
    return yield* Effect.never
  })
