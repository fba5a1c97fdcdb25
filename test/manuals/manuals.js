/**
 * Plays the Groovy blocks of manuals: bundles the program, which is written in TypeScript, and runs it. --help lists its options.
 */
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const home = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(home))
const cache = join(root, ".cache", "manuals")
const outfile = join(cache, "bundle", "manuals.mjs")
await build({
  absWorkingDir: root,
  entryPoints: ["test/manuals/main.ts"],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: "linked",
  logLevel: "warning"
})
const { main } = await import(pathToFileURL(outfile).href)
try {
  process.exitCode = await main(process.argv.slice(2), home, cache, root)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
