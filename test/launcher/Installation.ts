import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Brings dist/ up to date, as the first start of a checkout does. */
export const build = (): void => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "bin", "engine-server.js"), "--version"], {
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`the server cannot be built: ${stderr}`)
}

/** An installation of its own, in a folder whose name has spaces, which is what the launcher has to cope with. */
export class Installation {
  readonly folder = join(mkdtempSync(join(tmpdir(), "engine-server-")), "my server")
  readonly environment: Record<string, string> = { ENGINESERVER__PORT: "0", PATH: process.env.PATH ?? "" }

  constructor() {
    mkdirSync(this.folder)
    for (const part of ["bin", "conf", "dist", "package.json", "scripts/empty-sample.groovy"]) {
      cpSync(join(root, part), join(this.folder, part), { recursive: true })
    }
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"))
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

  /** Port of the last start. */
  port(log = this.log()): number {
    return Number([...log.matchAll(/Channel started at port (\d+)\./g)].at(-1)?.[1])
  }

  pid(): number {
    return Number(readFileSync(this.path("run", "service.pid"), "utf8"))
  }

  /** Stops whatever runs and removes the folder. */
  remove(): void {
    if (existsSync(this.path("run", "service.pid"))) this.server("stop")
    rmSync(dirname(this.folder), { recursive: true, force: true })
  }
}

interface RunOptions {
  readonly shell?: string
  readonly cwd?: string
  readonly environment?: Readonly<Record<string, string>>
}
