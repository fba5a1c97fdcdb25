import { assert, describe, it } from "@effect/vitest"
import { parseProperties } from "../../../src/layers/config/PropertiesFile.ts"

const pairs = (text: string) => parseProperties(text).map(({ key, value }) => [key, value])

describe("A properties file", () => {
  it("separates key and value by =, : or a space, with blanks around them", () => {
    const expected = [
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
      ["d", ""]
    ]
    assert.deepStrictEqual(pairs("a=1\n  b : 2\nc 3\nd\n"), expected)
  })

  it("ignores comments and empty lines, and keeps line numbers", () => {
    const parsed = parseProperties("# one\n! two\n\n  x = y # not a comment\n")
    assert.deepStrictEqual(parsed, [{ key: "x", value: "y # not a comment", line: 4 }])
  })

  it("joins lines that end with one backslash, but not with two", () => {
    const expected = [
      ["a", "1,2,3"],
      ["b", "c\\"],
      ["d", "e"]
    ]
    assert.deepStrictEqual(pairs("a=1,\\\n   2,\\\n\t3\nb=c\\\\\nd=e"), expected)
  })

  it("decodes Java's escapes", () => {
    const expected = [
      ["a:b=c d", "\t€"],
      ["p", "C:\\x"]
    ]
    assert.deepStrictEqual(pairs("a\\:b\\=c\\ d=\\t\\u20ac\np=C:\\\\x"), expected)
  })

  it("keeps repeated keys in order, and accepts Windows line ends and a byte order mark", () => {
    const expected = [
      ["s", "1"],
      ["s", "2"]
    ]
    assert.deepStrictEqual(pairs("\uFEFFs=1\r\ns=2\r\n"), expected)
  })
})
