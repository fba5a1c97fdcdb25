import { expect, it } from "vitest"
import { results, toy } from "../../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

it("math() fails at an object that is no number before it reads the later variables", () => {
  const noNumber = "The variable a for math() step must resolve to a Number"
  expect(() => given("g.V().project('a', 'b').math('a ^ b').by().by(__.select('c'))")).toThrow(noNumber)
  expect(() => given("g.V(1).as('a').out().as('b').math('a + b').by('name').by('nokey')")).toThrow(noNumber)
  expect(given("g.V(1).as('a').out().as('b').math('a + b').by('nokey').by('name')")).toEqual([])
  expect(given("g.V(1).as('a').out().as('b').math('a + b').by('age').by('age')")).toEqual(["56.0", "61.0"])
})
