/** npm run test:fuzz: bundles the fuzzer with the tested server, and runs it. */
import { join } from "node:path"
import { importBundled, root } from "../../scripts/run-bundled.js"

await importBundled("test/fuzz/main.ts", join(root, ".cache", "fuzz", "fuzz.mjs"), "inline")
