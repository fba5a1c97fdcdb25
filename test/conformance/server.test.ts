import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type ServerRequest, startServer } from "./server.ts"

describe("The start of the tested server", () => {
  let root = ""
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "conformance-"))
    mkdirSync(join(root, "bin"))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  /** Replaces the server's launcher by a script. */
  const start = (launcher: string, request: Partial<ServerRequest> = {}) => {
    writeFileSync(join(root, "bin", "engine-server.js"), launcher)
    const artifacts = {
      classPath: "",
      scenarios: [],
      dataset: () => "",
      ioDirectory: join(root, "io"),
      grateful: join(root, "grateful.json")
    }
    return startServer({
      root,
      directory: join(root, "server"),
      artifacts,
      allowNull: false,
      asyncStore: false,
      backend: "memory",
      workers: 1,
      without: [],
      ...request
    })
  }

  it("reads the port from the log, and stop() ends the process", async () => {
    const launcher = `
      const { writeFileSync } = require("node:fs")
      process.on("SIGTERM", () => { writeFileSync(${JSON.stringify(join(root, "stopped"))}, ""); process.exit(0) })
      console.log("[INFO] Channel started at port 45940.")
      setInterval(() => {}, 1000)`
    const server = await start(launcher)
    expect(server.url).toBe("ws://127.0.0.1:45940/gremlin")
    await server.stop()
    expect(existsSync(join(root, "stopped"))).toBe(true)
  })

  it("fails with the output of a server that ends before it listens", async () => {
    const launcher = 'console.error("server.yaml:3 there is no such setting"); process.exitCode = 2'
    await expect(start(launcher)).rejects.toThrow(/ended with 2.*no such setting/s)
  })

  it("reports a server that ends before stop()", async () => {
    const server = await start(
      'console.log("Channel started at port 1."); setTimeout(() => { throw new Error("crash") }, 20)'
    )
    await expect(server.ended).rejects.toThrow(/ended with 1.*crash/s)
  })

  it("configures the graphs and sources of the scenarios", async () => {
    const server = await start('console.log("Channel started at port 1."); setInterval(() => {}, 1000)', {
      allowNull: true
    })
    await server.stop()
    const settings = JSON.parse(readFileSync(join(root, "server", "server.yaml"), "utf8"))
    const sources = Object.entries<{ traversalSources: ReadonlyArray<{ name: string }> }>(settings.graphs).flatMap(
      ([graph, { traversalSources }]) => traversalSources.map(({ name }) => `${name} ${graph}`)
    )
    expect(sources).toEqual([
      "g graph",
      "ggraph graph",
      ...["modern", "classic", "crew", "grateful", "sink"].map((name) => `g${name} ${name}`)
    ])
    const properties = (name: string) => readFileSync(join(root, "server", name), "utf8")
    expect(properties("graph.properties")).toContain("allowNullPropertyValues=true")
    expect(properties("modern.properties")).toContain("allowNullPropertyValues=false")
  })
})
