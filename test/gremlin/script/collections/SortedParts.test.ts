import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

const MAP = "m = new TreeMap([a: 1, c: 3, e: 5]);"
const SET = "s = new TreeSet([1, 3, 5]);"

describe("A sorted map", () => {
  it("has the entries near a key", () => {
    expect(shown(`${MAP} [m.floorEntry('b'), m.ceilingEntry('b'), m.lowerEntry('a'), m.higherEntry('e')]`)).toBe(
      "[a=1, c=3, null, null]"
    )
  })

  it("has parts, whose ends belong to them as in Java", () => {
    expect(shown(`${MAP} [m.headMap('c'), m.tailMap('c'), m.subMap('a', 'c')]`)).toBe("[{a=1}, {c=3, e=5}, {a=1}]")
    expect(shown(`${MAP} [m.headMap('c', true), m.tailMap('c', false), m.subMap('a', false, 'e', true)]`)).toBe(
      "[{a=1, c=3}, {e=5}, {c=3, e=5}]"
    )
    expect(shown(`${MAP} [m.descendingMap(), m.descendingKeySet(), m.navigableKeySet(), m.subMap(['a'])]`)).toBe(
      "[{e=5, c=3, a=1}, [e, c, a], [a, c, e], {a=1}]"
    )
    const reverse = "m = new TreeMap(Comparator.reverseOrder()); m.putAll([a: 1, c: 3, e: 5]);"
    expect(shown(`${reverse} [m.headMap('c'), m.tailMap('c'), m.floorEntry('d')]`)).toBe("[{e=5}, {c=3, a=1}, e=5]")
  })

  it("refuses what Java refuses, and changes of its parts", () => {
    expect(shown(`${MAP} try { m.subMap('e', 'a') } catch (IllegalArgumentException e) { e.message }`)).toBe(
      "fromKey > toKey"
    )
    expect(() => resultOf(`${MAP} m.headMap(1)`)).toThrow(/cannot be cast to class Integer/)
    expect(() => resultOf(`${MAP} m.headMap('c').put('b', 2)`)).toThrow(/headMap\(\) cannot be changed/)
    expect(() => resultOf(`${MAP} m.descendingKeySet().remove('a')`)).toThrow(/descendingKeySet\(\) cannot be changed/)
  })
})

describe("A sorted set", () => {
  it("has parts, and an iterator from its end", () => {
    expect(shown(`${SET} [s.headSet(3), s.tailSet(3), s.subSet(1, 3), s.headSet(3, true), s.tailSet(3, false)]`)).toBe(
      "[[1], [3, 5], [1], [1, 3], [5]]"
    )
    expect(shown(`${SET} [s.subSet(1, false, 5, true), s.descendingSet(), s.descendingIterator().toList()]`)).toBe(
      "[[3, 5], [5, 3, 1], [5, 3, 1]]"
    )
    expect(() => resultOf(`${SET} s.headSet(3).add(2)`)).toThrow(/headSet\(\) cannot be changed/)
    expect(shown("try { new TreeSet().headSet(null) } catch (NullPointerException e) { 'null' }")).toBe("null")
  })
})
