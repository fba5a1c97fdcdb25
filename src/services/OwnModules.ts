import { pathToFileURL } from "node:url"

/**
 * What a program of this server leaves for the package's entry. The program is a bundle of its own: the classes of a
 * second copy of the library in the same process are other classes, and the program would know neither the elements nor the
 * errors that a module of one's own makes with them. `scripts/build.js` writes the entry, which takes the program's copy
 * where it is there.
 */
interface Program {
  /** Loads the program's own copy of the library. */
  readonly load: () => Promise<object>
  /** That copy, once a module of one's own was loaded. */
  library?: object
}

/** scripts/build.js has the same name. */
const PROGRAM = Symbol.for("engine-server.program")

/** Says that this process is a program of the server, whose modules are to get its copy of the library. */
export const asProgram = (load: () => Promise<object>): void => {
  const program: Program = { load }
  Object.assign(globalThis, { [PROGRAM]: program })
}

/** Imports a module of one's own that the settings name, whose default export is what they ask for. */
export const importModule = async (path: string): Promise<{ readonly default?: unknown }> => {
  const program = (globalThis as { [PROGRAM]?: Program })[PROGRAM]
  if (program !== undefined) program.library ??= await program.load()
  return import(pathToFileURL(path).href)
}
