import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { modernSession } from "../../../layers/support/DriverClient.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("The bytes of a text", () => {
  it("are those of a character set, as Java encodes them", () => {
    expect(shown("'aé'.bytes.toList()")).toBe("[97, -61, -87]")
    expect(shown("'a€😀'.getBytes('ISO-8859-1') as List")).toBe("[97, 63, 63]")
    expect(shown("'aé'.getBytes('UTF-16') as List")).toBe("[-2, -1, 0, 97, 0, -23]")
    expect(shown("'aé😀'.getBytes('ascii') as List")).toBe("[97, 63, 63]")
    expect(shown("import java.nio.charset.StandardCharsets; 'é'.getBytes(StandardCharsets.UTF_8).length")).toBe("2")
    expect(shown("import static java.nio.charset.StandardCharsets.UTF_8; 'é'.getBytes(UTF_8).size()")).toBe("2")
    expect(() => resultOf("'a'.getBytes('EBCDIC')")).toThrow(/scripts have the character sets UTF_8/)
  })

  it("have a question mark for half of a surrogate pair, and U+FFFD in UTF-16", () => {
    expect(shown("'\\ud800x'.bytes as List")).toBe("[63, 120]")
    expect(shown("'\\ud800'.getBytes('UTF-16') as List")).toBe("[-2, -1, -1, -3]")
    expect(shown("'\\ud800'.getBytes('UTF-16LE') as List")).toBe("[-3, -1]")
    expect(shown("''.getBytes('UTF-16').length")).toBe("0")
  })

  it("become a text again", () => {
    expect(shown("new String('aé'.bytes)")).toBe("aé")
    expect(shown("new String('aé'.bytes, 'ISO-8859-1')")).toBe("aÃ©")
    expect(shown("new String([-1, -2, 97, 0] as byte[], 'UTF-16')")).toBe("a")
    expect(shown("new String([-17, -69, -65, 97] as byte[]).length()")).toBe("2")
    expect(shown("new String('abc'.toCharArray())")).toBe("abc")
    expect(() => resultOf("new String([97, -61] as byte[])")).toThrow(/the bytes are no text in UTF-8/)
  })
})

describe("A byte[]", () => {
  it("has members, which loops and closures visit", () => {
    expect(shown("b = 'abc'.bytes; [b[1], b[-1], b.length, b.size()]")).toBe("[98, 99, 3, 3]")
    expect(shown("try { 'abc'.bytes[3] } catch (IndexOutOfBoundsException e) { e.message }")).toBe(
      "Index 3 out of bounds for length 3"
    )
    expect(shown("s = 0; for (b in 'abc'.bytes) { s += b }; s")).toBe("294")
    expect(shown("'abc'.bytes.collect { it + 1 }")).toBe("[98, 99, 100]")
    expect(() => resultOf("'abc'.bytes.groupBy { it }")).toThrow(/has no method groupBy/)
    expect(() => resultOf("b = 'abc'.bytes; b[0] = 1")).toThrow(/nothing can be assigned/)
  })

  it("is equal to its bytes by ==, and as an object to itself only", () => {
    expect(shown("b = 'ab'.bytes; [b == 'ab'.bytes, b == [97, 98], b.equals('ab'.bytes), b.equals(b)]")).toBe(
      "[true, true, false, true]"
    )
    expect(shown("[''.bytes ? 1 : 2, 'a'.bytes ? 1 : 2]")).toBe("[2, 1]")
    expect(shown("\"${'ab'.bytes} ${['ab'.bytes]}\"")).toBe("[97, 98] [[97, 98]]")
  })

  it("has digests", () => {
    expect(shown("'abc'.bytes.md5()")).toBe("900150983cd24fb0d6963f7d28e17f72")
    expect(shown("'abc'.bytes.digest('SHA-1')")).toBe("a9993e364706816aba3e25717850c26c9cd0d89d")
  })

  it("is binary data for a client", async () => {
    const asked = await modernSession()
    const [bytes] = (await asked("'aé'.bytes")) as [Uint8Array]
    expect([...bytes]).toEqual([97, 0xc3, 0xa9])
  })
})

describe("Base64 and hexadecimal digits", () => {
  it("are written by Groovy's methods as a value with a text", () => {
    expect(shown("'aé€😀'.bytes.encodeBase64().toString()")).toBe("YcOp4oKs8J+YgA==")
    expect(shown("\"${'abc'.bytes.encodeBase64()}\" + 'aé'.bytes.encodeHex()")).toBe("YWJj61c3a9")
    expect(shown("'abc'.bytes.encodeBase64() == 'YWJj'")).toBe("false")
    expect(() => resultOf("'abc'.bytes.encodeBase64().length()")).toThrow(/write toString\(\) first/)
  })

  it("are read by Groovy's methods", () => {
    expect(shown("new String('YcOp'.decodeBase64()) + new String('_-8'.decodeBase64Url(), 'latin1')")).toBe("aéÿï")
    expect(shown("['YQ='.decodeBase64(), 'Y'.decodeBase64(), 'Y Q\\n=='.decodeBase64()]*.toList()")).toBe(
      "[[97], [], [97]]"
    )
    expect(shown("try { 'YcO!p'.decodeBase64() } catch (RuntimeException e) { e.message }")).toBe(
      "bad character in base64 value"
    )
    expect(shown("'61E9'.decodeHex().toList()")).toBe("[97, -23]")
    expect(shown("try { '6g'.decodeHex() } catch (NumberFormatException e) { e.message }")).toBe(
      'For input string: "6g" under radix 16'
    )
    expect(shown("try { '61e'.decodeHex() } catch (NumberFormatException e) { e.message }")).toBe(
      "odd number of characters in hex string"
    )
  })

  it("are written by Java's encoders", () => {
    expect(shown("Base64.getEncoder().encodeToString('a?>'.bytes)")).toBe("YT8+")
    expect(shown("Base64.encoder.withoutPadding().encodeToString('ab'.bytes)")).toBe("YWI")
    expect(shown("java.util.Base64.getUrlEncoder().encodeToString('a?>ÿ'.bytes)")).toBe("YT8-w78=")
    expect(shown("new String(Base64.getEncoder().encode('ab'.bytes))")).toBe("YWI=")
    expect(() => resultOf("Base64.getEncoder().encodeToString('ab')")).toThrow(/takes a byte\[\], not String/)
  })

  it.each([
    ["'YW I='", "Illegal base64 character 20"],
    ["'_-8='", "Illegal base64 character 5f"],
    ["'€aaa'", "Illegal base64 character 3f"],
    ["'Y'", "Input byte[] should at least have 2 bytes for base64 bytes"],
    ["'YWIxY'", "Last unit does not have enough valid bits"],
    ["'YQ='", "Input byte array has wrong 4-byte ending unit"],
    ["'YWI=YWI='", "Input byte array has incorrect ending byte at 4"],
    ["'YWI=='.bytes", "Input byte array has incorrect ending byte at 4"]
  ])("are refused by Java's decoder as Java does: %s", (given, message) => {
    expect(shown(`try { Base64.getDecoder().decode(${given}) } catch (IllegalArgumentException e) { e.message }`)).toBe(
      message
    )
  })

  it("are read by Java's decoders", () => {
    expect(shown("new String(Base64.getDecoder().decode('YWI=')) + new String(Base64.decoder.decode('YWI'))")).toBe(
      "abab"
    )
    expect(shown("Base64.getUrlDecoder().decode('_-8=').toList()")).toBe("[-1, -17]")
  })
})

describe("What bytes and texts cost", () => {
  it("is bounded: a script handles at most 65,536 bytes at once", () => {
    const tooMany = /at most 65536 bytes at once/
    for (const script of [
      "('x' * 70000).bytes",
      "('41' * 70000).decodeHex()",
      "('QUJD' * 70000).decodeBase64()",
      "b = ('x' * 60000).bytes; 2.times { b = Base64.encoder.encode(b) }",
      "Base64.decoder.decode('QUJD' * 70000)"
    ]) {
      expect(() => resultOf(script), script).toThrow(tooMany)
    }
    expect(shown("b = ('x' * 65536).bytes; n = 0; for (x in b) n++; n")).toBe("65536")
  })

  // Each would take minutes if it were quadratic.
  it("is linear in the length of the text", () => {
    expect(shown("('1' * 1000000 + 'x').isDouble()")).toBe("false")
    expect(shown("('1' * 2000 + 'x').isBigDecimal()")).toBe("false")
    expect(shown("('a' * 1000000).containsIgnoreCase('B' + 'a' * 500000)")).toBe("false")
    expect(shown("('a' * 1000000 - ('b' + 'a' * 500000)).length()")).toBe("1000000")
    expect(shown("new BigDecimal('1' + '0' * 900).stripTrailingZeros().scale()")).toBe("-900")
  })
})
