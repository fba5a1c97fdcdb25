import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { afterAll } from "vitest"
import { packedPackage } from "../../packed/Package.ts"
import { isPacked } from "./Packed.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const folders: Array<string> = []
const children = new Set<ChildProcess>()

afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The server's program among what is bundled. */
const PROGRAM = "src/main.ts"

/**
 * Bundles programs of the sources into a folder of their own, as files `<name>.mjs`, and gives the folder. Where the tests
 * run against the built package, the server's program is that of the package.
 */
export const bundled = async (given: Readonly<Record<string, string>>): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-bundle-"))
  folders.push(folder)
  for (const part of ["node_modules", "package.json", "conf"]) symlinkSync(join(root, part), join(folder, part))
  const entryPoints = Object.fromEntries(Object.entries(given).filter(([, path]) => !isPacked || path !== PROGRAM))
  await build({
    absWorkingDir: root,
    entryPoints: { ...entryPoints },
    outdir: join(folder, "dist"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error"
  })
  mkdirSync(join(folder, "dist"), { recursive: true })
  for (const [name, path] of Object.entries(given)) {
    if (path in entryPoints || entryPoints[name] !== undefined) continue
    const program = pathToFileURL(join(packedPackage(), "dist", "main.js")).href
    writeFileSync(join(folder, "dist", `${name}.mjs`), `import ${JSON.stringify(program)}\n`)
  }
  return join(folder, "dist")
}

/** A server as a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly port: number
  /** Lines that it has written. */
  readonly log: ReadonlyArray<string>
  /** Ends with the process. */
  readonly exit: Promise<unknown>
}

export interface ProcessOptions {
  /** Lines of the graph's properties file. */
  readonly properties: ReadonlyArray<string>
  /** Further lines of the server's configuration. */
  readonly settings?: ReadonlyArray<string>
  /** Put before the command: a tracer, a shell that limits something. */
  readonly before?: ReadonlyArray<string>
  /** Options before the configuration. */
  readonly options?: ReadonlyArray<string>
}

/** Starts `main.mjs` of a bundle in a folder, which is also its home. Fails with the log when it does not listen. */
export const startProcess = async (
  bundle: string,
  folder: string,
  { before = [], options = [], properties, settings = [] }: ProcessOptions
): Promise<ServerProcess> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "graph.properties"), ["gremlin.graph=JanusGraphFactory", ...properties].join("\n"))
  writeFileSync(
    join(folder, "server.yaml"),
    [
      "host: 127.0.0.1\nport: 0\nchannelizer: WsAndHttpChannelizer\ngraphs: {graph: graph.properties}",
      ...settings
    ].join("\n")
  )
  const command = [...before, process.execPath, join(bundle, "main.mjs"), ...options]
  return startCommand(command, folder, join(folder, "server.yaml"))
}

/**
 * Starts a program with a configuration file, in a folder which is also its home.
 *
 * @param shown makes a line of {@link ServerProcess.log} of what the process has written
 */
export const startConfigured = (
  program: string,
  folder: string,
  file: string,
  shown: (line: string) => string
): Promise<ServerProcess> => startCommand([process.execPath, program], folder, file, shown)

const startCommand = async (
  command: ReadonlyArray<string>,
  folder: string,
  file: string,
  shown = (line: string): string => line
): Promise<ServerProcess> => {
  const child = spawn(command[0]!, [...command.slice(1), file], {
    cwd: folder,
    env: { ...process.env, SERVICE_HOME: folder },
    stdio: ["ignore", "pipe", "pipe"]
  })
  children.add(child)
  const log: Array<string> = []
  const exit = once(child, "exit").then(() => children.delete(child))
  const port = await new Promise<number>((resolve, reject) => {
    const read = (line: string): void => {
      log.push(shown(line))
      const found = /Channel started at port (\d+)/.exec(line)?.[1]
      if (found !== undefined) resolve(Number(found))
    }
    createInterface({ input: child.stdout! }).on("line", read)
    createInterface({ input: child.stderr! }).on("line", read)
    child.once("close", (code) => reject(new Error(`the server ended with ${code}:\n${log.join("\n")}`)))
  })
  return { child, port, log, exit }
}

/** Ends a process as nobody can refuse. */
export const kill = async ({ child, exit }: ServerProcess): Promise<void> => {
  child.kill("SIGKILL")
  await exit
}

/** Asks a process to end, and waits for it. */
export const stop = async ({ child, exit }: ServerProcess): Promise<void> => {
  child.kill("SIGTERM")
  await exit
}
