/**
 * npm run test:differential: bundles the fuzzer, which is written in TypeScript, and runs it. --help lists its options.
 */
import { runTool } from "../../scripts/run-bundled.js"

await runTool("differential")
