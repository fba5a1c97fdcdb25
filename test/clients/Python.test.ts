import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startServer } from "../layers/support/TestServers.ts"
import { graphs, has, run } from "./support.ts"

const VERSION = "3.8.2"
const home = new URL("../../.cache/python/", import.meta.url).pathname
const environment = join(home, `gremlinpython-${VERSION}`)
const python = join(environment, "bin", "python")

/** A virtual environment with the driver in it, made once. Undefined where there is no Python, or nothing to install from. */
const install = async (): Promise<string | undefined> => {
  if (!has("python3", "-c", "import venv, ensurepip")) return "there is no python3 with venv"
  if (existsSync(join(environment, "ready"))) return undefined
  try {
    await run("python3", ["-m", "venv", environment])
    await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `gremlinpython==${VERSION}`])
    await run(python, ["-c", "import sys, pathlib; pathlib.Path(sys.argv[1]).touch()", join(environment, "ready")])
    return undefined
  } catch (cause) {
    return `gremlinpython ${VERSION} cannot be installed: ${String(cause).slice(0, 300)}`
  }
}

const missing = await install()

describe(`gremlinpython ${VERSION}`, () => {
  it.skipIf(missing !== undefined)(
    missing ?? "runs traversals, scripts, sessions and transactions in both formats",
    async () => {
      const { authority } = await startServer(graphs)
      const script = new URL("python/client.py", import.meta.url).pathname
      const seen = JSON.parse(await run(python, [script, `ws://${authority}/gremlin`]))
      for (const format of ["GraphBinary", "GraphSON 3"]) {
        expect({ format, ...seen[format] }).toEqual({
          format,
          count: 6,
          names: ["josh", "peter"],
          vertex: [1, "person"],
          edge: [7, "knows", 1, 2],
          map: { name: ["marko"] },
          element_map: { id: 1, label: "person", name: "marko" },
          grouped: { person: 4, software: 2 },
          path: ["marko", "josh", "ripple"],
          nested: ["josh"],
          added: 1,
          many: 1000,
          read_only: true,
          fail: 595,
          inside: [1, 0],
          committed: 1,
          script: ["marko"],
          batches: 6,
          empty: [],
          syntax: [597, expect.stringContaining("nope")],
          timeout: 598,
          session: [42]
        })
      }
    },
    120_000
  )
})
