/** Size of one part, in characters or bytes. It is divisible by 3, so that the Base64 of parts can be concatenated. */
const PART_LENGTH = 24_576

/** Length from which texts and bytes are written in parts, in characters or bytes, when a result is written in slices. */
export const LONG_VALUE_LENGTH = 65_536

/** The parts of a text. No part ends inside of a surrogate pair. */
export function* textParts(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length; ) {
    const last = text.charCodeAt(from + PART_LENGTH - 1)
    const end = from + PART_LENGTH - (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
    yield text.slice(from, end)
    from = end
  }
}

/** The parts of bytes; they share the memory of the bytes. */
export function* byteParts(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < bytes.length; from += PART_LENGTH) yield bytes.subarray(from, from + PART_LENGTH)
}
