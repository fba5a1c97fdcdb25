import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { packedPackage, packedProject } from "../packed/Package.ts"

/**
 * An installation of the built package, which makePackedProject() has created, in a separate folder. Its name has spaces,
 * because the launcher must support them.
 */
export class Installation {
  readonly folder = join(mkdtempSync(join(tmpdir(), "engine-server-")), "my server")
  readonly environment: Record<string, string> = { ENGINESERVER__PORT: "0", PATH: process.env.PATH ?? "" }

  constructor() {
    cpSync(packedPackage(), this.folder, { recursive: true })
    symlinkSync(join(packedProject(), "node_modules"), join(this.folder, "node_modules"))
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

  pid(): number {
    return Number(readFileSync(this.path("run", "service.pid"), "utf8"))
  }

  /** Stops the server and removes the folder. */
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
