/** Characters or bytes of one part. Divisible by 3: the parts of bytes in Base64 are Base64 together. */
const PART = 24_576

/** Texts and bytes with more characters or bytes than this are written part by part where a result is written in slices. */
export const LONG_PART = 65_536

/** A text in parts that begin and end between two characters. */
export function* textParts(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length; ) {
    const last = text.charCodeAt(from + PART - 1)
    const end = from + PART - (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
    yield text.slice(from, end)
    from = end
  }
}

/** Bytes in parts that share their memory. */
export function* byteParts(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < bytes.length; from += PART) yield bytes.subarray(from, from + PART)
}
