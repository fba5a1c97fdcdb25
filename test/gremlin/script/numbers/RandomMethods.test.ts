import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

it("A Random has the normally distributed numbers of Java", () => {
  expect(shown("r = new Random(42); [r.nextGaussian(), r.nextGaussian(), r.nextGaussian(), r.nextInt()]")).toBe(
    "[1.1419053154730547, 0.9194079489827879, -0.9498666368908959, -1436456258]"
  )
  expect(shown("r = new Random(7); (1..400).collect { r.nextGaussian() }.join(',').md5()")).toBe(
    "356a902daf5ec71cb60fee5522437800"
  )
})

it("setSeed() of a Random begins its numbers again", () => {
  expect(shown("r = new Random(1); r.nextGaussian(); r.setSeed(42); [r.nextGaussian(), r.nextInt()]")).toBe(
    "[1.1419053154730547, 1325939940]"
  )
})
