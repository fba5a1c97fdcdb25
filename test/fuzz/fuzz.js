/** npm run test:fuzz: bundles the fuzzer with the tested server, and runs it. */
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const outfile = join(root, ".cache", "fuzz", "fuzz.mjs")
await build({
  absWorkingDir: root,
  entryPoints: ["test/fuzz/main.ts"],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: "inline",
  logLevel: "warning"
})
await import(pathToFileURL(outfile).href)
