import { spawn, spawnSync } from "node:child_process"
import { existsSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../support/ServerProcess.ts"

let bundle = ""

beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

/** Creates a folder with the configuration of a graph on disk, and a file to import. */
const place = (): string => {
  const folder = newFolder()
  writeFileSync(join(folder, "server.yaml"), "graphs: {graph: graph.properties}\nport: 0\n")
  writeFileSync(
    join(folder, "graph.properties"),
    "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=db\n"
  )
  writeFileSync(join(folder, "v.csv"), "~id,name\na,Ann\n")
  return folder
}

/** Runs a command whose standard output and error are pipes that were closed before it starts. */
const closed = (words: ReadonlyArray<string>, cwd: string): Promise<{ status: number | null; signal: string | null }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(bundle, "main.mjs"), ...words], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.destroy()
    child.stderr.destroy()
    child.on("exit", (status, signal) => resolve({ status, signal }))
  })

describe("A command whose output pipe is closed", () => {
  it("completes, with the same exit status as with a reader", async () => {
    const cwd = place()
    const config = ["--config", "server.yaml"]
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number]> = [
      [["--help"], 0],
      [["--version"], 0],
      [["show-config", "server.yaml"], 0],
      [["check-config", "server.yaml"], 0],
      [["check-config", "none.yaml"], 1],
      [["imprt"], 2],
      [["import", "v.csv", ...config], 0],
      [["export", "out.json", ...config], 0],
      [["stats", ...config], 0],
      [["verify", ...config], 0],
      [["backup", "saved", ...config], 0],
      [["backup", "saved", ...config], 1],
      [["status", "--control-socket", "nowhere.sock"], 1]
    ]
    for (const [words, status] of cases) {
      assert.deepEqual(await closed(words, cwd), { status, signal: null }, words.join(" "))
    }
    assert.isTrue(existsSync(join(cwd, "out.json")))
  })

  it("reports any other loss of output, and fails", () => {
    const stdout = openSync("/dev/full", "w")
    const { status, stderr } = spawnSync(process.execPath, [join(bundle, "main.mjs"), "--help"], {
      stdio: ["ignore", stdout, "pipe"],
      encoding: "utf8"
    })
    assert.strictEqual(status, 1)
    assert.match(stderr, /^Standard output cannot be written: .*ENOSPC.*\n$/)
  })
})
