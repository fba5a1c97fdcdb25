import { createPrivateKey, X509Certificate } from "node:crypto"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { isJks, readJks } from "../../../src/layers/keys/Jks.ts"

/**
 * A store that keytool of Java 17 made (-storetype JKS, password "changeit"): the certificate of an authority, and a key of an
 * elliptic curve with its certificate. Both are valid until 2126.
 */
const store = Buffer.from(
  [
    "/u3+7QAAAAIAAAACAAAAAgAJYXV0aG9yaXR5AAABoiOEXpEABVguNTA5AAABRTCCAUEwgeigAwIBAgIJAOHtZwFURTNvMAoGCCqGSM49BAMCMBQxEjAQBgNV",
    "BAMTCWF1dGhvcml0eTAgFw0yNjExMjgxODU2NDVaGA8yMTI2MTEwNDE4NTY0NVowFDESMBAGA1UEAxMJYXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0D",
    "AQcDQgAEfwARKLVBto84sxtqHPfAD7qnWZb12ogqtGDiEg3a2l92OD1mZqTcW3E1YEpkvCkBU+Ar6hlqE/QR0bMJKP1hVaMhMB8wHQYDVR0OBBYEFJ0TJoQt",
    "1CTi9FaduJ/1QOWhDi2vMAoGCCqGSM49BAMCA0gAMEUCIFk1ehp9SE/l7oJCbnAREQftV34zgCbChyO+AA9m2fAsAiEA4pmWKbG6ghmrnqFQEf/iQH5lVoFW",
    "g8QXY0jalu/vwlIAAAABAAZzZXJ2ZXIAAAGiI4RVewAAAH8wfTAOBgorBgEEASoCEQEBBQAEa3dkQQZio/x0C70XgfyuRH48ZUlvaqOUtuArFrxsJDZPpb1g",
    "a5yAZlles1GIXZUaT9aN1a0LRjD5XMTVNfcom2E7HiIpNjPkc9Cbl2Cvmy5rEkaKjYNEPhj1BBCVBTsRVHEqHWYUqgZuRSE8AAAAAQAFWC41MDkAAAFEMIIB",
    "QDCB6KADAgECAgkAmBP9l/+mu4UwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJbG9jYWxob3N0MCAXDTI2MTEyODE4NTY0NFoYDzIxMjYxMTA0MTg1NjQ0WjAU",
    "MRIwEAYDVQQDEwlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR0OK+dBXywqaSdgRWz5KOJgpvyEB+RxTLCEAm/MSnQYVdA5HUdDv9axa4I",
    "dOHEux8gm3y3m5eIQTB2nCA90FWzoyEwHzAdBgNVHQ4EFgQUlPDwRcortl+dZRQ6WIU1H6E4RcIwCgYIKoZIzj0EAwIDRwAwRAIgMyO3StadD8GPpZipOG7f",
    "VI+PWtE36SSZ1PJSu5c399gCICDAkMUQwgZLC7pq2YRW0zF9zGWeR7vhXRBKyEm7wWINBmbL1MqwKVM5PXRRWTENV+a1644="
  ].join(""),
  "base64"
)

const SERVER = "2D:B0:B2:CF:1B:3A:6B:D3:E9:4B:E1:C3:5D:6A:E3:6B:B2:CA:FB:22:BF:B2:1F:49:77:54:92:72:8E:FA:2F:07"
const AUTHORITY = "CF:0D:F8:8E:B1:0A:DD:FC:61:18:BA:E7:CF:40:FB:09:60:59:05:67:DE:86:4E:1C:83:F1:0E:A9:C9:70:4A:8D"

describe("A store in the format JKS", () => {
  it("gives its key, the certificate of the key, and the trusted certificates, in this order", () => {
    expect(isJks(store)).toBe(true)
    const { certificates, key } = readJks(store, "changeit")
    const read = certificates.map((certificate) => new X509Certificate(certificate))
    expect(read.map(({ fingerprint256 }) => fingerprint256)).toEqual([SERVER, AUTHORITY])
    expect(read[0]!.checkPrivateKey(createPrivateKey(key!))).toBe(true)
  })

  it("is refused with a wrong password", () => {
    for (const wrong of ["", "changeIt", "changeit "])
      expect(() => readJks(store, wrong)).toThrow("the password is wrong")
  })

  it("is refused when a byte of it differs, or it is cut", () => {
    const at = fc.nat(store.length - 1)
    fc.assert(
      fc.property(at, fc.integer({ min: 1, max: 255 }), (position, difference) => {
        const damaged = Buffer.from(store)
        damaged[position]! ^= difference
        expect(() => readJks(damaged, "changeit")).toThrow(RangeError)
      })
    )
    fc.assert(
      fc.property(at, (length) => {
        expect(() => readJks(store.subarray(0, length), "changeit")).toThrow(RangeError)
      })
    )
  })
})
