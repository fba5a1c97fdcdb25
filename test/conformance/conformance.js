/**
 * npm run conformance: bundles the suite, which is written in TypeScript, into the cache and runs it. The options are
 * those of Options.ts; --help lists them. With --translation as the first argument only bytecode is compared, and the
 * next argument filters the scenarios. A run without any argument does both.
 */
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const home = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(home))
const cache = join(root, ".cache", "conformance")

/** Bundles one of the two programs and runs it; only the comparison of bytecode has the sources of the server in it. */
const run = async (entry, args) => {
  const outfile = join(cache, "bundle", `${entry}.mjs`)
  await build({
    absWorkingDir: root,
    entryPoints: [`test/conformance/${entry}.ts`],
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
  return main(args, home, cache)
}

const [first, ...others] = process.argv.slice(2)
try {
  const translated = first === undefined || first === "--translation" ? await run("translation/main", others) : 0
  const conforms = first === "--translation" ? 0 : await run("main", process.argv.slice(2))
  process.exitCode = Math.max(translated, conforms)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  // scenarios may still be running into a server that is gone
  process.exit(1)
}
