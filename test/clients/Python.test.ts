import { describe, expect, it } from "vitest"
import { PROCESSES_MS } from "../Limits.ts"
import { startServer } from "../layers/support/TestServers.ts"
import { install, python, VERSION } from "./PythonDriver.ts"
import { graphs, run } from "./support.ts"

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
          lambda: ["josh", "peter"],
          it: "MARKO",
          formatted: "mArkO is 029.0",
          ends_lambda: 10,
          comparator: [35, 32, 29, 27],
          python_lambda: [599, expect.stringMatching(/lambda in gremlin-python .*cannot run/)],
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
    PROCESSES_MS
  )

  it.skipIf(missing !== undefined)(
    missing ?? "uses its connections again after a time in which it answers no pings",
    async () => {
      const { authority } = await startServer({ ...graphs, keepAliveInterval: 200 })
      const script = new URL("python/idle.py", import.meta.url).pathname
      const seen = JSON.parse(await run(python, [script, `ws://${authority}/gremlin`, "2"]))
      expect(seen).toEqual([[6], [6], [6], [6]])
    },
    PROCESSES_MS
  )
})
