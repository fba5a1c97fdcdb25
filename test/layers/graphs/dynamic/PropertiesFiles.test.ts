import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, it, vi } from "vitest"
import { newFolder } from "../../../Folders.ts"
import { evaluated, withDynamicGraphs } from "../../support/DynamicGraphs.ts"
import { sourcesOnly } from "../../support/Packed.ts"
import { startInside } from "../../support/TestServers.ts"

/** What another process does directly before a properties file is opened. */
const other = vi.hoisted(() => ({ beforeOpen: (): void => undefined }))

vi.mock("node:fs", async (original) => {
  const files = await original<typeof import("node:fs")>()
  return {
    ...files,
    openSync: (path: string, flags: string | number, mode?: number) => {
      if (!path.endsWith("mine.properties")) return files.openSync(path, flags, mode)
      other.beforeOpen()
      const waits = typeof flags === "string" || (flags & files.constants.O_NONBLOCK) === 0
      if (waits && files.statSync(path).isFIFO()) throw new Error("the whole process would wait for the pipe")
      return files.openSync(path, flags, mode)
    }
  }
})

sourcesOnly("replaces the opening of files within the modules of the server")

afterEach(() => {
  other.beforeOpen = () => undefined
})

it("A properties file that becomes a named pipe is refused", async () => {
  const folder = newFolder()
  const file = join(folder, "graphs", "mine.properties")
  mkdirSync(join(folder, "graphs"))
  writeFileSync(file, "storage.backend=inmemory\n")
  const server = await startInside(withDynamicGraphs(folder))
  const open = "JanusGraphFactory.open('mine.properties').traversal().V().count()"
  expect(await evaluated(server, open)).toEqual([0])
  other.beforeOpen = () => {
    rmSync(file)
    execFileSync("mkfifo", [file])
  }
  await expect(evaluated(server, open)).rejects.toThrow("mine.properties was replaced while it was opened: try again")
  other.beforeOpen = () => undefined
  await expect(evaluated(server, open)).rejects.toThrow("There is no properties file")
})
