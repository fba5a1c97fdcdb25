import { existsSync } from "node:fs"
import { removePackedProject } from "./Package.ts"

/** Removes the package at the end of a run, unless it existed before. */
export default () => (existsSync(process.env.ENGINE_SERVER_PACKAGE ?? "") ? () => {} : removePackedProject)
