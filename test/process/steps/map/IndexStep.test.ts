import { expect, it } from "vitest"
import { results, run, toy } from "../../run.ts"

it("index() makes lists or maps, and refuses any other indexer", () => {
  expect(results(toy(), "g.inject(['a', 'b']).index().with(WithOptions.indexer, WithOptions.list)")).toEqual([
    "[[a, 0], [b, 1]]"
  ])
  expect(results(toy(), "g.inject(['a', 'b']).index().with(WithOptions.indexer, WithOptions.map)")).toEqual([
    "{0=a, 1=b}"
  ])
  for (const indexer of [-1, 2, 5]) {
    expect(() => run(toy(), `g.inject(['a']).index().with(WithOptions.indexer, ${indexer})`)).toThrow(
      `WithOptions.indexer takes WithOptions.list (0) or WithOptions.map (1), but was given ${indexer}`
    )
  }
})
