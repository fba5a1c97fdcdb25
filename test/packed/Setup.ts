import { existsSync } from "node:fs"
import { removePackedProject } from "./Package.ts"

/** Removes the package at the end of a run, unless it existed before or the next run needs it. */
export default () =>
  process.env.TEST_PACKED_FOLLOWS !== undefined || existsSync(process.env.ENGINE_SERVER_PACKAGE ?? "")
    ? () => {}
    : removePackedProject
