/**
 * npm run bench -- NAME [options]: bundles bench/NAME.ts with the sources it measures and runs it. Benchmarks print figures;
 * nothing asserts them. They are recorded in docs/reference/benchmarks.md.
 */
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const home = dirname(fileURLToPath(import.meta.url))
const root = dirname(home)
const name = process.argv[2] ?? ""

if (!/^[a-z]+$/.test(name) || !existsSync(join(home, `${name}.ts`))) {
  const known = readdirSync(home).flatMap((file) => /^([a-z]+)\.ts$/.exec(file)?.[1] ?? [])
  console.error(`npm run bench -- NAME, where NAME is one of ${known.join(", ")}`)
  process.exit(1)
}
const outfile = join(root, ".cache", "bench", `${name}.mjs`)
await build({
  absWorkingDir: root,
  entryPoints: [`bench/${name}.ts`],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning"
})
process.argv.splice(2, 1)
await import(pathToFileURL(outfile).href)
