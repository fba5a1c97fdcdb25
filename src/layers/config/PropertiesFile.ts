/** A key of a properties file with its value and the line of its start, from 1. */
interface PropertyLine {
  readonly key: string
  readonly value: string
  readonly line: number
}

const escapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" }

const withoutEscapes = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, character: string | undefined) =>
    code === undefined ? (escapes[character ?? ""] ?? character ?? "") : String.fromCharCode(Number.parseInt(code, 16))
  )

/** True when a line ends in an odd number of backslashes, which join it with the next one. */
const continues = (line: string): boolean => {
  const backslashes = /\\*$/.exec(line)?.[0].length ?? 0
  return backslashes % 2 === 1
}

/**
 * Parses a Java properties file: `key=value`, `key: value` or `key value`; comments start with `#` or `!`; a backslash
 * escapes and joins lines. Repeated keys stay repeated, in order.
 */
export const parseProperties = (text: string): ReadonlyArray<PropertyLine> => {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)
  const properties: Array<PropertyLine> = []
  for (let index = 0; index < lines.length; index++) {
    const start = index + 1
    let logical = (lines[index] ?? "").trimStart()
    if (logical === "" || logical.startsWith("#") || logical.startsWith("!")) continue
    while (continues(logical) && index + 1 < lines.length) {
      index += 1
      logical = logical.slice(0, -1) + (lines[index] ?? "").trimStart()
    }
    const match = /^((?:\\[\s\S]|[^\\=:\s])*)[ \t\f]*[=:]?[ \t\f]*([\s\S]*)$/.exec(logical)
    const key = withoutEscapes(match?.[1] ?? "")
    if (key !== "") properties.push({ key, value: withoutEscapes(match?.[2] ?? "").trimEnd(), line: start })
  }
  return properties
}
