import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { readAuthorization, readSaslPlain } from "../../../src/layers/trust/Proofs.ts"
import { InvalidRequestArguments } from "../../../src/services/Errors.ts"

const name = FastCheck.fullUnicodeString({ minLength: 1 }).filter((text) => !/[:\0]/.test(text))
const password = FastCheck.fullUnicodeString()

describe("An Authorization header", () => {
  it("gives name and password, whatever they contain and however they are encoded", () => {
    FastCheck.assert(
      FastCheck.property(name, password, FastCheck.constantFrom("Basic", "basic", "BASIC"), (user, secret, scheme) => {
        const bytes = Buffer.from(`${user}:${secret}`)
        for (const text of [bytes.toString("base64"), bytes.toString("base64url")]) {
          const proof = readAuthorization(`${scheme} ${text}`)
          expect(proof).toEqual({ scheme: "basic", given: { name: user, password: secret } })
        }
      })
    )
  })

  it("may be in Latin-1, which older clients send", () => {
    const header = `Basic ${Buffer.from("jürgen:geheimnisträger", "latin1").toString("base64")}`
    expect(readAuthorization(header)).toEqual({
      scheme: "basic",
      given: { name: "jürgen", password: "geheimnisträger" }
    })
  })

  it("gives nothing when it is missing, empty or malformed", () => {
    expect(readAuthorization(undefined)).toEqual({ scheme: "none" })
    for (const header of ["", "Basic", "Bearer abc", "Digest x y"]) {
      expect(readAuthorization(header)).toEqual({ scheme: "other" })
    }
    for (const given of ["!!!", "bm9jb2xvbg==", "OnBhc3M="]) {
      expect(readAuthorization(`Basic ${given}`)).toEqual({ scheme: "basic", given: null })
    }
    expect(readAuthorization("Token abc")).toEqual({ scheme: "token", token: "abc" })
  })
})

describe("A SASL PLAIN response", () => {
  const plain = FastCheck.fullUnicodeString().filter((text) => !text.includes("\0"))

  it("gives name and password as text, as Base64 of either alphabet, and as bytes", () => {
    FastCheck.assert(
      FastCheck.property(
        plain,
        plain.filter((text) => text !== ""),
        plain,
        (authorize, user, secret) => {
          const text = `${authorize}\0${user}\0${secret}`
          const bytes = Buffer.from(text)
          for (const response of [text, bytes, bytes.toString("base64"), bytes.toString("base64url")]) {
            expect(readSaslPlain(response)).toEqual({ name: user, password: secret })
          }
        }
      )
    )
  })

  it("is not read when it is too long", () => {
    expect(readSaslPlain(`\0${"n".repeat(9_000)}\0secret`)).toBe(null)
    expect(readSaslPlain(Buffer.alloc(1_000_000))).toBe(null)
  })

  it("is refused without a name or with other parts; invalid Base64 has its own error", () => {
    for (const text of ["", "\0", "a\0b", "\0\0secret", "a\0b\0c\0d"]) {
      expect(readSaslPlain(Buffer.from(text).toString("base64"))).toBe(null)
    }
    expect(() => readSaslPlain("not base64!")).toThrow(InvalidRequestArguments)
  })
})
