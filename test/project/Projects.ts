import { type SpawnOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterEach } from "vitest"

/** The folder of this project. */
export const root = fileURLToPath(new URL("../../", import.meta.url))
const folders: Array<string> = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/**
 * Runs a command to its end. The event loop is not blocked meanwhile: vitest must hear from its worker within a minute, and some
 * commands take longer on a slow machine.
 */
export const ended = async (
  command: string,
  args: ReadonlyArray<string>,
  options: Pick<SpawnOptions, "cwd" | "env">
) => {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { status: status as number | null, stdout, stderr }
}

/** A project with one of this project's scripts, and other files supplied by the test. */
export const project = (script: string, files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-checks-"))
  folders.push(folder)
  mkdirSync(dirname(join(folder, script)), { recursive: true })
  cpSync(join(root, script), join(folder, script))
  for (const [name, text] of Object.entries({ "package.json": '{"type":"module","scripts":{}}', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

/** The exit code of a command, the last line that it prints, and with `names` also the lines that name what failed. */
export const outcome = async (command: string, args: ReadonlyArray<string>, cwd: string, path = "", names = false) => {
  const env = { ...process.env, PATH: `${path}${process.env.PATH}` }
  const { status, stdout } = await ended(command, args, { cwd, env })
  const lines = stdout.trim().split("\n")
  return [status, lines.at(-1), ...(names ? lines.filter((line) => line.startsWith("failed: ")) : [])]
}
