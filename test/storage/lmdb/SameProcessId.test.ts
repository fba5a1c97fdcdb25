import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { lmdbStore } from "./Stores.ts"

/** Runs a program as the first process of a new namespace of process ids, as in a container. */
const UNSHARE = ["--pid", "--fork", "--mount-proc", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"])]
const hasNamespaces = spawnSync("unshare", [...UNSHARE, "true"]).status === 0

const started = (program: string, directory: string, mode: string): ChildProcess =>
  spawn("unshare", [...UNSHARE, process.execPath, program, directory, mode], { stdio: ["pipe", "pipe", "inherit"] })

const firstLine = async (child: ChildProcess): Promise<string> => {
  const lines = createInterface({ input: child.stdout! })
  const [line] = await once(lines, "line")
  lines.close()
  return line
}

const ended = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, "exit")
  child.stdin!.end()
  await exit
}

describe.skipIf(!hasNamespaces)("A container whose process has the id of one in another container", () => {
  it.each([
    ["replica", "main"],
    ["main", "replica"]
  ])("is refused as %s beside a %s, with the reason, and works when the other one has ended", async (mode, other) => {
    const bundle = await bundled({ ContainerProcess: "test/storage/lmdb/ContainerProcess.ts" })
    const program = join(bundle, "ContainerProcess.mjs")
    const directory = newFolder()
    await (await lmdbStore({ directory })).close()
    const first = started(program, directory, other)
    expect(await firstLine(first)).toBe("open 1")
    const refused = started(program, directory, mode)
    expect(await firstLine(refused)).toMatch(
      /another container has it open, .* same process id as this one \(1\), .* --pid=container:NAME/
    )
    await ended(refused)
    await ended(first)
    const again = started(program, directory, mode)
    expect(await firstLine(again)).toBe("open 1")
    await ended(again)
  })
})
