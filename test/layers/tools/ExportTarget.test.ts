import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { exportTarget } from "../../../src/layers/tools/ExportTarget.ts"
import type { FileFormat } from "../../../src/layers/tools/InputFiles.ts"
import { decodeRequest, perform, type ToolRequest } from "../../../src/layers/tools/ToolRequests.ts"
import type { GraphSettings } from "../../../src/services/GraphSettings.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import { newFolder } from "../../Folders.ts"
import { context } from "./Graphs.ts"

const settings: GraphSettings = {
  name: "graph",
  factory: { kind: "TinkerFactory", options: {} }
} as unknown as GraphSettings

const exported = async (request: Omit<Extract<ToolRequest, { readonly tool: "export" }>, "tool">) => {
  const decoded = await Effect.runPromise(decodeRequest(JSON.stringify({ tool: "export", ...request })))
  return perform(decoded, { store: new MemoryGraph(tinkerGraph("graph")), settings }, context())
}

const refused: ReadonlyArray<readonly [string, FileFormat | undefined, boolean, RegExp]> = [
  [
    "people.gz",
    "csv",
    false,
    /people\.gz names a file, but CSV is .*as in 'export \/d\/people --format csv --gzip'\.$/
  ],
  ["people.csv", undefined, false, /people\.csv names a file, .*as in 'export \/d\/people --format csv'\.$/],
  ["people.csv.gz", undefined, false, /as in 'export \/d\/people --format csv --gzip'\.$/],
  ["people.json", "csv", true, /as in 'export \/d\/people --format csv --gzip'\.$/],
  [".csv", undefined, false, /as in 'export \/d\/graph --format csv'\.$/],
  ["people.zip", "csv", false, /as in 'export \/d\/people --format csv --gzip'\.$/],
  ["people.csv", "graphson", false, /people\.csv is a name for csv, but --format is graphson: change one of them\.$/],
  ["people.xml.gz", "graphson", false, /is a name for graphml, but --format is graphson/],
  ["people.zip", "graphson", false, /only gzip is supported; name it \/d\/people\.json\.gz\.$/],
  ["people.json", undefined, true, /is not a name for a compressed file: name it \/d\/people\.json\.gz\.$/],
  ["people.gz", undefined, false, /people\.gz does not imply a format; give --format csv, graphson, graphml\.$/]
]

describe("The target of an export", () => {
  it.each(refused)("%s in the format %s (gzip: %s) is refused when its name contradicts it", (...given) => {
    const [name, format, gzip, message] = given
    assert.throws(() => exportTarget(`/d/${name}`, format, gzip), message)
  })

  it.each([
    ["people", "csv", true, "csv", true],
    ["people.v2", "csv", false, "csv", false],
    ["people.GZ", "graphml", false, "graphml", true],
    ["people.Json.Gz", undefined, true, "graphson", true],
    ["people", "graphson", false, "graphson", false]
  ] as const)("%s in the format %s (gzip: %s) is %s, compressed: %s", (name, given, gzip, format, zipped) => {
    assert.deepEqual(exportTarget(`/d/${name}`, given, gzip), { path: `/d/${name}`, format, zipped })
  })

  it("is a compressed file when its name says so, and never a folder", async () => {
    const folder = newFolder()
    await exported({ target: join(folder, "people.gz"), format: "graphml" })
    assert.match(gunzipSync(readFileSync(join(folder, "people.gz"))).toString(), /^<\?xml [\s\S]*<\/graphml>\n$/)
    const error = await exported({ target: join(folder, "all.gz"), format: "csv" }).catch((cause: unknown) => cause)
    assert.match(String(error), /all\.gz names a file, but CSV/)
    assert.deepEqual(readdirSync(folder), ["people.gz"])
    await exported({ target: join(folder, "people"), format: "csv", gzip: true })
    assert.deepEqual(readdirSync(join(folder, "people")).sort(), ["edges.csv.gz", "vertices.csv.gz"])
  })

  it.skipIf(process.platform === "win32")("cannot be read by users outside of the group", async () => {
    const folder = newFolder()
    await exported({ target: join(folder, "people"), format: "csv" })
    await exported({ target: join(folder, "people.xml"), format: "graphml" })
    for (const name of ["people.xml", "people/vertices.csv", "people/edges.csv"])
      assert.equal(statSync(join(folder, name)).mode & 0o137, 0, name)
    assert.equal(statSync(join(folder, "people")).mode & 0o027, 0)
  })

  it("is never overwritten", async () => {
    const folder = newFolder()
    writeFileSync(join(folder, "people"), "")
    mkdirSync(join(folder, "out.json"))
    for (const [target, format, message] of [
      ["people", "csv", /The folder .*people cannot be created: EEXIST/],
      ["people/out.json", "graphson", /The folder .*people cannot be created: (ENOTDIR|EEXIST)/],
      ["out.json", "graphson", /out\.json exists already/]
    ] as const) {
      const error = await exported({ target: join(folder, target), format }).catch((cause: unknown) => cause)
      assert.match(String(error), message)
    }
  })
})
