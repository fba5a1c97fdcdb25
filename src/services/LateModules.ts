/**
 * A module that a running server loads later cannot be loaded, because the files of the program were replaced. The message tells the
 * administrator what to do.
 */
class ProgramReplaced extends Error {}

/** The code of Node.js for a module whose file does not exist. */
const NOT_FOUND = "ERR_MODULE_NOT_FOUND"

/** A module that is imported while the server runs. If its file is gone, the error says that the server must be restarted or reloaded. */
export const lateModule = async <Module>(imported: Promise<Module>): Promise<Module> => {
  try {
    return await imported
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== NOT_FOUND) throw cause
    throw new ProgramReplaced(
      "A part of the program cannot be loaded, because its file is gone: another version was installed since the server was started. " +
        "Restart the server, or use 'reload' if it has worker processes.",
      { cause }
    )
  }
}

/** A value that is made at the first call, and returned from then on. After a failure, the next call tries again. */
interface MadeOnce<A> {
  (): Promise<A>
  /** The value that is made or being made; undefined before the first call and after a failure. */
  readonly made: () => Promise<A> | undefined
}

/** Makes a value at the first call. */
export const madeOnce = <A>(make: () => Promise<A>): MadeOnce<A> => {
  let made: Promise<A> | undefined
  const get = (): Promise<A> => {
    made ??= make().catch((cause: unknown) => {
      made = undefined
      throw cause
    })
    return made
  }
  return Object.assign(get, { made: () => made })
}
