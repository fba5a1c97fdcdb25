import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { afterAll } from "vitest"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { packedPackage } from "../../packed/Package.ts"
import { isPacked } from "./Packed.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const children = new Set<ChildProcess>()

// vitest runs these hooks in reverse: the folders, whose hook Folders.ts has registered before, are removed after the servers have ended.
afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
})

/** The program of the server among the bundled ones. */
const PROGRAM = "src/main.ts"

/**
 * Bundles programs into a new folder, as files `<name>.mjs`, and returns the folder. When the tests run against the built
 * package, the program of the server is that of the package.
 */
export const bundled = async (given: Readonly<Record<string, string>>): Promise<string> => {
  const folder = newFolder()
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

/** A server in a separate process. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly port: number
  /** Its output lines. */
  readonly log: ReadonlyArray<string>
  /** Resolves when the process ends. */
  readonly exit: Promise<unknown>
}

export interface ProcessOptions {
  /** Lines of the graph's properties file. */
  readonly properties: ReadonlyArray<string>
  /** Further lines of the server's configuration. */
  readonly settings?: ReadonlyArray<string>
  /** The setting `graphs`. Default: the graph of `graph.properties`. */
  readonly graphs?: string
  /** A prefix of the command: a tracer, or a shell that sets limits. */
  readonly before?: ReadonlyArray<string>
  /** Options before the configuration. */
  readonly options?: ReadonlyArray<string>
}

/** The time limit of requests, longer on slow machines: a request that a test ends does not reach it first. */
const limitBeside = (settings: ReadonlyArray<string>): ReadonlyArray<string> =>
  settings.some((line) => line.startsWith("evaluationTimeout:")) ? [] : [`evaluationTimeout: ${30_000 * patience}`]

/** Starts `main.mjs` of a bundle in a folder, which is its home. Fails with the log when it does not listen. */
export const startProcess = async (
  bundle: string,
  folder: string,
  { before = [], graphs = "graphs: {graph: graph.properties}", options = [], properties, settings = [] }: ProcessOptions
): Promise<ServerProcess> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "graph.properties"), ["gremlin.graph=JanusGraphFactory", ...properties].join("\n"))
  writeFileSync(
    join(folder, "server.yaml"),
    [
      `host: 127.0.0.1\nport: 0\nchannelizer: WsAndHttpChannelizer\n${graphs}`,
      ...limitBeside(settings),
      ...settings
    ].join("\n")
  )
  const command = [...before, process.execPath, join(bundle, "main.mjs"), ...options]
  return startCommand(command, folder, join(folder, "server.yaml"))
}

/**
 * Starts a program with a configuration file in a folder, which is its home.
 *
 * @param shown converts a line of output into a line of {@link ServerProcess.log}
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
  // Its output has ended then, too: the last lines of its log are read.
  const exit = once(child, "close").then(() => children.delete(child))
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

/** Kills a process. */
export const kill = async ({ child, exit }: ServerProcess): Promise<void> => {
  child.kill("SIGKILL")
  await exit
}

/** Terminates a process and waits for its end. */
export const stop = async ({ child, exit }: ServerProcess): Promise<void> => {
  child.kill("SIGTERM")
  await exit
}
