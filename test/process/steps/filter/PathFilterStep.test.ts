import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { results, run, toy } from "../../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

it("simplePath() and cyclicPath() take NaN as equal to itself, as Java's equals() does", () => {
  expect(given("g.inject(NaN).constant(NaN).cyclicPath()")).toEqual(["NaN"])
  expect(given("g.inject(NaN).constant(NaN).simplePath()")).toEqual([])
  expect(given("g.inject(NaN).constant(1.0d).cyclicPath()")).toEqual([])
  const part = "as('a').constant(1).constant(NaN).as('c').cyclicPath().from('a').to('c')"
  expect(given(`g.inject(NaN).${part}`)).toEqual(["NaN"])
})

describe("A path of thousands of objects", () => {
  const long = "g.inject(0i).repeat(__.math('_ + 1')).times(3000)"

  it("is simple or cyclic", () => {
    expect(run(toy(), `${long}.simplePath().count()`)).toEqual([1n])
    expect(run(toy(), `${long}.cyclicPath().count()`)).toEqual([0n])
    expect(run(toy(), `${long}.constant(7.0d).cyclicPath().count()`)).toEqual([1n])
    expect(run(toy(), `${long}.constant(7.0d).simplePath().count()`)).toEqual([0n])
  })

  it("is simple or cyclic between two labels, and by its modulated objects", () => {
    const part = "g.inject(7).as('a').repeat(__.math('_ + 1')).times(2000).as('b').constant(9.0d)"
    expect(run(toy(), `${part}.simplePath().from('a').to('b').count()`)).toEqual([1n])
    expect(run(toy(), `${part}.cyclicPath().from('a').count()`)).toEqual([1n])
    expect(run(toy(), `${part}.cyclicPath().by(__.constant(1)).count()`)).toEqual([1n])
  })

  it("becomes a value, also by modulators", () => {
    expect(run(toy(), `${long}.path().count(local)`)).toEqual([3001n])
    expect(run(toy(), `${long}.path().by(__.math('_ * 2')).unfold().sum()`, { as: text })).toEqual(["9003000.0"])
  })
})
