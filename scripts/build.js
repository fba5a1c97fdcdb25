/**
 * Bundles the server and the library into dist/.
 *
 *   node scripts/build.js           dist/main.js (everything bundled: start-up is import time), and dist/index.js with the
 *                                   library in dist/library.js
 *   node scripts/build.js --types   also the declarations, for npm pack
 *
 * The web console is a third bundle, dist/console. It is for browsers, and its files have names with the hash of their content.
 *
 * A build writes to an empty folder and then moves the files to dist/. It moves chunks before the entries that import them, so
 * that a server which starts during a build loads a complete one. It removes all other files from dist/, so that a package
 * has no files of older builds.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, parse, relative, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build as bundle } from "esbuild"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, "dist")

/** Packages with native code are not bundled; they are resolved from node_modules. */
const native = ["koffi", "lmdb", "@node-rs/*"]

const common = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: "linked",
  sourcesContent: false,
  legalComments: "linked",
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  write: false,
  logLevel: "warning"
}

/** CommonJS packages inside an ESM bundle still call require() for Node's own modules. */
const requireShim = {
  js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);'
}

/**
 * Modules that import() loads late: a process that loads one of `names` has loaded `first` before. Names are paths in src/ without
 * the ending.
 *
 * esbuild makes a chunk for the modules that are reached by the same entry and the same import()s. A start would load 80 chunks, and
 * each takes half a millisecond. If late modules import `first`, which costs nothing by then, the start needs half as many.
 */
export const laterModules = [
  {
    first: ["layers/commands/CommandLine", "layers/Server"],
    names: [
      "index",
      "layers/evaluation/Initialization",
      "layers/evaluation/RequestScripting",
      "layers/graphs/dynamic/DynamicGraphLayer",
      "layers/graphs/dynamic/GraphRules",
      "layers/graphs/dynamic/OpenedFolder",
      "layers/graphs/dynamic/ScriptGraphList",
      "layers/workers/WorkerProgram"
    ]
  },
  {
    // Commands that open graphs do not load the server, but these parts of it.
    first: [
      "layers/commands/CommandLine",
      "layers/graphs/Emptiness",
      "layers/graphs/FileFormats",
      "layers/graphs/GraphStores",
      "structure/characters/FullText",
      "structure/graph/GraphReads"
    ],
    names: [
      "layers/graphs/CqlGraphs",
      "layers/graphs/LmdbGraphs",
      "layers/graphs/MemoryGraphs",
      "layers/graphs/SearchEngines",
      "layers/tools/ToolRequests",
      "layers/tools/ToolService",
      "storage/lmdb/OpenLmdbStore",
      "storage/memory/ToyGraphs"
    ]
  }
]

/** Lets modules import what is loaded before them. The imports precede the first line, so that the source map keeps its lines. */
const fewChunks = {
  name: "few chunks",
  setup: ({ onLoad }) => {
    const path = (name) => join(root, "src", `${name}.ts`)
    const imports = new Map()
    for (const { first, names } of laterModules) {
      const text = first.map((name) => `import ${JSON.stringify(path(name))};`).join("")
      for (const name of names) imports.set(path(name), text)
    }
    onLoad({ filter: /\.ts$/ }, (module) => {
      const text = imports.get(module.path)
      // A test builds a checkout of a few files.
      if (text === undefined || !existsSync(path("layers/Server"))) return undefined
      return { contents: text + readFileSync(module.path, "utf8"), loader: "ts" }
    })
  }
}

/** Age up to which the build before a start keeps chunks of older builds, ms. Running servers may still import them. */
const KEPT = 3_600_000

const chunks = `chunks${sep}`

/** Files below a folder, by their paths in it. */
const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    : []

const write = (path, contents) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents)
}

/**
 * The text of dist/index.js. Inside the server program it exports the program's copy of the library, because a second copy
 * would have different classes. src/services/OwnModules.ts is the counterpart.
 */
const entryOf = ({ outputs }) => {
  const names = outputs["dist/library.js"].exports.toSorted()
  const text = `import * as library from "./library.js"
const program = globalThis[Symbol.for("engine-server.program")]?.library
// A program of another version may lack some exports.
const own = program !== undefined && Object.keys(library).every((name) => name in program) ? program : library
export const { ${names.join(", ")} } = own
`
  return { path: join(dist, "index.js"), contents: Buffer.from(text) }
}

/** Writes the declarations to the folder. */
const types = (folder) => {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc")
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", folder], {
    cwd: root,
    stdio: "inherit"
  })
}

/** Moves the files of a build to dist/, and removes outdated files from dist/. */
const replace = (folder, keepsChunks) => {
  const made = filesIn(folder)
  const isChunk = (name) => name.startsWith(chunks)
  for (const name of [...made.filter(isChunk), ...made.filter((name) => !isChunk(name))]) {
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    renameSync(join(folder, name), join(dist, name))
  }
  const current = new Set(made)
  for (const name of filesIn(dist).filter((name) => !current.has(name))) {
    const path = join(dist, name)
    if (!(keepsChunks && isChunk(name) && Date.now() - statSync(path).mtimeMs < KEPT)) rmSync(path, { force: true })
  }
}

const consoleSources = join(root, "console")

const forBrowsers = {
  absWorkingDir: root,
  bundle: true,
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  outdir: "dist/console",
  jsx: "automatic",
  jsxImportSource: "preact",
  write: false,
  logLevel: "warning"
}

const hashed = (name, contents) => {
  const { name: base, ext } = parse(name)
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 8).toUpperCase()
  return { name: `${base}-${hash}${ext}`, contents }
}

/** A bundle of the console as one file. */
const consoleFile = async (entry, name, define = {}) => {
  const { outputFiles } = await bundle({ ...forBrowsers, entryPoints: [join(consoleSources, entry)], define })
  return hashed(name, Buffer.from(outputFiles[0].contents))
}

/** The files of the console. The worker is built first, because the page has its name. */
const consoleFiles = async () => {
  if (!existsSync(consoleSources)) return []
  const forces = await consoleFile("graph/forces.ts", "forces.js")
  const made = {
    "main.js": await consoleFile("main.tsx", "main.js", { FORCES_FILE: JSON.stringify(forces.name) }),
    "style.css": await consoleFile("style.css", "style.css"),
    "icon.svg": hashed("icon.svg", readFileSync(join(consoleSources, "icon.svg")))
  }
  let page = readFileSync(join(consoleSources, "index.html"), "utf8")
  for (const [name, file] of Object.entries(made)) page = page.replace(`"${name}"`, `"${file.name}"`)
  const files = [forces, ...Object.values(made), { name: "index.html", contents: Buffer.from(page) }]
  return files.map(({ contents, name }) => ({ path: join(dist, "console", name), contents }))
}

/**
 * Bundles both entries, and the console.
 *
 * @param {{ withTypes?: boolean, keepsChunks?: boolean }} options withTypes: writes the declarations, too. keepsChunks: keeps
 *   chunks of builds of the last hour in dist/. The build before a start sets it, because other servers may run from the same
 *   checkout.
 */
export const build = async ({ withTypes = false, keepsChunks = false } = {}) => {
  const results = await Promise.all([
    bundle({ ...common, entryPoints: ["src/main.ts"], external: native, banner: requireShim, plugins: [fewChunks] }),
    // The library shares the program's own copy of effect: a second copy would be a second runtime.
    bundle({ ...common, entryPoints: { library: "src/index.ts" }, packages: "external", metafile: true })
  ])
  const outputs = results.flatMap((result) => result.outputFiles ?? [])
  const files = [...outputs, entryOf(results[1].metafile), ...(await consoleFiles())]
  const folder = join(root, ".cache", `build-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  try {
    for (const { contents, path } of files) write(join(folder, relative(dist, path)), contents)
    if (withTypes) types(folder)
    replace(folder, keepsChunks)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return files.map((file) => ({ path: relative(root, file.path), bytes: file.contents.length }))
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // esbuild has already printed the errors of the sources.
  const files = await build({ withTypes: process.argv.includes("--types") }).catch((cause) => {
    if (!("errors" in cause)) console.error(cause)
    process.exit(1)
  })
  const scripts = files.filter((file) => file.path.endsWith(".js"))
  const kilobytes = Math.round(scripts.reduce((sum, file) => sum + file.bytes, 0) / 1024)
  console.log(`built ${scripts.length} files in dist, ${kilobytes} kB`)
}
