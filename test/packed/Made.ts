import { makePackedProject } from "./Package.ts"

// Files that import the library by its name need the package before any test runs.
await makePackedProject()
