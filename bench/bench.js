/**
 * npm run bench -- NAME [options]: bundles bench/NAME.ts with the sources it measures and runs it. Benchmarks print figures;
 * nothing asserts them. They are recorded in docs/reference/benchmarks.md.
 */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { importBundled, root } from "../scripts/run-bundled.js"

const home = join(root, "bench")
const name = process.argv[2] ?? ""

if (!/^[a-z]+$/.test(name) || !existsSync(join(home, `${name}.ts`))) {
  const known = readdirSync(home).flatMap((file) => /^([a-z]+)\.ts$/.exec(file)?.[1] ?? [])
  console.error(`npm run bench -- NAME, where NAME is one of ${known.join(", ")}`)
  process.exit(1)
}
process.argv.splice(2, 1)
await importBundled(`bench/${name}.ts`, join(root, ".cache", "bench", `${name}.mjs`), false)
