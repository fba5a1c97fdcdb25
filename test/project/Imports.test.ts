import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative, sep } from "node:path"
import { assert, describe, it } from "vitest"

const source = join(import.meta.dirname, "..", "..", "src")

/**
 * What each top-level folder may import. `process/language/Bytecode.ts` and `process/language/Predicate.ts` are the
 * language as data, `process/language/Closure.ts` is what the machine knows of a closure, and `process/language/StepSignatures.ts`
 * has the arguments of steps: see ARCHITECTURE.md.
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
    "process/language/Kinds.ts",
    "process/language/Predicate.ts",
    "process/language/Signatures.ts",
    "process/language/StepSignatures.ts"
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
 * knows no step and no strategy: the file beside the folders, Gremlin.ts, gives it the language.
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
  "": ["plan", "steps", "olap", "strategies"]
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

/** What the folders of src/structure may import of each other, from errors to the interface of graphs. */
const allowedInStructure: Readonly<Record<string, ReadonlyArray<string>>> = {
  errors: [],
  characters: ["errors"],
  containers: [],
  numbers: ["errors"],
  times: ["errors", "numbers"],
  scalars: [],
  elements: [],
  collections: ["errors", "containers", "numbers", "times", "scalars", "elements"],
  geoshapes: ["numbers", "collections"],
  texts: ["errors", "numbers", "times", "scalars", "elements", "collections", "geoshapes"],
  comparison: ["errors", "numbers", "times", "scalars", "elements", "collections", "texts"],
  memory: ["numbers", "elements", "collections", "geoshapes"],
  profiles: ["numbers", "texts"],
  graph: ["scalars", "elements", "collections", "comparison"]
}

/** What the folders of src/gremlin/script may import of each other, from the kinds of values to what calls a method of any value. */
const allowedInScript: Readonly<Record<string, ReadonlyArray<string>>> = {
  values: [],
  budget: ["values"],
  methods: ["values", "budget"],
  arguments: ["values", "budget"],
  objects: ["values", "budget", "methods"],
  comparison: ["values", "budget", "arguments", "objects"],
  dates: ["values", "methods"],
  types: ["values", "budget", "objects", "comparison", "dates"],
  operators: ["values", "budget", "methods", "objects", "comparison", "types"],
  texts: ["values", "budget", "methods", "objects", "comparison", "types", "operators"],
  json: ["values", "budget", "methods", "objects", "types"],
  geoshapes: ["values", "budget", "methods", "types"],
  collections: ["values", "budget", "methods", "objects", "comparison", "types", "operators", "texts"],
  numbers: ["values", "budget", "methods", "types", "operators", "collections"],
  closures: ["values", "budget", "methods", "objects", "comparison", "operators", "collections"],
  streams: ["values", "budget", "methods", "objects", "comparison", "texts", "collections", "closures"],
  graph: ["values", "budget", "methods", "types", "collections", "closures"],
  traversals: [
    ...["values", "budget", "methods", "arguments", "objects", "comparison", "types", "operators", "json", "closures"],
    "graph"
  ],
  classes: [
    ...["values", "budget", "methods", "objects", "comparison", "dates", "types", "operators", "texts", "json"],
    ...["geoshapes", "collections", "numbers", "streams"]
  ],
  receivers: [
    ...["values", "budget", "methods", "objects", "comparison", "dates", "types", "operators", "texts", "json"],
    ...["geoshapes", "collections", "numbers", "closures", "streams", "graph", "traversals", "classes"]
  ]
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

/**
 * The imports between the folders of a folder that are not allowed. The files beside these folders are the folder "". If `allowedIn`
 * does not name it, they may import all folders.
 */
const wrongImportsIn = (parent: string, allowedIn: Readonly<Record<string, ReadonlyArray<string>>>): Array<string> => {
  const folderOf = (file: string): string => roomOf(file.slice(parent.length))
  const inside = files.filter((file) => file.startsWith(parent) && (folderOf(file) !== "" || "" in allowedIn))
  assert.sameMembers([...new Set(inside.map(folderOf))], Object.keys(allowedIn))
  return inside.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith(parent) && folderOf(target) !== folderOf(file))
      .filter((target) => !allowedIn[folderOf(file)]!.includes(folderOf(target)))
      .map((target) => `${file} imports ${target}`)
  )
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

  it.each([
    ["layers", allowedInLayers],
    ["structure", allowedInStructure],
    ["process", allowedInProcess],
    ["storage", allowedInStorage],
    ["gremlin/script", allowedInScript],
    ["layers/transport", allowedInTransport]
  ])("of src/%s import in one direction only", (parent, allowedIn) => {
    assert.deepEqual(wrongImportsIn(parent.split("/").join(sep) + sep, allowedIn), [])
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
    assert.deepEqual(named, [join("structure", "texts", "TypeNames.ts")])
  })

  it("do not import the whole of effect", () => {
    const barrels = files.filter((file) => / from "effect"/.test(readFileSync(join(source, file), "utf8")))
    assert.deepEqual(barrels, [])
  })
})
