import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { canonicalUuid, uuidOfBytes, writeUuid } from "../../src/protocol/Uuid.ts"

const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"

describe("The id of a request", () => {
  it("becomes canonical from every notation that Java accepts", () => {
    expect(canonicalUuid("1-1-1-1-1")).toBe("00000001-0001-0001-0001-000000000001")
    expect(canonicalUuid(id.toUpperCase())).toBe(id)
    for (const text of ["", "nope", `${id}0`, "1-1-1-1", `{${id}}`, "g-1-1-1-1"])
      expect(canonicalUuid(text)).toBeUndefined()
  })
  it("is the same as text and as bytes", () => {
    fc.assert(
      fc.property(fc.uuid(), (text) => {
        const bytes = new Uint8Array(20)
        writeUuid(text, bytes, 3)
        expect(uuidOfBytes(bytes, 3)).toBe(text)
        expect(Buffer.from(bytes.subarray(3, 19)).toString("hex")).toBe(text.replaceAll("-", ""))
      })
    )
  })
})
