import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

it("A closure gives an atomic number its next value", () => {
  expect(shown("a = new AtomicInteger(1); [a.updateAndGet { it + 2 }, a.get()]")).toBe("[3, 3]")
  expect(shown("a = new AtomicInteger(1); [a.getAndUpdate { it + 2 }, a.get()]")).toBe("[1, 3]")
  expect(shown("a = new AtomicInteger(1); a.accumulateAndGet(4) { x, y -> x * 10 + y }")).toBe("14")
  expect(shown("a = new AtomicLong(1); [a.getAndAccumulate(4) { x, y -> x * 10 + y }, a.get()]")).toBe("[1, 14]")
})

it("The closure of an atomic number gives a value of its class", () => {
  expect(() => resultOf("new AtomicInteger(1).updateAndGet { 3L }")).toThrow(/AtomicInteger holds Integer/)
  expect(() => resultOf("new AtomicLong(1).updateAndGet { 3 }")).toThrow(/AtomicLong holds Long/)
  expect(() => resultOf("new AtomicInteger(1).updateAndGet { null }")).toThrow(/AtomicInteger cannot hold null/)
})

it("compareAndSet() of an atomic number compares first", () => {
  expect(shown("a = new AtomicInteger(1); [a.compareAndSet(1, 5), a.compareAndSet(1, 6), a.get()]")).toBe(
    "[true, false, 5]"
  )
  expect(shown("new AtomicInteger(3).doubleValue()")).toBe("3.0")
})
