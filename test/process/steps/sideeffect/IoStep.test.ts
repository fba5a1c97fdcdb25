import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { fileFormats } from "../../../../src/layers/graphs/FileFormats.ts"
import { openEnvironment, TraversalRun } from "../../../../src/process/machine/TraversalRun.ts"
import type { RunEnvironment } from "../../../../src/process/plan/Run.ts"
import { MemoryGraph } from "../../../../src/storage/memory/MemoryGraph.ts"
import { janusGraphInMemory, tinkerGraph } from "../../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { LaterGraph } from "../../../storage/LaterGraph.ts"
import { prepare, results, run as runAtOnce, runLater, toy } from "../../run.ts"

const root = mkdtempSync(join(tmpdir(), "io-"))
const data = join(root, "data")
afterAll(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data)
})

const environment: RunEnvironment = {
  ...openEnvironment,
  dataFolder: {
    path: data,
    closed: new Set([join(data, "users.json"), join(data, "linked.json"), join(data, "scripts/*.json")])
  },
  formats: fileFormats
}
const run = (graph: GraphStore, traversal: string) => runLater(graph, traversal, { environment })
const empty = (): GraphStore =>
  new MemoryGraph(tinkerGraph("empty", { vertexIdManager: "INTEGER", edgeIdManager: "INTEGER" }))

/** The contents of a graph as texts. */
const contents = (graph: GraphStore): ReadonlyArray<string> => [
  ...results(
    graph,
    "g.V().order().by(T.id).project('id', 'label', 'properties').by(T.id).by(T.label)" +
      ".by(__.properties().project('key', 'value', 'meta').by(T.key).by(T.value).by(__.valueMap()).fold())"
  ),
  ...results(
    graph,
    "g.E().order().by(T.id).project('id', 'label', 'out', 'in', 'properties').by(T.id).by(T.label).by(__.outV().id())" +
      ".by(__.inV().id()).by(__.valueMap())"
  )
]

describe("io()", () => {
  it.each(["modern.json", "modern.xml", "modern.graphml"])("reads a file that it wrote: %s", async (name) => {
    expect(await run(toy("modern"), `g.io('${name}').write()`)).toEqual([])
    expect(readdirSync(data)).toEqual([name])
    const graph = empty()
    expect(await run(graph, `g.io('${name}').read()`)).toEqual([])
    expect(contents(graph)).toEqual(contents(toy("modern")))
  })

  it("creates its folder, but no folder inside it", async () => {
    rmSync(data, { recursive: true })
    await expect(run(toy("modern"), "g.io('modern.json').read()")).rejects.toThrow(
      "modern.json does not exist in the folder that io() may use"
    )
    await expect(run(toy("modern"), "g.io('new/modern.json').write()")).rejects.toThrow("its folder does not exist")
    rmSync(data, { recursive: true })
    expect(await run(toy("modern"), "g.io('modern.json').write()")).toEqual([])
    expect(readdirSync(data)).toEqual(["modern.json"])
  })

  it("keeps ids and meta-properties, with the cardinality of the graph", async () => {
    await run(toy("crew"), "g.io('crew.json').write()")
    const graph = new MemoryGraph(tinkerGraph("lists", { defaultVertexPropertyCardinality: "list" }))
    await run(graph, "g.io('crew.json').read()")
    expect(contents(graph)).toEqual(contents(toy("crew")))
    const single = empty()
    await run(single, "g.io('crew.json').read()")
    expect(results(single, "g.V().has('name', 'marko').values('location')")).toEqual(["santa fe"])
  })

  it("fetches everything before it reads it from a store that answers later", async () => {
    for (const name of ["a.json", "a.xml"]) {
      await run(new LaterGraph(toy("modern")), `g.io('${name}').write()`)
      const graph = empty()
      await run(new LaterGraph(graph), `g.io('${name}').read()`)
      expect(contents(graph)).toEqual(contents(toy("modern")))
    }
  })

  it("writes and reads each version of GraphSON", async () => {
    for (const writer of [
      "graphson-v1",
      "graphson-v2",
      "graphson-v3",
      "org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONWriter"
    ]) {
      await run(toy("modern"), `g.io('x.json').with(IO.writer, '${writer}').write()`)
      const graph = empty()
      await run(graph, "g.io('x.json').read()")
      expect(contents(graph)).toEqual(contents(toy("modern")))
    }
    expect(readFileSync(join(data, "x.json"), "utf8").split("\n")[0]).toContain('"id":{"@type":"g:Int32","@value":1}')
  })

  it("makes new ids if the graph accepts none, and keeps edges between the right vertices", async () => {
    await run(toy("modern"), "g.io('m.json').write()")
    const graph = new MemoryGraph(janusGraphInMemory("janus", {}))
    await run(graph, "g.io('m.json').read()")
    const created = "g.V().has('name', 'josh').out('created').values('name').order()"
    expect(results(graph, created)).toEqual(results(toy("modern"), created))
    expect(results(graph, "g.V(1)")).toEqual([])
    const uuids = new MemoryGraph(tinkerGraph("uuids", { vertexIdManager: "UUID" }))
    await run(uuids, "g.io('m.json').read()")
    expect(results(uuids, created)).toEqual(results(toy("modern"), created))
  })

  it("reads edges at any position in a file", async () => {
    const read = async (name: string, content: string): Promise<ReadonlyArray<string>> => {
      writeFileSync(join(data, name), content)
      const graph = empty()
      await run(graph, `g.io('${name}').read()`)
      return results(graph, "g.E().project('o', 'i').by(__.outV().id()).by(__.inV().id())").sort()
    }
    const edge = "{o=1, i=2}"
    expect(await read("out.json", '{"id":1,"outE":{"e":[{"id":5,"inV":2}]}}\n{"id":2}')).toEqual([edge])
    expect(await read("in.json", '{"id":1}\n{"id":2,"inE":{"e":[{"id":5,"outV":1}]}}')).toEqual([edge])
    expect(await read("first.json", '{"id":2,"inE":{"e":[{"id":5,"outV":1}]}}\n{"id":1}')).toEqual([edge])
    const both = '{"id":2,"inE":{"e":[{"id":5,"outV":1}]}}\n{"id":1,"outE":{"e":[{"id":5,"inV":2}]}}'
    expect(await read("both.json", both)).toEqual([edge])
    expect(
      await read("no-ids.json", '{"id":1,"outE":{"e":[{"inV":2},{"inV":2}]}}\n{"id":2,"inE":{"e":[{"outV":1}]}}')
    ).toEqual([edge, edge])
    const loop = '{"id":1,"outE":{"e":[{"id":5,"inV":1}]},"inE":{"e":[{"id":5,"outV":1}]}}'
    expect(await read("loop.json", loop)).toEqual(["{o=1, i=1}"])
    const xml = '<graphml><graph><edge source="1" target="2"/><node id="2"/></graph></graphml>'
    expect(await read("edges.xml", xml)).toEqual([edge])
    expect(
      await read("kinds.json", '{"id":{"@type":"g:Int64","@value":1},"outE":{"e":[{"inV":2}]}}\n{"id":2}')
    ).toEqual([edge])
  })

  it("adds a whole file or nothing", async () => {
    writeFileSync(join(data, "bad.json"), '{"id":1}\n{"id":2,"outE":{"e":[{"id":7,"inV":9}]}}')
    const graph = empty()
    await expect(run(graph, "g.io('bad.json').read()")).rejects.toThrow(
      "bad.json cannot be read into the graph: the edge 7 leads to a vertex 9 that is not in the file"
    )
    expect(results(graph, "g.V()")).toEqual([])
  })

  it.each<readonly [string, string | Buffer, RegExp]>([
    ["twice.json", '{"id":1}\n{"id":1}', /twice.json cannot be read.*the vertex 1 is in the file twice/],
    ["line.json", '{"id":1}\n{"id":2', /line.json cannot be read.*Line 2/],
    ["text.json", Buffer.from([0x7b, 0xff, 0x7d]), /text.json cannot be read/],
    ["short.kryo", Buffer.from("gio"), /ends inside the vertex number 1/],
    ["open.xml", "<graphml>", /not well-formed/]
  ])("reports the file and its fault: %s", async (name, content, message) => {
    writeFileSync(join(data, name), content)
    await expect(run(empty(), `g.io('${name}').read()`)).rejects.toThrow(message)
  })

  it("refuses elements that exist already", async () => {
    await run(toy("modern"), "g.io('m.json').write()")
    const graph = empty()
    runAtOnce(graph, "g.addV().property(T.id, 3)")
    await expect(run(graph, "g.io('m.json').read()")).rejects.toThrow(/m.json cannot be read into the graph: .*3/)
  })

  it("removes an incomplete file", async () => {
    await expect(run(toy("crew"), "g.io('crew.xml').write()")).rejects.toThrow(/of location, which GraphML cannot hold/)
    await expect.poll(() => readdirSync(data)).toEqual([])
    const running = new TraversalRun(prepare("g.io('x.json').write()"), toy("modern").begin(), environment)
    const later = running.advance(Number.POSITIVE_INFINITY, { accept: () => true })
    running.close()
    if (typeof later === "string") throw new Error(later)
    await new Promise((resolve) => later.onDone(resolve))
    await expect.poll(() => readdirSync(data)).toEqual([])
  })

  it("replaces a file only with a complete one", async () => {
    writeFileSync(join(data, "crew.xml"), "as it was")
    await expect(run(toy("crew"), "g.io('crew.xml').write()")).rejects.toThrow()
    expect(readFileSync(join(data, "crew.xml"), "utf8")).toBe("as it was")
    await run(toy("modern"), "g.io('crew.xml').write()")
    expect(readFileSync(join(data, "crew.xml"), "utf8")).toContain("<graphml")
  })

  it("counts the bytes that it holds for the limit of a run", async () => {
    writeFileSync(join(data, "many.json"), Array.from({ length: 100 }, (_, id) => `{"id":${id}}`).join("\n"))
    const limited = { environment: { ...environment, maxBytes: 5_000 } }
    await expect(runLater(empty(), "g.io('many.json').read()", limited)).rejects.toThrow(/holds more than 5000 bytes/)
  })
})

describe("The folder of io()", () => {
  it.each(["../x.json", "/etc/passwd", "a/../../x.json", ".", "x\\0.json"])(
    "is not left by the name %s",
    async (name) => {
      writeFileSync(join(root, "x.json"), '{"id":1}')
      const outside = /is outside the folder that io\(\) may use/
      await expect(run(empty(), `g.io('${name}').with(IO.reader, IO.graphson).read()`)).rejects.toThrow(outside)
      await expect(run(empty(), `g.io('${name}').with(IO.writer, IO.graphson).write()`)).rejects.toThrow(outside)
    }
  )

  it("is not left by a link", async () => {
    writeFileSync(join(root, "x.json"), '{"id":1}')
    symlinkSync(join(root, "x.json"), join(data, "link.json"))
    symlinkSync(root, join(data, "folder"))
    const outside = /is outside the folder/
    await expect(run(empty(), "g.io('link.json').read()")).rejects.toThrow(outside)
    await expect(run(empty(), "g.io('folder/x.json').read()")).rejects.toThrow(outside)
    await expect(run(empty(), "g.io('folder/y.json').write()")).rejects.toThrow(outside)
    expect(readdirSync(root).sort()).toEqual(["data", "x.json"])
    await run(toy("modern"), "g.io('link.json').write()")
    expect(readFileSync(join(root, "x.json"), "utf8")).toBe('{"id":1}')
  })

  it("refuses files of the server itself, by their names and by links", async () => {
    for (const name of ["users.json", "linked.json"]) writeFileSync(join(data, name), '{"id":1}')
    symlinkSync(join(data, "users.json"), join(data, "harmless.json"))
    const closed = /is a file of the server's configuration/
    for (const name of ["users.json", "./users.json", "in/../users.json", "linked.json", "harmless.json"]) {
      await expect(run(empty(), `g.io('${name}').read()`)).rejects.toThrow(closed)
    }
    for (const name of ["users.json", "linked.json"]) {
      await expect(run(toy("modern"), `g.io('${name}').write()`)).rejects.toThrow(closed)
    }
    // A written file replaces a link.
    await run(toy("modern"), "g.io('harmless.json').write()")
    expect(readFileSync(join(data, "users.json"), "utf8")).toBe('{"id":1}')
  })

  it("refuses all files of a folder with the ending of scripts, also new ones and hidden ones", async () => {
    mkdirSync(join(data, "scripts"))
    writeFileSync(join(data, "scripts", "load.json"), '{"id":1}')
    symlinkSync(join(data, "scripts"), join(data, "other"))
    const closed = /is a file of the server's configuration/
    for (const name of ["scripts/load.json", "other/load.json"]) {
      await expect(run(empty(), `g.io('${name}').read()`)).rejects.toThrow(closed)
    }
    for (const name of ["scripts/new.json", "scripts/a.b.json", "scripts/.json", "other/new.json"]) {
      const write = `g.io('${name}').with(IO.writer, IO.graphson).write()`
      await expect(run(toy("modern"), write), name).rejects.toThrow(closed)
    }
    await run(toy("modern"), "g.io('scripts/data.xml').write()")
    expect(readdirSync(join(data, "scripts")).sort()).toEqual(["data.xml", "load.json"])
  })

  it("may contain folders, and paths may be absolute", async () => {
    mkdirSync(join(data, "in"))
    await run(toy("modern"), "g.io('in/m.json').write()")
    const graph = empty()
    await run(graph, `g.io('${join(data, "in", "m.json")}').read()`)
    expect(results(graph, "g.V().count()")).toEqual(["6"])
  })
})

describe("io() refuses", () => {
  it.each<readonly [string, RegExp]>([
    ["g.io('m.txt').read()", /Could not detect the file format of m.txt/],
    ["g.io('m.kryo').write()", /cannot write the format gryo: use graphml, graphson/],
    ["g.io('m.json').with(IO.reader, 'csv').read()", /cannot read the format csv: use graphml/],
    ["g.io('m.json').with('x', 1).read()", /io\(\) has no option the string x/],
    ["g.io('m.json').with(IO.registry, 'com.example.Registry').read()", /registries are Java classes/],
    ["g.io('gone.json').read()", /gone.json does not exist in the folder/],
    ["g.io('gone/m.json').write()", /its folder does not exist in the server's ioDirectory/],
    ["g.withStrategies(ReadOnlyStrategy).io('m.json').read()", /not read only: io\(\)/]
  ])("%s", async (traversal, message) => {
    await expect(async () => run(empty(), traversal)).rejects.toThrow(message)
  })

  it("to work without a folder", () => {
    expect(() => results(empty(), "g.io('m.json').read()")).toThrow(/io\(\) is disabled: set the server.s ioDirectory/)
  })
})
