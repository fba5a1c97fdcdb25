import { existsSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { remote, runTool, type ToolsCommand } from "../../../src/layers/commands/ToolsCommand.ts"
import { backupGraph } from "../../../src/layers/tools/Backup.ts"
import type { ToolRequest } from "../../../src/layers/tools/ToolRequests.ts"
import { defaultSettings } from "../../../src/services/DefaultSettings.ts"
import { newFolder } from "../../Folders.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { context } from "../tools/Graphs.ts"

const backup = async (): Promise<string> => {
  const file = join(newFolder(), "graph.backup")
  const graph = await cellGraph(await lmdbStore({ sync: "none" }))
  await backupGraph(graph, file, context())
  await graph.close()
  return file
}

it.live("A restore that is stopped has removed its folder when the command ends", () =>
  Effect.gen(function* () {
    const file = yield* Effect.promise(backup)
    const folder = newFolder()
    const restoring = yield* Deferred.make<void>()
    const command: ToolsCommand = {
      tool: "restore",
      words: [file],
      graph: undefined,
      format: undefined,
      label: undefined,
      vertexLabel: undefined,
      edgeLabel: undefined,
      delimiter: undefined,
      map: [],
      idProperty: undefined,
      upsert: false,
      again: false,
      gzip: false,
      repair: false,
      cwd: folder,
      socket: undefined,
      progress: {
        write: (text) => {
          if (text.startsWith("restoring")) Effect.runSync(Deferred.succeed(restoring, undefined))
        }
      },
      settings: Effect.succeed(defaultSettings(onLmdb(folder)))
    }
    const fiber = yield* Effect.fork(runTool(command))
    yield* Deferred.await(restoring)
    yield* Fiber.interrupt(fiber)
    assert.isFalse(existsSync(join(folder, "db.restoring")))
    assert.isFalse(existsSync(join(folder, "db")))
  })
)

it.live("A command whose connection is lost names the way to continue without --again, if it is an import", () =>
  Effect.gen(function* () {
    const socket = join(newFolder(), "control.sock")
    const server = createServer((connection) => connection.once("data", () => connection.end()))
    yield* Effect.async<void>((resume) => void server.listen(socket, () => resume(Effect.void)))
    const lost = "The server closed the connection before the command ended. The log of the server says why."
    const messageOf = (request: ToolRequest) =>
      Effect.map(Effect.flip(remote(socket, request, () => undefined)), ({ message }) => message)
    assert.strictEqual(
      yield* messageOf({ tool: "import", files: ["/v.csv"], again: true }),
      `${lost} What it has committed stays. Run the same command without --again: it continues after the last commit, or says why it cannot.`
    )
    assert.strictEqual(yield* messageOf({ tool: "backup", target: "/graph.backup" }), lost)
    server.close()
  })
)
