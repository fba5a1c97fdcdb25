/** The text of a JSON number. JSON.parse would lose digits of Int64, BigInteger and BigDecimal. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A JSON document. Objects are maps, so that `__proto__` is an ordinary key. */
export type Json = null | boolean | string | JsonNumber | ReadonlyArray<Json> | ReadonlyMap<string, Json>

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const stringPattern = /"(?:[^"\\]|\\.)*"/y

/** Parses a JSON document and keeps all digits of numbers. Throws an Error that names the position. */
export const parseJson = (text: string): Json => {
  let position = 0
  const fail = (): never => {
    throw new Error(`not JSON at position ${position}: ${text.slice(position, position + 40)}`)
  }
  const skip = (): void => {
    while (position < text.length && " \t\r\n".includes(text[position]!)) position++
  }
  const accept = (token: string): boolean => {
    skip()
    if (!text.startsWith(token, position)) return false
    position += token.length
    return true
  }
  const expect = (token: string): void => {
    if (!accept(token)) fail()
  }
  const match = (pattern: RegExp): string | undefined => {
    skip()
    pattern.lastIndex = position
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) position += found.length
    return found
  }
  const readString = (): string => {
    const start = position
    const text = match(stringPattern) ?? fail()
    try {
      return JSON.parse(text) as string
    } catch {
      position = start
      return fail()
    }
  }
  const read = (): Json => {
    if (accept("{")) {
      const entries = new Map<string, Json>()
      if (accept("}")) return entries
      do {
        const key = readString()
        expect(":")
        entries.set(key, read())
      } while (accept(","))
      expect("}")
      return entries
    }
    if (accept("[")) {
      const items: Array<Json> = []
      if (accept("]")) return items
      do items.push(read())
      while (accept(","))
      expect("]")
      return items
    }
    if (text[position] === '"') return readString()
    if (accept("null")) return null
    if (accept("true")) return true
    if (accept("false")) return false
    return new JsonNumber(match(numberPattern) ?? fail())
  }
  const value = read()
  skip()
  if (position < text.length) fail()
  return value
}
