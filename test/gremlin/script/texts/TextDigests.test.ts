import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const shown = (script: string): string => text(resultOf(script))

it("A string has the digests of Groovy", () => {
  expect(shown("'x'.md5()")).toBe("9dd4e461268c8034f5c8564e155c67a6")
  expect(shown("\"${'x'}\".md5()")).toBe("9dd4e461268c8034f5c8564e155c67a6")
  expect(shown("'x'.sha256()")).toBe("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")
  expect(shown("'x'.digest('SHA-1')")).toBe("11f6ad8ec52a2984abaafd7c3b516503785c2072")
  expect(shown("'x'.digest('sha-256') == 'x'.sha256()")).toBe("true")
})

it("The half of a character in a string is a question mark in its digest, as in Java", () => {
  expect(shown("'\\ud83d'.md5() == '?'.md5()")).toBe("true")
  expect(shown("'a\\ude00b'.md5() == 'a?b'.md5()")).toBe("true")
  expect(shown("'\\ud83d\\ude00'.md5() == '?'.md5()")).toBe("false")
})
