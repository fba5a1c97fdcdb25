/**
 * Bundles the server and the library into dist/.
 *
 *   node scripts/build.js           dist/main.js (everything bundled: start-up is import time) and dist/index.js
 *   node scripts/build.js --types   also the declarations, for npm pack
 *
 * Files are written beside their final name and renamed, chunks before the entries that import them, so that a server
 * which starts or runs during a build never sees half of one.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build as bundle } from "esbuild"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, "dist")

/** Packages with native code stay outside of the bundle and are resolved from node_modules. */
const native = ["lmdb", "@node-rs/*"]

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

const write = (path, contents) => {
  mkdirSync(dirname(path), { recursive: true })
  const beside = `${path}.${process.pid}.tmp`
  writeFileSync(beside, contents)
  renameSync(beside, path)
}

/** A running server may still import a chunk of the build it started from, so old chunks live for an hour. */
const removeOldChunks = (written) => {
  const chunks = join(dist, "chunks")
  for (const name of readdirSync(chunks)) {
    const path = join(chunks, name)
    if (!written.has(path) && Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { force: true })
  }
}

/** Bundles both entries. */
export const build = async () => {
  const results = await Promise.all([
    bundle({ ...common, entryPoints: ["src/main.ts"], external: native, banner: requireShim }),
    // The library shares the program's own copy of effect: a second copy would be a second runtime.
    bundle({ ...common, entryPoints: ["src/index.ts"], packages: "external" })
  ])
  const files = results.flatMap((result) => result.outputFiles)
  const isEntry = (file) => ["main.js", "index.js"].includes(basename(file.path)) && dirname(file.path) === dist
  for (const file of files.filter((file) => !isEntry(file))) write(file.path, file.contents)
  for (const file of files.filter(isEntry)) write(file.path, file.contents)
  mkdirSync(join(dist, "chunks"), { recursive: true })
  removeOldChunks(new Set(files.map((file) => file.path)))
  return files.map((file) => ({ path: relative(root, file.path), bytes: file.contents.length }))
}

const types = () => {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc")
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // esbuild has said what is wrong, and where.
  const files = await build().catch(() => process.exit(1))
  if (process.argv.includes("--types")) types()
  const scripts = files.filter((file) => file.path.endsWith(".js"))
  const kilobytes = Math.round(scripts.reduce((sum, file) => sum + file.bytes, 0) / 1024)
  console.log(`built ${scripts.length} files in dist, ${kilobytes} kB`)
}
