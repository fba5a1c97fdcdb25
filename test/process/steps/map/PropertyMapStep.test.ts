import { describe, expect, it } from "vitest"
import { run, toy } from "../../run.ts"

describe("with(WithOptions.tokens) after valueMap()", () => {
  const tokens = (options: string, first = "'name'"): ReadonlyArray<unknown> =>
    run(toy(), `g.V(1).valueMap(${first})${options}`, {
      as: (map) => [...(map as Map<unknown, unknown>).keys()].map(String)
    })[0] as ReadonlyArray<unknown>

  it("takes a Boolean for all or none", () => {
    expect(tokens(".with(WithOptions.tokens, true)")).toEqual(tokens(".with(WithOptions.tokens)"))
    expect(tokens(".with(WithOptions.tokens, true)")).toHaveLength(3)
    expect(tokens(".with(WithOptions.tokens, false)")).toEqual(["name"])
    expect(tokens(".with(WithOptions.tokens, false)", "true, 'name'")).toEqual(["name"])
    expect(tokens(".with(WithOptions.tokens).with(WithOptions.tokens, false)")).toEqual(["name"])
  })

  it("adds to the tokens of an earlier with()", () => {
    const ids = ".with(WithOptions.tokens, WithOptions.ids)"
    const labels = ".with(WithOptions.tokens, WithOptions.labels)"
    expect(tokens(ids)).toHaveLength(2)
    expect(tokens(ids + labels)).toEqual(tokens(".with(WithOptions.tokens)"))
    expect(tokens(`${ids}.with(WithOptions.tokens, WithOptions.none)`)).toEqual(tokens(ids))
  })

  it("refuses other options", () => {
    expect(() => tokens(".with(WithOptions.tokens, 'ids')")).toThrow(
      "with() takes an integer as its WithOptions.tokens"
    )
  })
})
