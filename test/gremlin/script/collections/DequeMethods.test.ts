import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("A deque", () => {
  it("gets and loses members at both ends", () => {
    const deque = "d = new ArrayDeque([1, 2]);"
    expect(shown(`${deque} [d.offerFirst(0), d.offerLast(3), d.element(), d.descendingIterator().toList(), d]`)).toBe(
      "[true, true, 0, [3, 2, 1, 0], [0, 1, 2, 3]]"
    )
    expect(shown("d = new ArrayDeque([1, 2, 1]); [d.removeLastOccurrence(1), d.removeFirstOccurrence(9), d]")).toBe(
      "[true, false, [1, 2]]"
    )
    expect(shown("d = new LinkedList([1, 2, 1]); d.removeFirstOccurrence(1); d")).toBe("[2, 1]")
    expect(shown("try { new ArrayDeque().element() } catch (NoSuchElementException e) { 'none' }")).toBe("none")
    expect(() => resultOf("List.of(1).offerLast(2)")).toThrow(/cannot be changed/)
  })
})

describe("A list", () => {
  it("is shuffled as Java does with a seed", () => {
    expect(shown("[1, 2, 3].shuffled(new Random(1))")).toBe("[2, 3, 1]")
    expect(shown("l = [1, 2, 3]; l.shuffle(new Random(1)); l")).toBe("[2, 3, 1]")
    expect(shown("l = [1, 2, 3, 4, 5, 6, 7]; Collections.shuffle(l, new Random(7)); l")).toBe("[6, 7, 2, 5, 1, 3, 4]")
    expect(shown("l = [1, 2, 3]; Collections.shuffle(l); l.sort()")).toBe("[1, 2, 3]")
    expect(() => resultOf("List.of(1, 2).shuffle()")).toThrow(/cannot be changed/)
    expect(() => resultOf("[1].shuffle(7)")).toThrow(/takes a Random/)
  })

  it("gets several members by Collections.addAll()", () => {
    expect(shown("l = []; [Collections.addAll(l, 1, 2), l, Collections.addAll([], [1, 2] as Object[])]")).toBe(
      "[true, [1, 2], true]"
    )
    expect(shown("s = [1] as Set; [Collections.addAll(s, 1), s, s.toArray().length]")).toBe("[false, [1], 1]")
    expect(() => resultOf("Collections.addAll(List.of(1), 2)")).toThrow(/cannot be changed/)
  })
})

describe("A value", () => {
  it("has isCase() and asType(), as `in` and `as`", () => {
    expect(shown("[[1, 2].isCase(1), (1..3).isCase(4), 'a'.isCase('a'), 5.isCase(5)]")).toBe(
      "[true, false, true, true]"
    )
    expect(shown("['1'.asType(Integer) + 1, [1, 1].asType(Set), 1.asType(String) + 1]")).toBe("[2, [1], 11]")
    expect(() => resultOf("1.asType('String')")).toThrow(/a class such as String was expected/)
  })

  it("can be an entry of no map", () => {
    expect(shown("e = Map.entry('a', 1); [e.key, e.value, e]")).toBe("[a, 1, a=1]")
    expect(shown("try { Map.entry('a', null) } catch (NullPointerException e) { 'null' }")).toBe("null")
  })
})
