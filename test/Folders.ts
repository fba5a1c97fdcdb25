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

// A worker whose primary process was killed notices it a little later. What it writes meanwhile makes a removal fail with ENOTEMPTY.
const patiently = { recursive: true, force: true, maxRetries: 20, retryDelay: 20 } as const

afterAll(() => {
  for (const folder of folders) rmSync(folder, patiently)
})
