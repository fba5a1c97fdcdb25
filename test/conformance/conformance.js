/**
 * npm run conformance: bundles the suite, which is written in TypeScript, into the cache and runs it. The options are
 * those of Options.ts; --help lists them. With --translation as the first argument only bytecode is compared, and the
 * next argument filters the scenarios. A run without any argument does both.
 */
import { join } from "node:path"
import { exitWith, importBundled, root } from "../../scripts/run-bundled.js"

const cache = join(root, ".cache", "conformance")

/** Bundles one of the two programs and runs it; only the comparison of bytecode has the sources of the server in it. */
const run = async (entry, args) => {
  const { main } = await importBundled(`test/conformance/${entry}.ts`, join(cache, "bundle", `${entry}.mjs`))
  return main(args, join(root, "test", "conformance"), cache)
}

const [first, ...others] = process.argv.slice(2)
await exitWith(async () => {
  const translated = first === undefined || first === "--translation" ? await run("translation/main", others) : 0
  const conforms = first === "--translation" ? 0 : await run("main", process.argv.slice(2))
  return Math.max(translated, conforms)
})
