import { makePackedProject } from "./Package.ts"

// Files that import the library by its name do so before any test can ask for the package.
await makePackedProject()
