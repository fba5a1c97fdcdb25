import { createHmac } from "node:crypto"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { decodeBase64, parseToken, Tokens } from "../../../src/layers/trust/Tokens.ts"
import type { UserRecord } from "../../../src/services/Credentials.ts"
import { janusGraph } from "../support/JanusGraphTokens.ts"

const hash = "$2a$04$ZHmbKZnTzzwpmyyF8iHpZuRYd5nVZ7JbKyhJbFPx1M3uBbSPXqPbG"
const record = (name: string, other: Partial<UserRecord> = {}): UserRecord => ({
  name,
  hash,
  role: undefined,
  graphRoles: new Map(),
  ...other
})
const tokens = (secret = "secret", timeout = 3_600_000) => new Tokens({ secret, algorithm: "HmacSHA256", timeout })

describe("A token", () => {
  it("has JanusGraph's layout, byte for byte", () => {
    // Base64 (URL-safe, padded) of name:millis:MAC; the key is the secret, a colon, and the salt of the hash.
    const mac = createHmac("sha256", "secret:ZHmbKZnTzzwpmyyF8iHpZu").update("stephen1700000000000").digest("base64")
    const urlSafe = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_")
    const expected = urlSafe(Buffer.from(`stephen:1700000000000:${urlSafe(mac)}`).toString("base64"))
    expect(expected).toBe("c3RlcGhlbjoxNzAwMDAwMDAwMDAwOndGWVI2dVoyUV95SE9qUEZoTjZZRWdlb2c2LUU3LTUzM0tYX183ZXVQdTg9")
    expect(tokens().make(record("stephen"), 1_700_000_000_000)).toBe(expected)
  })

  it("equals, byte for byte, that of JanusGraph Server 1.1.0 for the same secret, hash and time", () => {
    for (const [name, { text, time }] of Object.entries(janusGraph.tokens)) {
      const user = record(name, { hash: janusGraph.hash })
      expect(tokens(janusGraph.secret).make(user, time)).toBe(text)
      expect(parseToken(text)).toMatchObject({ name, time })
      expect(tokens(janusGraph.secret).isGenuine(parseToken(text)!, user)).toBe(true)
    }
  })

  it("is genuine only with the same secret and hash, in both alphabets, with and without padding", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ minLength: 1 }), FastCheck.nat(), (name, time) => {
        const text = tokens().make(record(name), time)
        for (const form of [text, text.replace(/=+$/, ""), text.replaceAll("-", "+").replaceAll("_", "/")]) {
          const token = parseToken(form)
          if (token === null) return false
          if (token.name !== name || token.time !== time) return false
          if (!tokens().isGenuine(token, record(name))) return false
          if (tokens("other").isGenuine(token, record(name))) return false
          if (tokens().isGenuine(token, record(name, { hash: hash.replace("ZHmb", "YHmb") }))) return false
          if (tokens().isGenuine(token, null)) return false
          if (tokens().isGenuine({ ...token, time: time + 1 }, record(name))) return false
          if (tokens().isGenuine({ ...token, mac: token.mac.subarray(1) }, record(name))) return false
        }
        return true
      })
    )
  })

  it("is signed with the algorithm of the settings, and is not genuine with another", () => {
    const digests = { HmacSHA256: "sha256", HmacSHA384: "sha384", HmacSHA512: "sha512" } as const
    const made = Object.entries(digests).map(([algorithm, digest]) => {
      const signing = new Tokens({ secret: "s", algorithm: algorithm as keyof typeof digests, timeout: 1 })
      const token = parseToken(signing.make(record("marko"), 17))!
      const key = `s:${hash.slice(7, 29)}`
      expect(token.mac).toEqual(createHmac(digest, key).update("marko17").digest())
      return { signing, token }
    })
    for (const { signing } of made) {
      for (const { signing: other, token } of made) {
        expect(signing.isGenuine(token, record("marko"))).toBe(signing === other)
      }
    }
  })

  it("is valid for tokenTimeout, and no longer", () => {
    const token = parseToken(tokens().make(record("a"), 1_000))!
    expect(tokens("secret", 500).isExpired(token, 1_500)).toBe(false)
    expect(tokens("secret", 500).isExpired(token, 1_501)).toBe(true)
  })

  it("is not read from malformed text", () => {
    const encoded = (text: string) => Buffer.from(text).toString("base64url")
    for (const text of ["", "é", "!!", "a:1:b", encoded("a:1"), encoded(":1:b"), encoded("a:x:b"), encoded("a:1:{}")]) {
      expect([text, parseToken(text)]).toEqual([text, null])
    }
    expect(parseToken("A".repeat(100_000))).toBe(null)
  })
})

describe("Base64", () => {
  it("is read in all forms that encoders write", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array(), (bytes) => {
        const buffer = Buffer.from(bytes)
        return [buffer.toString("base64"), buffer.toString("base64url")].every((text) =>
          decodeBase64(text)?.equals(buffer)
        )
      })
    )
  })

  it("is refused with an incomplete group or wrong padding", () => {
    for (const text of ["a b", "a", "abcde", "abc==", "ab=", "abcd=", "=", "==", "a=b=", "ab==\n"]) {
      expect([text, decodeBase64(text)]).toEqual([text, undefined])
    }
    for (const text of ["", "ab", "ab==", "abc", "abc=", "abcd"]) expect(decodeBase64(text)).toBeInstanceOf(Buffer)
  })
})
