import { pathToFileURL } from "node:url"

/**
 * What a process of the server program leaves for the entry of the package. The program is a separate bundle. A module that
 * imports the package would get a second copy of the library, whose classes are other classes: the program would not
 * recognise its elements and errors. Therefore the entry, which `scripts/build.js` writes, uses the program's copy if present.
 */
interface Program {
  /** Loads the program's own copy of the library. */
  readonly load: () => Promise<object>
  /** That copy, once a module of a user was imported. */
  library?: object
}

/** `scripts/build.js` uses the same name. */
const PROGRAM = Symbol.for("engine-server.program")

/** Declares this process a server program, whose modules get its copy of the library. */
export const asProgram = (load: () => Promise<object>): void => {
  const program: Program = { load }
  Object.assign(globalThis, { [PROGRAM]: program })
}

/** Imports a module that the settings name. `path` is absolute. */
export const importModule = async (path: string): Promise<{ readonly default?: unknown }> => {
  const program = (globalThis as { [PROGRAM]?: Program })[PROGRAM]
  if (program !== undefined) program.library ??= await program.load()
  return import(pathToFileURL(path).href)
}
