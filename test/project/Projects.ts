import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach } from "vitest"

/** The folder of this project. */
export const root = fileURLToPath(new URL("../../", import.meta.url))
const folders: Array<string> = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

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
