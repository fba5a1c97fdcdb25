/**
 * npm run conformance: bundles the suite, which is written in TypeScript, into the cache and runs it. The options are
 * those of Options.ts; --help lists them.
 */
import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const home = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(home))
const cache = join(root, ".cache", "conformance")
const outdir = join(cache, "bundle")

mkdirSync(outdir, { recursive: true })
await build({
  absWorkingDir: root,
  entryPoints: ["test/conformance/main.ts"],
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: "linked",
  logLevel: "warning"
})

const { main } = await import(pathToFileURL(join(outdir, "main.mjs")).href)
try {
  process.exitCode = await main(process.argv.slice(2), home, cache)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
