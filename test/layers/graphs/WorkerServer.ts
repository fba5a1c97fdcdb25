import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { decodeGraphFile } from "../../../src/layers/config/GraphFile.ts"
import { EngineServer } from "../../../src/layers/EngineServer.ts"
import { defaultSettings, type GraphSettings, type ServerSettings } from "../../../src/services/Config.ts"
import { Credentials } from "../../../src/services/Credentials.ts"
import { dynamicGraphDefaults } from "../../../src/services/DynamicGraphs.ts"
import { WorkerIdentity } from "../../../src/services/WorkerIdentity.ts"

/** A graph on disk. */
const graphIn = (home: string, name: string): GraphSettings => {
  const lines = ["org.janusgraph.core.JanusGraphFactory", "lmdb", join(home, name)]
  const text = ["gremlin.graph", "storage.backend", "storage.directory"].map((key, at) => `${key}=${lines[at]}`)
  const folders = { home, cwd: home, library: undefined, installation: home }
  const { graph } = decodeGraphFile(
    name,
    { file: join(home, `${name}.properties`), text: text.join("\n"), overrides: [], environment: {} },
    folders
  )
  return graph!
}

/** A graph, users and dynamic graphs on disk. */
const settingsIn = (folder: string): Partial<ServerSettings> => ({
  graphs: new Map([["graph", graphIn(folder, "graph")]]),
  configurationGraph: graphIn(folder, "ConfigurationManagementGraph"),
  dynamicGraphs: { ...dynamicGraphDefaults(1e9), directory: join(folder, "graphs"), allowed: true },
  authentication: {
    ...defaultSettings().authentication,
    authenticator: "SimpleAuthenticator",
    credentialsDb: graphIn(folder, "users")
  }
})

/** Serves a folder as a worker of a server until it gets SIGTERM, and writes its port. Without a server: as one process. */
const [folder, server, worker] = process.argv.slice(2)
const start = Effect.gen(function* () {
  const running = yield* EngineServer.start(
    defaultSettings({ port: 0, channelizer: "HttpChannelizer", ...settingsIn(folder!) })
  )
  const users = Context.get(running.services, Credentials)!
  // One of the workers adds the user.
  const added = yield* Effect.either(users.add("first", "secret", "admin"))
  if (added._tag === "Left") process.stdout.write(`${added.left.message}\n`)
  process.stdout.write(`port ${running.port}\n`)
  yield* Effect.async<void>((resume) => void process.once("SIGTERM", () => resume(Effect.void)))
})
const identified =
  server === undefined ? start : Effect.provideService(start, WorkerIdentity, { server, worker: Number(worker) })
Effect.runPromise(Effect.scoped(identified)).then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  }
)
