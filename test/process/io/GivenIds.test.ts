import { expect, it } from "vitest"
import { addedWithId } from "../../../src/process/io/GivenIds.ts"
import { UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"

const refusing = (refused: ReadonlyArray<unknown>) => (id: unknown) => {
  if (refused.includes(id)) throw new UnsupportedValue(`refused ${id}`)
  return id
}

it("An element has the id of its file, or an id of the graph if the graph does not accept that of the file", () => {
  expect(addedWithId(7, refusing([]))).toBe(7)
  expect(addedWithId(7, refusing([7]))).toBeUndefined()
})

it("An element that a graph takes neither with nor without the id is refused for its id", () => {
  expect(() => addedWithId(7, refusing([7, undefined]))).toThrow("refused 7")
  expect(() => addedWithId(undefined, refusing([undefined]))).toThrow("refused undefined")
})

it("Another error of an attempt is no refusal of the id", () => {
  const failing = (): never => {
    throw new RangeError("broken")
  }
  expect(() => addedWithId(7, failing)).toThrow(RangeError)
  const failingLater = (id: unknown) => (id === undefined ? failing() : refusing([id])(id))
  expect(() => addedWithId(7, failingLater)).toThrow(RangeError)
})
