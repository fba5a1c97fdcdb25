import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { post } from "../layers/support/HttpClient.ts"
import { eventually } from "../layers/support/TestServers.ts"
import { makePackedProject } from "./Package.ts"
import { environmentOf, packedProgram } from "./PackedCommands.ts"

/** The folder of a test file's configurations and graphs, removed at the end of the file. */
export const root = mkdtempSync(join(tmpdir(), "engine-server-smoke-"))
const children = new Set<ReturnType<typeof spawn>>()

beforeAll(makePackedProject)
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit")
  }
  children.clear()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Lines of configurations and of properties files. */
export const both = "channelizer: WsAndHttpChannelizer\n"
export const tinkerGraph: ReadonlyArray<string> = ["engine.graph=TinkerGraph"]
export const onLmdb: ReadonlyArray<string> = [
  "engine.graph=JanusGraphFactory",
  "storage.backend=lmdb",
  "storage.directory=db"
]

/**
 * Creates a folder with the configuration `server.yaml`: lines of YAML, and graphs by name with the lines of their
 * properties files. The graph `users` is not served.
 */
export const place = (name: string, yaml: string, graphs: Readonly<Record<string, ReadonlyArray<string>>>): string => {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  for (const [graph, lines] of Object.entries(graphs)) {
    writeFileSync(join(folder, `${graph}.properties`), lines.join("\n"))
  }
  const served = Object.keys(graphs).filter((graph) => graph !== "users")
  const files = served.map((graph) => `${graph}: ${graph}.properties`).join(", ")
  writeFileSync(join(folder, "server.yaml"), `host: 127.0.0.1\nport: 0\ngraphs: {${files}}\n${yaml}`)
  return folder
}

/** A server of the packed program. */
export interface Running {
  /** `127.0.0.1:port`. */
  readonly authority: string
  /** Its output. */
  readonly log: () => string
  /** Ends it with SIGTERM. Fails when it does not shut down cleanly. */
  readonly stop: () => Promise<void>
}

/** Starts a command that serves until the end of the test. Fails with its output when it does not listen. */
export const serve = async (
  folder: string,
  command: ReadonlyArray<string>,
  socket: string | undefined
): Promise<Running> => {
  const child = spawn(command[0]!, command.slice(1), { cwd: folder, env: environmentOf(folder) })
  children.add(child)
  let log = ""
  child.stdout.on("data", (data) => {
    log += data
  })
  child.stderr.on("data", (data) => {
    log += data
  })
  const ended = once(child, "close")
  const port = (): string | undefined => /Channel started at port (\d+)\./.exec(log)?.[1]
  const isReady = (): boolean => port() !== undefined && (socket === undefined || existsSync(socket))
  await eventually(() => isReady() || child.exitCode !== null)
  if (child.exitCode !== null) {
    await ended
    throw new Error(log)
  }
  return {
    authority: `127.0.0.1:${port()}`,
    log: () => log,
    stop: async () => {
      child.kill("SIGTERM")
      await ended
      expect([child.exitCode, log]).toEqual([0, expect.stringContaining("Server stopped")])
    }
  }
}

/** Serves the configuration of a folder of {@link place}, with the control socket `s.sock`. */
export const start = (folder: string): Promise<Running> => {
  const socket = join(folder, "s.sock")
  return serve(folder, [process.execPath, packedProgram(), "--control-socket", socket, "server.yaml"], socket)
}

/** The results of a script, which must succeed. */
export const value = async (authority: string, script: string): Promise<unknown> => {
  const answer = await post(authority, script)
  expect([script, answer.status, answer.text]).toEqual([script, 200, answer.text])
  return answer.json.result.data
}
