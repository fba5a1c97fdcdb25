import { Unavailable } from "./OperandErrors.ts"

/** Most bytes that an operation of a script reads or makes: their members are objects, and Base64 makes them more. */
const MAX_BYTES = 65_536

/** Returns the number of bytes. Fails with Unavailable if a script cannot handle so many at once. */
export const withinByteLimit = (count: number): number => {
  if (count <= MAX_BYTES) return count
  throw new Unavailable(`a script handles at most ${MAX_BYTES} bytes at once, and these are ${count}`)
}
