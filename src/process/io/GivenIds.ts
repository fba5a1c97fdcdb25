import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"

/**
 * Adds an element of a file. It keeps its id if the graph accepts it, and otherwise gets one that the graph makes. If the graph makes
 * none, the error says why it does not accept the id of the file.
 */
export const addedWithId = <A>(id: unknown, add: (id: unknown) => A): A => {
  try {
    return add(id)
  } catch (error) {
    if (!(error instanceof UnsupportedValue) || id === undefined) throw error
    try {
      return add(undefined)
    } catch (other) {
      throw other instanceof UnsupportedValue ? error : other
    }
  }
}
