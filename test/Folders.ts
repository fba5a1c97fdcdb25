import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const folders: Array<string> = []

/** A new folder, which is removed after the tests of the file. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-"))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
