import { existsSync } from "node:fs"
import { removePackedProject } from "./Package.ts"

/** Removes, at the end of a run, the package that its tests made. One that was there before the run stays. */
export default () => (existsSync(process.env.ENGINE_SERVER_PACKAGE ?? "") ? () => {} : removePackedProject)
