import { UnsupportedValue } from "../../../../structure/errors/StoreErrors.ts"

/** The error of a file that has several values of a vertex under a key that takes one. */
export const severalValues = (key: string): UnsupportedValue =>
  new UnsupportedValue(`The key ${key} takes one value of a vertex (SINGLE), and the vertex has several.`)
