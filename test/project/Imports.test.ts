import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative, sep } from "node:path"
import { assert, describe, it } from "vitest"

const source = join(import.meta.dirname, "..", "..", "src")

/**
 * What each top-level folder may import. `process/language/Bytecode.ts` and `process/language/Predicate.ts` are the
 * language as data, and `process/language/Closure.ts` is what the machine knows of a closure: see ARCHITECTURE.md.
 */
const allowed: Readonly<Record<string, ReadonlyArray<string>>> = {
  scheduling: [],
  structure: ["scheduling"],
  process: ["scheduling", "structure"],
  gremlin: [
    "scheduling",
    "structure",
    "process/language/Bytecode.ts",
    "process/language/Closure.ts",
    "process/language/Predicate.ts"
  ],
  protocol: ["scheduling", "structure", "process/language/Bytecode.ts", "process/language/Predicate.ts"],
  storage: ["scheduling", "structure"],
  services: ["scheduling", "structure", "process", "protocol", "gremlin"],
  layers: ["scheduling", "structure", "process", "protocol", "gremlin", "storage", "services"],
  "": ["layers", "services", "scheduling", "structure", "process", "protocol", "gremlin", "storage"]
}

/** What the folders of src/layers may import of each other. The files at its root may import all. */
const allowedInLayers: Readonly<Record<string, ReadonlyArray<string>>> = {
  observability: [],
  keys: [],
  config: ["keys"],
  management: [],
  graphs: ["config", "keys"],
  tools: ["graphs"],
  evaluation: ["config", "graphs", "management"],
  requests: ["evaluation"],
  trust: ["config", "graphs", "observability"],
  transport: ["config", "evaluation", "keys", "requests", "tools", "trust"],
  commands: ["config", "graphs", "observability", "tools", "trust"],
  // The files at the top of src/layers make the server.
  workers: ["", "commands", "config", "observability"],
  embedded: ["", "requests", "transport"]
}

/**
 * What the folders of src/process may import of each other, in the order from the language to the strategies. The compiler
 * knows no step and no strategy: Gremlin.ts, above all of them, gives it the language.
 */
const allowedInProcess: Readonly<Record<string, ReadonlyArray<string>>> = {
  language: [],
  scalars: ["language"],
  plan: ["language", "scalars"],
  predicates: ["language", "plan"],
  profile: ["plan"],
  calls: ["language", "predicates"],
  machine: ["language", "scalars", "plan", "profile", "calls"],
  io: ["language", "plan", "machine"],
  compiler: ["language", "plan", "machine"],
  steps: ["language", "scalars", "plan", "predicates", "calls", "machine", "io"],
  olap: ["language", "plan", "machine", "steps"],
  strategies: ["language", "plan", "predicates", "profile", "steps", "olap"],
  "Gremlin.ts": ["plan", "steps", "olap", "strategies"]
}

/** What the folders of src/storage may import of each other. The stores of JanusGraph's format share its rows. */
const allowedInStorage: Readonly<Record<string, ReadonlyArray<string>>> = {
  shared: [],
  memory: ["shared"],
  janusgraph: ["shared"],
  lmdb: ["shared", "janusgraph"],
  cassandra: ["shared", "janusgraph"],
  search: ["janusgraph"]
}

/** What the folders of src/structure may import of the files beside them, which import of a folder what its users do. */
const allowedInStructure: Readonly<Record<string, ReadonlyArray<string>>> = {
  geoshapes: ["Collections.ts", "Equivalence.ts", "Numbers.ts"]
}

/** What the folders of src/layers/transport may import of each other. A WebSocket begins as an HTTP connection. */
const allowedInTransport: Readonly<Record<string, ReadonlyArray<string>>> = {
  shared: [],
  tls: ["shared"],
  http: ["shared"],
  websocket: ["shared", "http"]
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
const roomOf = (file: string): string => (file.includes(sep) ? file.slice(0, file.indexOf(sep)) : "")

/** Relative imports of a file, as paths below src. */
const importsOf = (file: string): ReadonlyArray<string> =>
  Array.from(readFileSync(join(source, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g), (match) =>
    relative(source, normalize(join(source, dirname(file), match[1]!)))
  )

/** The files in import cycles: those that are reachable from themselves. */
const inCycles = (): ReadonlyArray<string> => {
  const imports = new Map(files.map((file) => [file, importsOf(file)]))
  const reachable = (from: string): ReadonlySet<string> => {
    const reached = new Set<string>()
    const open = [...(imports.get(from) ?? [])]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (reached.has(file)) continue
      reached.add(file)
      open.push(...(imports.get(file) ?? []))
    }
    return reached
  }
  return files.filter((file) => reachable(file).has(file))
}

describe("Rooms", () => {
  it("are all known", () => {
    assert.deepEqual(
      [...new Set(files.map(roomOf))].filter((room) => !(room in allowed)),
      []
    )
  })

  it("import in one direction only", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file).flatMap((target) => {
        const room = roomOf(file)
        const other = roomOf(target)
        const fine =
          room === other || allowed[room]!.some((path) => path === other || path === target.split(sep).join("/"))
        return fine ? [] : [`${file} imports ${target}`]
      })
    )
    assert.deepEqual(wrong, [])
  })

  it("of src/layers import in one direction only", () => {
    const roomInLayers = (file: string): string => roomOf(file.slice("layers".length + 1))
    const wrong = files
      .filter((file) => roomOf(file) === "layers" && roomInLayers(file) !== "")
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => roomOf(target) === "layers" && roomInLayers(target) !== roomInLayers(file))
          .filter((target) => !allowedInLayers[roomInLayers(file)]?.includes(roomInLayers(target)))
          .map((target) => `${file} imports ${target}`)
      )
    assert.deepEqual(wrong, [])
  })

  it("of src/process import in one direction only", () => {
    const folderOf = (file: string): string => file.split(sep)[1]!
    const inProcess = files.filter((file) => roomOf(file) === "process")
    assert.sameMembers([...new Set(inProcess.map(folderOf))], Object.keys(allowedInProcess))
    const wrong = inProcess.flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) === "process" && folderOf(target) !== folderOf(file))
        .filter((target) => !allowedInProcess[folderOf(file)]!.includes(folderOf(target)))
        .map((target) => `${file} imports ${target}`)
    )
    assert.deepEqual(wrong, [])
  })

  it("of src/storage import in one direction only", () => {
    const folderOf = (file: string): string => file.split(sep)[1]!
    const inStorage = files.filter((file) => roomOf(file) === "storage")
    assert.sameMembers([...new Set(inStorage.map(folderOf))], Object.keys(allowedInStorage))
    const wrong = inStorage.flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) === "storage" && folderOf(target) !== folderOf(file))
        .filter((target) => !allowedInStorage[folderOf(file)]!.includes(folderOf(target)))
        .map((target) => `${file} imports ${target}`)
    )
    assert.deepEqual(wrong, [])
  })

  it("of src/structure import few of the files beside them", () => {
    const inFolders = files.filter((file) => roomOf(file) === "structure" && file.split(sep).length > 2)
    const folderOf = (file: string): string => file.split(sep)[1]!
    assert.sameMembers([...new Set(inFolders.map(folderOf))], Object.keys(allowedInStructure))
    const wrong = inFolders.flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) === "structure" && folderOf(target) !== folderOf(file))
        .filter((target) => !allowedInStructure[folderOf(file)]!.includes(folderOf(target)))
        .map((target) => `${file} imports ${target}`)
    )
    assert.deepEqual(wrong, [])
  })

  it("of src/layers/transport import in one direction only", () => {
    const transport = join("layers", "transport") + sep
    const folderOf = (file: string): string => roomOf(file.slice(transport.length))
    const inFolders = files.filter((file) => file.startsWith(transport) && folderOf(file) !== "")
    assert.sameMembers([...new Set(inFolders.map(folderOf))], Object.keys(allowedInTransport))
    const wrong = inFolders.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith(transport) && folderOf(target) !== folderOf(file))
        .filter((target) => !allowedInTransport[folderOf(file)]!.includes(folderOf(target)))
        .map((target) => `${file} imports ${target}`)
    )
    assert.deepEqual(wrong, [])
  })

  it("of files form no cycle, imports of types included", () => {
    assert.deepEqual(inCycles(), [])
  })

  it("load packages lazily only through a separate module, because bundles give import() of CommonJS no names", () => {
    const late = /\bimport\(\s*"(?!\.|node:)([^"]+)"/g
    const direct = files.flatMap((file) =>
      Array.from(readFileSync(join(source, file), "utf8").matchAll(late), (match) => `${file} imports ${match[1]}`)
    )
    assert.deepEqual(direct, [])
  })

  it("take no displayed name from a class, because bundles rename some classes", () => {
    const named = files.filter((file) => /constructor\??\.name/.test(readFileSync(join(source, file), "utf8")))
    // Its fallback is for classes of other programs.
    assert.deepEqual(named, [join("structure", "TypeNames.ts")])
  })

  it("do not import the whole of effect", () => {
    const barrels = files.filter((file) => / from "effect"/.test(readFileSync(join(source, file), "utf8")))
    assert.deepEqual(barrels, [])
  })
})
