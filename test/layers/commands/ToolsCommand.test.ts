import { existsSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { exitStatus } from "../../../src/layers/commands/CommandLine.ts"
import { reportingStop } from "../../../src/layers/commands/Signals.ts"
import { remote, runTool, type ToolsCommand } from "../../../src/layers/commands/ToolsCommand.ts"
import { backupGraph } from "../../../src/layers/tools/Backup.ts"
import type { ToolRequest } from "../../../src/layers/tools/ToolRequests.ts"
import { waitingForEnd } from "../../../src/layers/tools/ToolService.ts"
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

const restoreOf = (file: string, folder: string, more: Partial<ToolsCommand>): ToolsCommand => ({
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
  removeExpired: false,
  cwd: folder,
  socket: undefined,
  progress: { write: () => undefined },
  completed: () => undefined,
  settings: Effect.succeed(defaultSettings(onLmdb(folder))),
  ...more
})

it.live("A restore that is stopped has removed its folder when the command ends", () =>
  Effect.gen(function* () {
    const file = yield* Effect.promise(backup)
    const folder = newFolder()
    const restoring = yield* Deferred.make<void>()
    const command = restoreOf(file, folder, {
      progress: {
        write: (text) => {
          if (text.startsWith("restoring")) Effect.runSync(Deferred.succeed(restoring, undefined))
        }
      }
    })
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

it.live("A command whose work is complete when a signal comes prints its result and succeeds", () =>
  Effect.gen(function* () {
    const file = yield* Effect.promise(backup)
    const folder = newFolder()
    const done = yield* Deferred.make<void>()
    let printed = ""
    const print = (text: string): void => {
      printed += text
    }
    const work = (completed: (text: string) => void) =>
      runTool(
        restoreOf(file, folder, {
          completed: (text) => {
            completed(text)
            Effect.runSync(Deferred.succeed(done, undefined))
          }
        })
      ).pipe(
        // The graph is still closed then, which cannot be interrupted.
        Effect.ensuring(Effect.sleep("50 millis"))
      )
    const fiber = yield* Effect.fork(reportingStop("restore", print, work))
    yield* Deferred.await(done)
    const exit = yield* Fiber.interrupt(fiber)
    assert.isTrue(Exit.isInterrupted(exit))
    assert.strictEqual(exitStatus(exit), 0)
    assert.match(printed, /^Restored .*\n$/)
  })
)

it.live("A command whose work completes after the signal prints its result and succeeds", () =>
  Effect.gen(function* () {
    const stopped = yield* Deferred.make<void>()
    let printed = ""
    const work = (completed: (text: string) => void) =>
      waitingForEnd(
        (signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve("Done.\n"))
            Effect.runSync(Deferred.succeed(stopped, undefined))
          }),
        Effect.die,
        completed
      )
    const fiber = yield* Effect.fork(reportingStop("backup", (text) => void (printed += text), work))
    yield* Deferred.await(stopped)
    assert.strictEqual(exitStatus(yield* Fiber.interrupt(fiber)), 0)
    assert.strictEqual(printed, "Done.\n")
  })
)
