import { removePackedProject } from "./Package.ts"

/** Removes, at the end of a run, the package that its tests made. */
export default () => removePackedProject
