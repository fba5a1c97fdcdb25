import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { modernSession } from "../../../layers/support/DriverClient.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("A comparator", () => {
  it("is a closure of two parameters", () => {
    expect(shown("[3, 1, 2].sort({ a, b -> b <=> a } as Comparator)")).toBe("[3, 2, 1]")
    expect(shown("l = [3, 1, 2]; Collections.sort(l, { a, b -> b <=> a } as Comparator); l")).toBe("[3, 2, 1]")
    expect(shown("Comparator<Integer> c = { a, b -> a <=> b }; c.compare(1, 2)")).toBe("-1")
    expect(() => resultOf("[3, 1].sort({ it } as Comparator)")).toThrow(/a Comparator is a closure of two parameters/)
    expect(() => resultOf("1 as Comparator")).toThrow(/Integer cannot be converted to Comparator/)
  })

  it("has the natural order of values, or its reverse", () => {
    expect(shown("[3, 1, 2].sort(Comparator.naturalOrder())")).toBe("[1, 2, 3]")
    expect(shown("l = ['b', 'c', 'a']; l.sort(Comparator.reverseOrder()); l")).toBe("[c, b, a]")
    expect(shown("l = [3, 1, 2]; Collections.sort(l, Collections.reverseOrder()); l")).toBe("[3, 2, 1]")
    expect(shown("[3, 1, 2].max(Comparator.naturalOrder().reversed())")).toBe("1")
    expect(shown("[3, 1, 2].stream().sorted(Comparator.reverseOrder()).collect(Collectors.toList())")).toBe("[3, 2, 1]")
    expect(shown("[1, 3, 2].sort(Collections.reverseOrder({ a, b -> a <=> b }))")).toBe("[3, 2, 1]")
  })

  it("fails for values that Java cannot compare", () => {
    expect(() => resultOf("[1, 'a'].sort(Comparator.naturalOrder())")).toThrow(/Integer cannot be cast to class String/)
    expect(shown("try { [1, null].sort(Comparator.naturalOrder()) } catch (NullPointerException e) { 'null' }")).toBe(
      "null"
    )
  })

  it("compares by keys, and then by others", () => {
    const people = "[[n: 'b', a: 1], [n: 'a', a: 2], [n: 'a', a: 1]]"
    expect(shown(`${people}.sort(Comparator.comparing { it.n }).collect { it.n + it.a }`)).toBe("[a2, a1, b1]")
    const then = "Comparator.comparing({ it.n }).thenComparing({ it.a })"
    expect(shown(`${people}.sort(${then}).collect { it.n + it.a }`)).toBe("[a1, a2, b1]")
    const byInt = "Comparator.comparingInt({ it.a }).thenComparing(Comparator.comparing({ it.n }).reversed())"
    expect(shown(`${people}.sort(${byInt}).collect { it.n + it.a }`)).toBe("[b1, a1, a2]")
    const ordered = "Comparator.comparing({ it.n }, Comparator.reverseOrder())"
    expect(shown(`${people}.sort(${ordered}).collect { it.n + it.a }`)).toBe("[b1, a2, a1]")
    expect(() => resultOf("Comparator.comparing { a, b -> 1 }")).toThrow(/takes a closure of one parameter/)
  })

  it("compares keys as the numbers that its name says", () => {
    expect(shown("[2L, 1].sort(Comparator.comparingLong({ it }))")).toBe("[1, 2]")
    expect(shown("[2.5d, 1].sort(Comparator.comparingDouble({ it }))")).toBe("[1, 2.5]")
    expect(shown("[2L, 1].sort(Comparator.comparing({ 1 }).thenComparingInt({ it }))")).toBe("[1, 2]")
    expect(() => resultOf("['a', 'b'].sort(Comparator.comparingInt({ it }))")).toThrow(/needs numbers, not String/)
  })

  it("has Java's order of zeros", () => {
    expect(shown("[0.0d, -0.0d].sort(Comparator.naturalOrder())")).toBe("[-0.0, 0.0]")
  })

  it("puts nulls first or last", () => {
    expect(shown("[3, null, 2].sort(Comparator.nullsLast(Comparator.naturalOrder()))")).toBe("[2, 3, null]")
    expect(shown("[3, null, 2].sort(Comparator.nullsFirst(Comparator.reverseOrder()))")).toBe("[null, 3, 2]")
  })

  it("orders the keys of a sorted map and the members of a sorted set", () => {
    expect(shown("m = new TreeMap(Comparator.reverseOrder()); m[1] = 2; m[3] = 4; m.keySet() as List")).toBe("[3, 1]")
    expect(shown("s = new TreeSet(Collections.reverseOrder()); s.addAll([1, 3, 2]); s.first()")).toBe("3")
    expect(shown("new TreeSet(Comparator.naturalOrder().reversed()).size()")).toBe("0")
    expect(() => resultOf("new TreeMap({ a, b -> b <=> a } as Comparator)")).toThrow(
      /natural order, or that of Comparator.reverseOrder\(\)/
    )
  })

  it("orders the results of a traversal", async () => {
    const asked = await modernSession()
    expect(await asked("g.inject(3, 1, 2).order().by({ a, b -> b <=> a } as Comparator)")).toEqual([3, 2, 1])
    expect(await asked("g.inject(3, 1, 2).order().by(Comparator.reverseOrder())")).toEqual([3, 2, 1])
    expect(await asked("c = Collections.reverseOrder(); g.inject(3, 1, 2).order().by(c)")).toEqual([3, 2, 1])
  })
})

describe("A closure", () => {
  it("is a value of Java's interfaces with one method", async () => {
    expect(shown("Function<Integer, Integer> f = { it + 1 }; f.apply(2)")).toBe("3")
    expect(shown("import java.util.function.*; p = { it > 1 } as Predicate<Integer>; p.test(2)")).toBe("true")
    expect(shown("r = { 7 } as Runnable; r.run()")).toBe("7")
    expect(shown("s = { 7 } as Supplier; s.get()")).toBe("7")
    // A Consumer would call both with the same value, and a Function the second with the result of the first.
    expect(() => resultOf("f = { it + 1 } as Function; f.andThen({ it * 2 }).apply(3)")).toThrow(/no method andThen/)
    const asked = await modernSession()
    expect(await asked("g.inject(1, 2).map({ it.get() + 1 } as Function)")).toEqual([2, 3])
    expect(await asked("g.inject(1).map({ it.get() } as Function<Map<String, Object>, List<Object>>)")).toEqual([1])
    // A variable may have the name of the operator.
    expect(await asked("t = g.inject(1).map{ it.get() }\nas = 3\nas")).toEqual([3])
  })
})
