import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { loggedAndAudited } from "../services/AuditLine.ts"
import { type CredentialStore, Credentials } from "../services/Credentials.ts"
import { GraphRegistry } from "../services/GraphRegistry.ts"
import { lateModule } from "../services/LateModules.ts"
import type { ServerSettings } from "../services/Settings.ts"
import type { SharedNames } from "../services/TakenNames.ts"
import type * as ControlSocket from "./commands/ControlSocket.ts"
import type { RunningServer } from "./EngineServer.ts"
import { parseRequest, perform } from "./trust/CredentialsRequests.ts"

/** Handles the requests of the command `credentials`, which arrive on the control socket. Logs each change. */
const aboutUsers =
  (users: CredentialStore, settings: ServerSettings): ControlSocket.CredentialsAnswer =>
  (text) =>
    Effect.flatMap(parseRequest(text), (request) =>
      Effect.tap(perform(users, request, settings.authorization), () => {
        if (request.action === "list") return Effect.void
        return loggedAndAudited(settings, "The users were changed", { action: request.action, user: request.user })
      })
    ).pipe(
      Effect.tapError((error) =>
        error.cause === undefined ? Effect.void : Effect.logError("The users could not be changed", Cause.fail(error))
      ),
      Effect.catchAll(({ message }) => Effect.succeed(`error: ${message}\n`))
    )

/** Runs commands on graphs, such as `backup`, which arrive on the control socket. The first command loads their code. */
const onGraphs =
  (
    { dynamic, graphs }: typeof GraphRegistry.Service,
    settings: ServerSettings,
    imports: SharedNames | undefined
  ): ControlSocket.ToolAnswer =>
  (request, send) =>
    Effect.flatMap(
      Effect.promise(() => lateModule(import("./tools/ToolService.ts"))),
      ({ toolAnswer }) => toolAnswer({ graphs, settings: settings.graphs, dynamic, imports })(request, send)
    )

/**
 * The commands of the control socket on the users and the graphs of a server.
 *
 * @param imports the files that other workers import; undefined in a server of one process
 */
export const serverCommands = (
  services: RunningServer["services"],
  settings: ServerSettings,
  imports?: SharedNames
): ControlSocket.ServerCommands => {
  const users = Context.get(services, Credentials)
  return {
    credentials: users === null ? undefined : aboutUsers(users, settings),
    tools: onGraphs(Context.get(services, GraphRegistry), settings, imports)
  }
}
