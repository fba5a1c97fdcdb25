import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { ArrivedParts } from "../../../../src/layers/transport/shared/ArrivedParts.ts"

describe("A message that arrived in parts", () => {
  it("is joined in slices without a change", () => {
    for (const sizes of [[], [5], [0, 3, 0], [700_000, 1, 262_144, 262_145, 40, 1_000_000]]) {
      const parts = sizes.map((size) => randomBytes(size))
      const whole = Buffer.concat(parts)
      const arrived = new ArrivedParts([...parts], whole.length)
      let slices = 0
      let joined: Buffer | null = null
      for (; joined === null; slices++) joined = arrived.join(() => true)
      expect(joined.equals(whole)).toBe(true)
      expect(arrived.join(() => true)).toBe(joined)
      if (whole.length > 1_000_000) expect(slices).toBeGreaterThan(5)
    }
  })
})
