import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packedPackage } from "./Package.ts"
import { runCommand } from "./PackedCommands.ts"
import { both, onLmdb, place, start, tinkerGraph, value } from "./Programs.ts"

/** Commands that the tests of this file have run. */
const commands = new Set<string>()

const run: typeof runCommand = (folder, words, ...more) => {
  const [command = "", what = ""] = words
  commands.add(command === "credentials" ? `${command} ${what}` : command)
  return runCommand(folder, words, ...more)
}

describe("The packed commands", () => {
  it("print the version, help, and configurations", async () => {
    const folder = place("settings", `${both}enginePool: 3\n`, { graph: tinkerGraph })
    const { version } = JSON.parse(readFileSync(join(packedPackage(), "package.json"), "utf8"))
    expect(await run(folder, ["--version"])).toEqual({ status: 0, out: `engine-server ${version}\n`, err: "" })
    expect((await run(folder, ["--help"])).out).toContain("engine-server check-config")
    expect((await run(folder, ["check-config", "server.yaml"])).out).toMatch(/server.yaml: no problems\n$/)
    expect((await run(folder, ["check-config"])).status).toBe(0)
    expect((await run(folder, ["show-config", "server.yaml"])).out).toMatch(/^enginePool: 3 +# .*server.yaml:5$/m)
    writeFileSync(join(folder, "wrong.yaml"), "enginPool: 3\n")
    const wrong = await run(folder, ["check-config", "wrong.yaml"])
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining("did you mean 'enginePool'?")])
  })

  it("query a running server, and work on its graph", async () => {
    const folder = place("live", both, { graph: onLmdb })
    const server = await start(folder)
    const socket = ["--control-socket", "s.sock"]
    expect((await run(folder, ["status", ...socket])).out).toContain("address: 127.0.0.1:")
    expect((await run(folder, ["dump", ...socket])).out).toContain('"engine-server-exec-1" idle')
    expect(JSON.parse((await run(folder, ["dump", "--format", "json", ...socket])).out).fibers).not.toHaveLength(0)
    writeFileSync(join(folder, "v.csv"), "~id,~label,name:String\na,person,marko\nb,person,josh\n")
    writeFileSync(join(folder, "e.csv"), "~id,~from,~to,~label\n1,a,b,knows\n")
    expect(await run(folder, ["import", "v.csv", "e.csv", ...socket])).toMatchObject({ status: 0 })
    expect(await value(server.authority, "g.V().has('name','marko').out('knows').values('name')")).toEqual(["josh"])
    expect(JSON.parse((await run(folder, ["stats", "--format", "json", ...socket])).out)).toMatchObject({
      vertices: { person: 2 }
    })
    for (const target of ["g.graphml", "g.json", "csv"]) {
      const exported = await run(folder, [
        "export",
        target,
        ...(target === "csv" ? ["--format", "csv"] : []),
        ...socket
      ])
      expect([target, exported.status]).toEqual([target, 0])
    }
    expect((await run(folder, ["backup", "graph.backup", ...socket])).status).toBe(0)
    expect((await run(folder, ["verify", ...socket])).status).toBe(0)
    await server.stop()
    expect(server.log()).not.toMatch(/ERROR|FATAL/)
  })

  it("replace the workers of a running server, and allow requests that workers died of", async () => {
    const folder = place("workers", `${both}workers: 2\n`, { graph: onLmdb })
    const server = await start(folder)
    const socket = ["--control-socket", "s.sock"]
    await value(server.authority, "g.addV('kept').iterate()")
    expect(await run(folder, ["reload", ...socket])).toEqual({
      status: 0,
      out: "2 workers started with the present program and configuration.\n",
      err: ""
    })
    expect(await value(server.authority, "g.V().hasLabel('kept').count()")).toEqual([1])
    expect((await run(folder, ["unblock", ...socket])).status).toBe(0)
    expect((await run(folder, ["status", ...socket])).out).toContain("workers: 2 serve")
    const answer = await fetch(`http://${server.authority}/metrics`)
    expect(await answer.text()).toContain("engine_server_answers_total")
    await server.stop()
    expect(server.log()).not.toMatch(/ERROR|FATAL/)
  })

  it("work on the files of a graph without a server, with a bar on a terminal", async () => {
    const folder = place("files", both, { graph: onLmdb })
    const config = ["--config", "server.yaml"]
    writeFileSync(join(folder, "v.csv"), "~id,~label,name:String\na,person,marko\nb,person,josh\n")
    const terminal = { NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true" }
    const imported = await run(folder, ["import", "v.csv", ...config], "", terminal)
    expect([imported.status, imported.err]).toEqual([0, expect.stringContaining("\u001b[")])
    expect((await run(folder, ["export", "g.graphml", ...config])).status).toBe(0)
    expect((await run(folder, ["export", "g.json", ...config])).status).toBe(0)
    expect((await run(folder, ["backup", "graph.backup", ...config])).status).toBe(0)
    expect((await run(folder, ["verify", "--repair", ...config])).status).toBe(0)
    for (const file of ["g.graphml", "g.json"]) {
      rmSync(join(folder, "db"), { recursive: true })
      expect([file, (await run(folder, ["import", file, ...config])).status]).toEqual([file, 0])
      expect((await run(folder, ["stats", ...config])).out).toMatch(/^Vertices: 2$/m)
    }
    rmSync(join(folder, "db"), { recursive: true })
    expect((await run(folder, ["restore", "graph.backup", ...config])).status).toBe(0)
    expect((await run(folder, ["stats", ...config])).out).toMatch(/^Vertices: 2$/m)
  })

  it("add, change and remove users in the files of a graph without a server", async () => {
    const authentication =
      "authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties}}\n"
    const folder = place("credentials", both + authentication, { graph: tinkerGraph, users: onLmdb })
    const credentials = (words: ReadonlyArray<string>, input = "") =>
      run(folder, ["credentials", ...words, "--config", "server.yaml"], input)
    const ends = async (outcome: ReturnType<typeof credentials>, out: string | RegExp) =>
      expect(await outcome).toMatchObject({ status: 0, out: expect.stringMatching(out) })
    await ends(credentials(["add", "marko"], "word\n"), "The user 'marko' has been added.\n")
    await ends(credentials(["role", "marko", "--role", "editor"]), "marko")
    await ends(credentials(["passwd", "marko"], "other\n"), "marko")
    await ends(credentials(["list"]), /^marko\teditor\n$/)
    await ends(credentials(["remove", "marko"]), "marko")
    await ends(credentials(["list"]), /^$/)
  })

  it("have all been run in this file", async () => {
    const help = (await run(place("help", both, {}), ["--help"])).out
    const usage = help.slice(0, help.indexOf("Options:"))
    const named = Array.from(usage.matchAll(/engine-server (--)?([a-z][a-z-]*)(.*?)(?: {3,}|$)/gm)).flatMap(
      ([, dashes = "", name = "", rest = ""]) => {
        const others = Array.from(rest.matchAll(/\| ([a-z-]+)/g), ([, other]) => other!)
        // DynamicGraphs.test.ts runs the commands of graphs.
        if (name === "graphs") return []
        if (name !== "credentials") return [dashes + name, ...others]
        return [/credentials ([a-z]+)/.exec(`${name}${rest}`)![1]!, ...others].map((word) => `${name} ${word}`)
      }
    )
    expect(named).toEqual(
      expect.arrayContaining(["dump", "credentials add", "credentials remove", "restore", "--version", "--help"])
    )
    expect(named.filter((command) => !commands.has(command))).toEqual([])
  })
})
