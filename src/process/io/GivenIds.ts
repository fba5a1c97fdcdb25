import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"

/**
 * Adds an element of a file with the id of the file, or with an id that the graph makes if the graph does not accept that of the file. If
 * the graph makes no ids either, the error is that of the first attempt: it says what is wrong with the id.
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
