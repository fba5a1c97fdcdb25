/** A line feed, which is the same byte in UTF-8 and in Latin-1. */
const LINE_FEED = 10

const decoded = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The text of a file in UTF-8, or in UTF-16 with its mark, as some editors of Windows write. Undefined if it is neither. */
const unicode = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, "utf-16le")
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, "utf-16be")
  return decoded(bytes, "utf-8")
}

/** The text of a properties file. Java reads these files in Latin-1, so one that is not Unicode is in Latin-1. */
export const propertiesText = (bytes: Buffer): string => unicode(bytes) ?? bytes.toString("latin1")

/** The text of a YAML file or a script. Throws an Error that names the first line which is not UTF-8. */
export const unicodeText = (bytes: Buffer): string => {
  const text = unicode(bytes)
  if (text !== undefined) return text
  let line = 1
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    if (decoded(bytes.subarray(start, end), "utf-8") === undefined) break
    line += 1
    start = end + 1
  }
  throw new Error(`line ${line} is not UTF-8. Save the file in this encoding`)
}
