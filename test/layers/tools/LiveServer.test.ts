import { existsSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import type { ToolRequest } from "../../../src/layers/tools/ToolRequests.ts"
import type { ToolLine } from "../../../src/layers/tools/ToolService.ts"
import { eventually } from "../../Eventually.ts"
import { newFolder } from "../../Folders.ts"
import { command } from "../support/Commands.ts"
import { bundled, kill, type ServerProcess, startProcess, stop } from "../support/ServerProcess.ts"

let bundle = ""

beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

/** A folder with the files of a server, and CSV files to import. */
const place = (vertices: number, edges: number) => {
  const folder = newFolder()
  const rows = (count: number, row: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => row(at)).join("")
  const files = { vertices: join(folder, "v.csv"), edges: join(folder, "e.csv") }
  writeFileSync(files.vertices, `~id,~label,code:String\n${rows(vertices, (at) => `p${at},person,k${at}\n`)}`)
  writeFileSync(
    files.edges,
    `~from,~to,~label,since:Int\n${rows(edges, (at) => `p${at % vertices},p${(at * 7) % vertices},knows,${at}\n`)}`
  )
  return { folder, files: [files.vertices, files.edges], socket: join(folder, "run.sock") }
}

const start = ({ folder, socket }: ReturnType<typeof place>, backend = "lmdb"): Promise<ServerProcess> =>
  startProcess(bundle, folder, {
    properties: [
      `storage.backend=${backend}`,
      backend === "lmdb" ? "storage.directory=db" : "storage.memory.schema=false"
    ],
    options: ["--control-socket", socket]
  })

/** Waits for the socket, which the server creates last. */
const ready = async (socket: string): Promise<void> => {
  await eventually(() => existsSync(socket))
}

/** Sends a request as the command does, and passes on each line of the answer. */
const ask = (socket: string, request: ToolRequest, show: (line: ToolLine) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const connection = connect(socket, () => connection.write(`tool ${JSON.stringify(request)}\n`))
    let rest = ""
    connection.setEncoding("utf8")
    connection.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n")
      rest = lines.pop()!
      for (const line of lines) show(JSON.parse(line) as ToolLine)
    })
    connection.on("close", () => resolve())
    connection.on("error", reject)
  })

const query = async ({ port }: ServerProcess, script: string): Promise<unknown> => {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: JSON.stringify({ gremlin: script }) })
  const body = (await answer.json()) as {
    readonly result: { readonly data: { readonly "@value": ReadonlyArray<{ readonly "@value": unknown }> } }
  }
  return body.result.data["@value"][0]?.["@value"]
}

describe("Commands on a running server", () => {
  it("import while the server is killed repeatedly, and lose or duplicate nothing", async () => {
    const given = place(20_000, 60_000)
    for (const least of [5_000, 18_000]) {
      // The socket of the killed server still exists.
      rmSync(given.socket, { force: true })
      const server = await start(given)
      await ready(given.socket)
      await ask(given.socket, { tool: "import", files: given.files }, (line) => {
        if ("progress" in line && line.progress.stage.startsWith(least > 10_000 ? "edges" : "vertices")) {
          if (Number(/[\d,]+/.exec(line.progress.note)![0].replaceAll(",", "")) >= least) server.child.kill("SIGKILL")
        }
        assert.notProperty(line, "failure")
      }).catch(() => undefined)
      await server.exit
    }
    rmSync(given.socket, { force: true })
    const server = await start(given)
    await ready(given.socket)
    const done = await command(given.folder, ["import", ...given.files, "--control-socket", given.socket])
    assert.match(
      done.out,
      /^Imported 20,000 vertices and 60,000 edges, of which [\d,]+ vertices and [\d,]+ edges before an interruption/
    )
    assert.match(done.err, /^digest of v\.csv: \d+% of [\d.]+ [kM]B\n/)
    assert.match(done.err, /^(vertices|edges) of [ve]\.csv: 0% of [\d.]+ [kM]B, [\d,]+ vertices, [\d,]+ edges\n/m)
    assert.strictEqual(Number(await query(server, "g.V().count()")), 20_000)
    assert.strictEqual(Number(await query(server, "g.E().count()")), 60_000)
    const verified = await command(given.folder, ["verify", "--control-socket", given.socket])
    assert.match(verified.out, /Nothing is wrong\.\n$/)
    await kill(server)
  })

  it("back up a graph during writes, and restore it without findings", async () => {
    const given = place(2_000, 6_000)
    const server = await start(given)
    await ready(given.socket)
    await command(given.folder, ["import", ...given.files, "--control-socket", given.socket])
    let writing = true
    let written = 0
    const writes = (async () => {
      // Each commit is a vertex and its edge, so the backup has both or neither.
      for (; writing; written++) await query(server, "g.addV('visit').as('a').V().has('code', 'k7').addE('of').to('a')")
    })()
    await eventually(() => written >= 3)
    const saved = await command(given.folder, ["backup", "saved.backup", "--control-socket", given.socket])
    assert.match(saved.out, /^Backed up [\d,]+ rows to .*saved\.backup, [\d.]+ [kM]?B/)
    writing = false
    await writes
    const again = await command(given.folder, ["backup", "saved.backup", "--control-socket", given.socket])
    assert.match(again.err, /saved\.backup exists already; name another file, or remove it\.\n$/)
    const refused = await command(given.folder, ["restore", "saved.backup", "--control-socket", given.socket])
    assert.match(refused.err, /restore creates a graph, which no server may have open: stop the server first\.\n$/)
    await stop(server)
    const config = ["--config", "server.yaml"]
    const full = await command(given.folder, ["restore", "saved.backup", ...config])
    assert.match(full.err, /The folder .*db is not empty: move its files away/)
    writeFileSync(
      join(given.folder, "graph.properties"),
      "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=other\n"
    )
    const restored = await command(given.folder, ["restore", "saved.backup", ...config])
    assert.match(restored.out, /^Restored [\d,]+ rows into .*other/)
    const verified = await command(given.folder, ["verify", ...config])
    assert.match(verified.out, /^Verified [\d,]+ vertices[\s\S]*Nothing is wrong\.\n$/)
    const stats = await command(given.folder, ["stats", "--format", "json", ...config])
    const { edges, vertices } = JSON.parse(stats.out)
    assert.strictEqual(vertices.person, 2_000)
    assert.strictEqual(edges.knows, 6_000)
    assert.isAbove(vertices.visit, 0)
    assert.strictEqual(vertices.visit, edges.of)
    const text = await command(given.folder, ["stats", ...config])
    assert.match(text.out, /^Graph graph\nVertices: [\d,]+\n {2}person {2}2,000\n[\s\S]*On disk: [\d.]+ [kM]B\n$/)
    // The restored graph accepts writes, and does not generate existing ids.
    const later = place(100, 100)
    const more = await command(given.folder, ["import", ...later.files, ...config])
    assert.match(more.out, /^Imported 100 vertices and 100 edges/)
    assert.match((await command(given.folder, ["verify", ...config])).out, /Nothing is wrong\.\n$/)
  })

  it("end with the server, which leaves a consistent graph", async () => {
    const given = place(20_000, 60_000)
    const server = await start(given)
    await ready(given.socket)
    const lines: Array<ToolLine> = []
    await ask(given.socket, { tool: "import", files: given.files }, (line) => {
      if (lines.push(line) === 1) server.child.kill("SIGTERM")
    })
    await server.exit
    assert.deepEqual(lines.at(-1), { failure: "The command was stopped because the server stops." })
    assert.strictEqual(server.child.exitCode, 0)
    assert.notMatch(server.log.join("\n"), /ERROR/)
    assert.match((await command(given.folder, ["verify", "--config", "server.yaml"])).out, /Nothing is wrong\.\n$/)
  })

  it("report errors", async () => {
    const given = place(1, 1)
    const server = await start(given, "inmemory")
    await ready(given.socket)
    const at = ["--control-socket", given.socket]
    const inMemory =
      /^The graph 'graph' is in memory: verify checks the files of a graph on disk \(storage\.backend=lmdb\) for damage, /
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [["import", ...at], /^import takes the files to import\n$/],
      [["import", "v.csv", "--graph", "other", ...at], /^There is no graph 'other'; the graphs are graph\.\n$/],
      [["import", "v.csv", "--format", "xml", ...at], /^--format of import must be csv, graphson, graphml, not xml\n$/],
      [["import", "nothing.csv", ...at], /nothing\.csv cannot be read: ENOENT/],
      [["export", ...at], /^export takes the file, or for CSV the folder, to write\n$/],
      [["export", "out", ...at], /out does not imply a format; give --format csv, graphson, graphml\.\n$/],
      [["backup", "out", ...at], /^The graph 'graph' is in memory; export it instead\.\n$/],
      [["verify", ...at], inMemory],
      [["verify", "--config", "server.yaml"], inMemory],
      [["stats", "x", ...at], /^stats takes no files, not 'x'\n$/],
      [
        ["stats", "--config", "server.yaml"],
        /^The graph 'graph' is in the memory of the running server\. Name its socket with --control-socket\.\n$/
      ],
      [
        ["stats", "--control-socket", "nowhere.sock"],
        /^No server answers at .*nowhere\.sock: there is no such socket. Start the server with --control-socket /
      ],
      [
        ["stats", "--control-socket", "server.yaml"],
        /^No server answers at .*server\.yaml: .*No server listens there: start the server/
      ]
    ]
    for (const [words, message] of cases) {
      const { err, out, status } = await command(given.folder, words)
      assert.match(err, message)
      assert.deepEqual({ out, status }, { out: "", status: 1 })
    }
    const { out } = await command(given.folder, ["import", ...given.files, ...at])
    assert.match(out, /^Imported 1 vertex and 1 edge/)
    const written = await command(given.folder, ["export", "out", "--format", "csv", ...at])
    assert.match(written.out, /^Exported 1 vertex and 1 edge to .*vertices\.csv and .*edges\.csv/)
    assert.isTrue(existsSync(join(given.folder, "out", "edges.csv")))
    await kill(server)
  })
})
