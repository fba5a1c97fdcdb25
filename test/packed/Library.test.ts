import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { newFolder } from "../Folders.ts"
import { root as sources } from "../project/Projects.ts"
import { packedPackage, packedProject } from "./Package.ts"
import { root, serve, value } from "./Programs.ts"

describe("The packed library", () => {
  it("runs a server with a graph on disk, users and metrics in a Node.js process", () => {
    const script = join(packedProject(), "library.mjs")
    writeFileSync(
      script,
      `import * as Effect from "effect/Effect"
import { defaultSettings, EngineServer } from "engine-server"

const [folder] = process.argv.slice(2)
const lmdb = { backend: "lmdb", directory: folder, hostname: [], readOnly: false }
const graph = { name: "graph", file: undefined, factory: { kind: "JanusGraphFactory", storage: lmdb }, options: new Map(), origins: new Map() }
const users = { ...defaultSettings().graphs.get("graph"), name: "credentialsDb" }
const { authentication } = defaultSettings()
const redacted = (await import("effect/Redacted")).make("secret")
const settings = defaultSettings({
  port: 0,
  channelizer: "WsAndHttpChannelizer",
  graphs: new Map([["graph", graph]]),
  authentication: { ...authentication, authenticator: "SimpleAuthenticator", credentialsDb: users, defaultUsername: "a", defaultPassword: redacted }
})
const program = Effect.gen(function* () {
  const { port } = yield* EngineServer.start(settings)
  const headers = { authorization: "Basic " + Buffer.from("a:secret").toString("base64") }
  const ask = (path, body) =>
    Effect.promise(() => fetch("http://127.0.0.1:" + port + path, { headers, method: body ? "POST" : "GET", body }).then((answer) => answer.text()))
  console.log(yield* ask("/", '{"gremlin":"g.addV().property(\\\\"name\\\\",\\\\"marko\\\\").iterate(); g.V().has(\\\\"name\\\\", TextP.regex(\\\\"m.*\\\\")).count()"}'))
  console.log((yield* ask("/metrics")).includes("nodejs_eventloop_lag_seconds"))
})
await Effect.runPromise(Effect.scoped(program))
`
    )
    const { status, stderr, stdout } = spawnSync(process.execPath, [script, join(root, "library")], {
      encoding: "utf8"
    })
    expect([status, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/"@type":"g:Int64","@value":1/)
    expect(stdout).toMatch(/true\n$/)
  })

  describe.each([2, 4])(
    "starts %i workers that run the program of the package, and see each other's commits",
    (count) => {
      const text = `import * as Effect from "effect/Effect"
import { defaultSettings, EngineServer } from "engine-server"

const lmdb = { backend: "lmdb", directory: process.env.GRAPH, hostname: [], readOnly: false }
const graph = { name: "graph", file: undefined, factory: { kind: "JanusGraphFactory", storage: lmdb }, options: new Map(), origins: new Map() }
const settings = defaultSettings({
  port: 0,
  workers: ${count},
  channelizer: "HttpChannelizer",
  graphs: new Map([["graph", graph]]),
  logging: { format: "text", level: "off", file: undefined }
})
const program = Effect.gen(function* () {
  const { port, workers } = yield* EngineServer.cluster(settings)
  const ask = (gremlin) =>
    Effect.promise(() =>
      fetch("http://127.0.0.1:" + port, { method: "POST", body: JSON.stringify({ gremlin }), headers: { connection: "close" } })
        .then((answer) => answer.json())
    )
  for (let i = 0; i < 4; i++) yield* ask("g.addV().iterate()")
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(yield* ask("g.V().count()"))
  console.log(JSON.stringify([workers().length, answers.map(({ result }) => result.data["@value"][0]["@value"])]))
})
await Effect.runPromise(Effect.scoped(program))
`
      /** Ends a process that is no program of the test. */
      const own = "if (process.env.ENGINE_SERVER_WORKER !== undefined) process.exit(3)\n"

      it.each([
        ["from a file", ["cluster.mjs"]],
        ["beside a module that is loaded before it", ["--import", "./own.mjs", "cluster.mjs"]],
        ["from the command line", ["--input-type=module", "-e", text]]
      ])("%s", (_, options) => {
        const cwd = packedProject()
        writeFileSync(join(cwd, "cluster.mjs"), text)
        writeFileSync(join(cwd, "own.mjs"), own)
        const { status, stderr, stdout } = spawnSync(process.execPath, options, {
          cwd,
          encoding: "utf8",
          env: { ...process.env, GRAPH: newFolder() }
        })
        expect([status, stderr]).toEqual([0, ""])
        expect(stdout.trim().split("\n").at(-1)).toBe(`[${count},[4,4,4,4]]`)
      })
    }
  )

  it("has an lmdb of its own beside that of the sources in one process, and both read what they have written", async () => {
    const wrong: Array<unknown> = []
    const stores = await Promise.all(
      [packedProject(), sources].map(async (project) => {
        const path = join(project, "node_modules", "lmdb", "index.js")
        const { open } = (await import(pathToFileURL(path).href)) as typeof import("lmdb")
        return open<Buffer, Buffer>({ path: newFolder(), encoding: "binary", keyEncoding: "binary" })
      })
    )
    const key = Buffer.from("key")
    for (let value = 1; value < 7; value++) {
      const store = stores[value % 2]!
      store.transactionSync(() => void store.put(key, Buffer.alloc(4, value)))
      const read = store.transactionSync(() => store.getBinary(key)?.[0])
      if (read !== value) wrong.push([value, read])
    }
    for (const store of stores) await store.close()
    expect(wrong).toEqual([])
  })

  it("has types, and no sources", () => {
    const installed = packedPackage()
    expect(readdirSync(join(installed, "dist"))).toEqual(expect.arrayContaining(["main.js", "index.js", "index.d.ts"]))
    expect(readdirSync(installed)).not.toContain("src")
  })

  it("has types of its exports for TypeScript programs", () => {
    const file = join(packedProject(), "typed.ts")
    writeFileSync(
      file,
      `import * as Effect from "effect/Effect"
import { defaultSettings, EngineServer, type Service } from "engine-server"

export const nearest: Service = { name: "nearest", parameters: {}, start: () => [1] }
export const program = Effect.gen(function* () {
  const server = yield* EngineServer.start(defaultSettings({ port: 0 }), { callServices: [nearest] })
  const port: number = server.port
  // @ts-expect-error: it is a number
  const text: string = server.port
  return [port, text]
})
`
    )
    const compiler = join(sources, "node_modules", "typescript", "bin", "tsc")
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"]
    const types = ["--types", "node", "--typeRoots", join(sources, "node_modules", "@types")]
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...types, file], { encoding: "utf8" })
    expect([status, stdout]).toEqual([0, ""])
  })

  it("has few chunks that a start loads", () => {
    // A server with a graph on disk loads three modules with import().
    const imports = /\b(?:from|import)"(\.[^"]+\.js)"|\bimport\("(\.[^"]*\/(?:Serving|Server|LmdbGraphs)-\w+\.js)"\)/g
    const loaded = new Set<string>()
    const waiting = [join(packedPackage(), "dist", "main.js")]
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (loaded.has(file)) continue
      loaded.add(file)
      const found = readFileSync(file, "utf8").matchAll(imports)
      for (const [, name, late] of found) waiting.push(join(dirname(file), name ?? late!))
    }
    // Each takes half a millisecond. scripts/build.js says how their number stays small.
    expect(loaded.size).toBeGreaterThan(20)
    expect(loaded.size).toBeLessThan(60)
  })

  it("has chunks that can all be loaded", () => {
    const chunks = join(packedPackage(), "dist", "chunks")
    const load = `for (const name of process.argv.slice(1)) await import(name)`
    const names = readdirSync(chunks).filter((name) => name.endsWith(".js"))
    const paths = names.map((name) => join(chunks, name))
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", load, ...paths], {
      encoding: "utf8"
    })
    expect([status, stderr]).toEqual([0, ""])
  })
})

it("The packed command serves in an empty folder, and stores the graph there", async () => {
  const folder = join(root, "empty")
  mkdirSync(folder)
  const command = join(packedProject(), "node_modules", ".bin", "engine-server")
  const server = await serve(folder, [command, "--port", "0"], undefined)
  expect(await value(server.authority, "g.V().count()")).toEqual([0])
  await server.stop()
  expect(readdirSync(folder)).toEqual(["db"])
  expect(readdirSync(join(folder, "db", "graph")).sort()).toEqual(["graph.mdb", "graph.mdb-lock"])
})
