import { cpSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { assert, beforeEach, describe, it } from "vitest"
import { raw } from "../layers/support/HttpClient.ts"
import { installationPerTest } from "./Installation.ts"

const home = installationPerTest()
beforeEach(() => {
  // Beside the configuration, where it resolves `engine-server` and `effect` to the installation.
  const example = fileURLToPath(new URL("../../docs/examples/line-channelizer.js", import.meta.url))
  cpSync(example, home.path("conf", "line-channelizer.js"))
})

/** A configuration with the channelizer of the example, by its path relative to the file. */
const configuration = (more = ""): string => {
  const file = home.path("conf", "lines.yaml")
  writeFileSync(home.path("conf", "lines.properties"), "engine.graph=TinkerGraph\n")
  writeFileSync(
    file,
    `host: 127.0.0.1\nchannelizer: ${home.path("conf", "line-channelizer.js")}\ngraphs: {graph: lines.properties}\n${more}`
  )
  return file
}

describe("A channelizer in a module of the user", () => {
  it("works in the bundled program, whose copy of Effect is not the module's", async () => {
    const started = home.server("start", configuration())
    assert.strictEqual(started.status, 0, started.stderr)
    const authority = `127.0.0.1:${home.port()}`
    assert.strictEqual(await raw(authority, "g.inject(1, 2)\n", (text) => text.endsWith("2\n")), "1\n2\n")
    assert.match(await raw(authority, "nonsense(\n", (text) => text.endsWith("\n")), /^! Line 1/)
    assert.match(home.server("stop").stdout, /^Server stopped/)
  })

  it("ends the bundled program with its reason when it cannot start", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => taken.once("listening", resolve))
    const address = taken.address()
    home.environment.ENGINESERVER__PORT = String(typeof address === "object" ? address?.port : undefined)
    const failed = home.server("start", configuration())
    taken.close()
    assert.notStrictEqual(failed.status, 0)
    assert.include(failed.stderr, "another program listens there")
  })
})
