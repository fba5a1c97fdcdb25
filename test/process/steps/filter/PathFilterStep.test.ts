import { expect, it } from "vitest"
import { results, toy } from "../../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

it("simplePath() and cyclicPath() take NaN as equal to itself, as Java's equals() does", () => {
  expect(given("g.inject(NaN).constant(NaN).cyclicPath()")).toEqual(["NaN"])
  expect(given("g.inject(NaN).constant(NaN).simplePath()")).toEqual([])
  expect(given("g.inject(NaN).constant(1.0d).cyclicPath()")).toEqual([])
  const part = "as('a').constant(1).constant(NaN).as('c').cyclicPath().from('a').to('c')"
  expect(given(`g.inject(NaN).${part}`)).toEqual(["NaN"])
})
