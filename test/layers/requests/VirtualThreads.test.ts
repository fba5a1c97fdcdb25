import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { run } from "../../clients/support.ts"
import { post } from "../support/HttpClient.ts"
import { eventually } from "../support/TestServers.ts"

const VERSION = "24.11.1"
const root = new URL("../../../", import.meta.url).pathname
const home = join(root, ".cache", "node24")
const node24 = join(home, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node")

/** The version of Node.js that lanes on demand need, from the registry; otherwise the reason why it is not available. */
const install = async (): Promise<string | undefined> => {
  if (Number.parseInt(process.versions.node, 10) >= 24) return undefined
  if (existsSync(node24)) return undefined
  try {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, "package.json"), '{"private":true}')
    const name = `node-${process.platform}-${process.arch}@${VERSION}`
    await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", name], { cwd: home })
    return undefined
  } catch (cause) {
    return `Node ${VERSION} cannot be installed: ${String(cause).slice(0, 200)}`
  }
}

const missing = await install()
const executable = existsSync(node24) ? node24 : process.execPath

/** Starts the built server with this Node.js. Returns its port, or how it ended. */
const start = (node: string, folder: string) => {
  writeFileSync(join(folder, "graph.properties"), "engine.graph=TinkerGraph\n")
  const yaml = join(folder, "server.yaml")
  writeFileSync(
    yaml,
    "host: 127.0.0.1\nport: 0\nchannelizer: HttpChannelizer\nenginePool: 3\nenginePoolVirtualThreads: true\n" +
      "graphs: {graph: graph.properties}\n"
  )
  const socket = join(folder, "control.sock")
  const child = spawn(node, [join(root, "bin", "engine-server.js"), "--control-socket", socket, yaml])
  let log = ""
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const listening = new Promise<number>((resolve) => {
    child.stdout.on("data", (data) => {
      log += data
      const port = /Channel started at port (\d+)/.exec(log)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
  })
  child.stderr.on("data", (data) => {
    log += data
  })
  return { child, ended, listening, log: () => log, socket }
}

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("enginePoolVirtualThreads in a separate process", () => {
  it.skipIf(Number.parseInt(process.versions.node, 10) >= 24)(
    "names the version in the log and ends with a failure on an older Node.js",
    () =>
      inFolder(async (folder) => {
        const server = start(process.execPath, folder)
        expect(await server.ended).not.toBe(0)
        expect(server.log()).toContain(
          `enginePoolVirtualThreads needs Node 24 or later, and this is Node ${process.versions.node}`
        )
      })
  )

  it.skipIf(missing !== undefined)(missing ?? "makes lanes on demand on Node.js 24", () =>
    inFolder(async (folder) => {
      const server = start(executable, folder)
      const authority = `127.0.0.1:${await server.listening}`
      const dump = async (): Promise<{ readonly fibers: ReadonlyArray<{ readonly name: string }> }> =>
        JSON.parse(
          await run(executable, [
            join(root, "bin", "engine-server.js"),
            "dump",
            "--control-socket",
            server.socket,
            "--format",
            "json"
          ])
        )
      await eventually(() => existsSync(server.socket))
      expect((await dump()).fibers).toEqual([])
      expect((await post(authority, "1")).status).toBe(200)
      expect((await dump()).fibers.map(({ name }) => name)).toEqual(["engine-server-exec-1"])
      server.child.kill("SIGTERM")
      expect(await server.ended).toBe(0)
    })
  )
})
