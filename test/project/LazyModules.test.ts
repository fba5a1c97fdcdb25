import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { describe, expect, it } from "vitest"

const source = join(import.meta.dirname, "..", "..", "src")

/** The modules that an import names when its module is loaded: no types, and no import() that waits. */
const importsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm)].map(([, name]) => name!)

/** All modules that are loaded with these, and the packages that they name. */
const loadedWith = (
  ...entries: ReadonlyArray<string>
): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } => {
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = entries.map((entry) => join(source, entry))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const name = relative(source, file)
    if (files.has(name)) continue
    files.add(name)
    for (const imported of importsOf(readFileSync(file, "utf8"))) {
      if (imported.startsWith(".")) waiting.push(join(dirname(file), imported))
      else packages.add(imported)
    }
  }
  return { files, packages }
}

describe("The start of a server", () => {
  const { files, packages } = loadedWith("main.ts", "layers/Server.ts", "layers/Composition.ts")

  it("loads the parts that every server needs", () => {
    expect(files).toContain("layers/graphs/GraphStores.ts")
    expect(packages).toContain("effect/Effect")
  })

  it("loads the client of a search engine only with a graph that has one", () => {
    expect([...files].filter((file) => file.startsWith("storage/search"))).toEqual([])
    expect(
      [...loadedWith("layers/graphs/CqlGraphs.ts").files].filter((file) => file.startsWith("storage/search"))
    ).toEqual([])
    expect(loadedWith("layers/graphs/SearchEngines.ts").files).toContain("storage/search/RestEngine.ts")
  })

  it("loads the interpreter of scripts only with a script that is more than one traversal", () => {
    const ofScripts = (file: string): boolean =>
      file === "gremlin/Interpreter.ts" || file.startsWith("gremlin/program/") || file.startsWith("layers/management/")
    // The names of graphs are known without the interpreter.
    expect([...files].filter(ofScripts)).toEqual(["layers/management/GraphHandles.ts"])
    expect(loadedWith("layers/evaluation/RequestScripting.ts").files).toContain("gremlin/Interpreter.ts")
  })

  it.each(["cassandra-driver", "lmdb", "koffi", "node-forge", "re2js"])("loads %s only when it is needed", (name) => {
    expect(existsSync(join(source, "..", "node_modules", name))).toBe(true)
    expect([...packages]).not.toContain(name)
  })

  it.each(["cassandra", "lmdb", "memory"])("loads the store %s only with such a graph", (folder) => {
    // The configuration is read at each start.
    const isOption = (file: string): boolean => file.endsWith("Options.ts")
    expect([...files].filter((file) => file.startsWith(`storage/${folder}/`) && !isOption(file))).toEqual([])
  })
})

describe("The build", async () => {
  const { laterModules } = (await import(new URL("../../scripts/build.js", import.meta.url).href)) as {
    readonly laterModules: ReadonlyArray<{
      readonly first: ReadonlyArray<string>
      readonly names: ReadonlyArray<string>
    }>
  }
  const [withServer, withGraphs] = laterModules.map(({ first, names }) => ({
    first: first.map((name) => `${name}.ts`),
    names: names.map((name) => `${name}.ts`)
  }))
  const server = loadedWith("main.ts", "layers/Server.ts").files
  const tools = loadedWith("main.ts", "layers/commands/ToolsCommand.ts").files

  it("lets late modules import only what has been loaded before them", () => {
    expect(withServer!.first.filter((file) => !server.has(file))).toEqual([])
    expect(withGraphs!.first.filter((file) => !server.has(file) || !tools.has(file))).toEqual([])
  })

  it("lets no module that commands or a primary process load import the server", () => {
    const folder = readdirSync(join(source, "layers", "commands")).map((name) => `layers/commands/${name}`)
    const others = loadedWith("main.ts", "layers/workers/Primary.ts", ...folder, ...withGraphs!.names).files
    expect(withServer!.names.filter((file) => others.has(file))).toEqual([])
  })

  it("knows late modules by their names", () => {
    const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(source, name), "utf8"))
    const imported = (file: string): boolean => texts.some((text) => text.includes(`/${basename(file)}")`))
    expect([...withServer!.names, ...withGraphs!.names].filter((file) => !imported(file))).toEqual([])
  })
})
