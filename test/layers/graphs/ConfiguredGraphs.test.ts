import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { modern, startServer } from "../support/TestServers.ts"

/** A server whose source `typed` has an expression. */
const started = (expression: string) =>
  startServer({
    ...modern,
    traversalSources: [
      { name: "g", graph: "graph", expression: undefined },
      { name: "typed", graph: "graph", expression }
    ]
  })

describe("The expression of a traversal source", () => {
  it("has constants without a class", async () => {
    const { authority } = await started("g.withSideEffect('t', [INT, first, LIST])")
    expect((await post(authority, "typed.inject(1).cap('t')")).json.result.data).toEqual([["INT", "first", "list"]])
  })

  it("is refused with a name that is no constant, and with a value that is calculated", async () => {
    await expect(started("g.withSideEffect('t', nothing)")).rejects.toThrow("there is no variable or constant nothing")
    await expect(started("g.withSideEffect('t', 1 + 1)")).rejects.toThrow("its values are written out, not calculated")
  })
})
