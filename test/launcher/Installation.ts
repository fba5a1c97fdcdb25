import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, assert, beforeAll, beforeEach } from "vitest"
import { copyFolder, makePackedProject, packedPackage, packedProject } from "../packed/Package.ts"

/**
 * An installation of the built package, which makePackedProject() has created, in a separate folder. Its name has spaces,
 * because the launcher must support them.
 */
export class Installation {
  /** The root of the installation; empty before install(). */
  folder = ""
  /** The environment variables of its scripts. */
  environment: Record<string, string> = {}

  /** Copies the package to a new folder, and resets the environment variables. */
  install(): this {
    this.folder = join(mkdtempSync(join(tmpdir(), "engine-server-")), "my server")
    this.environment = {
      ENGINESERVER__PORT: "0",
      PATH: process.env.PATH ?? "",
      // The limits of heaps do not depend on the memory of this machine.
      SERVICE_SYSTEM_ROOT: "/nonexistent"
    }
    const dist = join(packedPackage(), "dist")
    cpSync(packedPackage(), this.folder, { recursive: true, filter: (path) => path !== dist })
    // More than a thousand files that no test changes: copies of their contents took half of the time of these tests.
    copyFolder(dist, this.path("dist"))
    symlinkSync(join(packedProject(), "node_modules"), join(this.folder, "node_modules"))
    return this
  }

  path(...parts: ReadonlyArray<string>): string {
    return join(this.folder, ...parts)
  }

  /** Runs a script of the installation under a shell. */
  run(script: string, args: ReadonlyArray<string>, options: RunOptions = {}): SpawnSyncReturns<string> {
    return spawnSync(options.shell ?? "sh", [script.startsWith("/") ? script : this.path(script), ...args], {
      cwd: options.cwd ?? "/",
      encoding: "utf8",
      env: { ...this.environment, ...options.environment },
      timeout: 300_000
    })
  }

  /** Runs bin/service-server.sh. */
  server(...args: ReadonlyArray<string>): SpawnSyncReturns<string> {
    return this.run("bin/service-server.sh", args)
  }

  log(): string {
    return readFileSync(this.path("logs", "service.log"), "utf8")
  }

  /** The port of the last start. */
  port(log = this.log()): number {
    return Number([...log.matchAll(/Channel started at port (\d+)\./g)].at(-1)?.[1])
  }

  /** Counts the vertices with a request to a running server. */
  async count(port = this.port()): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: '{"engine":"g.V().count()"}' })
    assert.strictEqual(response.status, 200)
    return response.json()
  }

  pid(): number {
    return Number(readFileSync(this.path("run", "service.pid"), "utf8"))
  }

  /** Stops the server and removes the folder. */
  remove(): void {
    if (existsSync(this.path("run", "service.pid"))) this.server("stop")
    rmSync(dirname(this.folder), { recursive: true, force: true })
  }
}

/**
 * Writes files of the system below a folder, for SERVICE_SYSTEM_ROOT: a machine of 24 GB with the control groups of `files`, whose
 * values are written as they are.
 */
export const writeSystem = (folder: string, files: Readonly<Record<string, string>>): void => {
  const all = { "proc/meminfo": `MemTotal: ${24 * 1_048_576} kB\n`, "proc/self/cgroup": "", ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Returns an installation that is new for each test of the file. It is removed after the test, with its server. */
export const installationPerTest = (): Installation => {
  const home = new Installation()
  beforeAll(makePackedProject)
  beforeEach(() => void home.install())
  afterEach(async () => {
    home.remove()
    // These tests block the event loop, and vitest must hear from its worker.
    await new Promise((resolve) => setTimeout(resolve, 10))
  })
  return home
}

interface RunOptions {
  readonly shell?: string
  readonly cwd?: string
  readonly environment?: Readonly<Record<string, string>>
}
