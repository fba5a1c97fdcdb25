/**
 * Plays the Groovy blocks of manuals: bundles the program, which is written in TypeScript, and runs it. --help lists its options.
 */
import { runTool } from "../../scripts/run-bundled.js"

await runTool("manuals")
