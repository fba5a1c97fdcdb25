import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

it("A UUID has its halves and its version", () => {
  const uuid = "u = UUID.fromString('123e4567-e89b-12d3-a456-426614174000')"
  expect(text(resultOf(`${uuid}; [u.getMostSignificantBits(), u.getLeastSignificantBits(), u.version()]`))).toBe(
    "[1314564453825188563, -6605018797301088256, 1]"
  )
  expect(resultOf(`${uuid}; new UUID(u.getMostSignificantBits(), u.getLeastSignificantBits()) == u`)).toBe(true)
})
