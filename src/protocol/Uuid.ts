// Request ids are canonical, lower-case texts of UUIDs in the server, because they are only compared and echoed.

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const lenient = /^([0-9a-fA-F]{1,8})-([0-9a-fA-F]{1,4})-([0-9a-fA-F]{1,4})-([0-9a-fA-F]{1,4})-([0-9a-fA-F]{1,12})$/

/**
 * The canonical text of a UUID in any form that java.util.UUID.fromString accepts (`1-1-1-1-1`, upper case). Undefined for any
 * other text.
 */
export const canonicalUuid = (text: string): string | undefined => {
  if (canonical.test(text)) return text
  const parts = lenient.exec(text)
  if (parts === null) return undefined
  const pad = (index: number, width: number): string => parts[index]!.toLowerCase().padStart(width, "0")
  return `${pad(1, 8)}-${pad(2, 4)}-${pad(3, 4)}-${pad(4, 4)}-${pad(5, 12)}`
}

const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** The canonical text of the 16 bytes at `at`. */
export const uuidOfBytes = (bytes: Uint8Array, at: number): string => {
  let text = ""
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += "-"
    text += hexPairs[bytes[at + i]!]
  }
  return text
}

/** The value of a lower-case hexadecimal digit. */
const digit = (code: number): number => (code < 58 ? code - 48 : code - 87)

/** Writes the 16 bytes of a canonical text at `at`. */
export const writeUuid = (text: string, bytes: Uint8Array, at: number): void => {
  let from = 0
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) from++
    bytes[at + i] = (digit(text.charCodeAt(from)) << 4) | digit(text.charCodeAt(from + 1))
    from += 2
  }
}
