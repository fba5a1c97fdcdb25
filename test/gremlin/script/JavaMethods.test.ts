import { expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

it("remove() takes a cast to Object as a member and not as an index, as in Groovy", () => {
  expect(shown("l = [5, 1, 2]; [l.remove((Object) 1), l.remove(0 as Object), l]")).toBe("[true, false, [5, 2]]")
  expect(shown("l = [5, 1, 2]; [l.remove(1), l.remove((Integer) 0), l]")).toBe("[1, 5, [2]]")
  expect(shown("s = [1, 2] as Set; [s.remove((Object) 1), s]")).toBe("[true, [2]]")
  expect(shown("m = [a: 1]; [m.remove((Object) 'a'), m]")).toBe("[1, {}]")
  expect(shown("Object o = 5; [(Object) o, null as Object]")).toBe("[5, null]")
})

it("A call takes a comma before its parenthesis, as in Groovy", () => {
  expect(shown("def f(a, b) { a + b }; [Math.max(1, 2,), f(1, 2,), [1].collect({ it + 1 },), [a: 1].get('a',)]")).toBe(
    "[2, 3, [2], 1]"
  )
})

it("equals() of numbers compares their types, as in Java, and == their values", () => {
  expect(shown("[5.equals(5L), 5 == 5L, 5.equals(5), 5L.equals(5L), 1.5d.equals(1.5f)]")).toBe(
    "[false, true, true, true, false]"
  )
  expect(shown("['a'.equals('a'), [1].equals([1]), 'a'.equals(1), 1.equals(null)]")).toBe("[true, true, false, false]")
})

it("add() of a list takes an index", () => {
  expect(shown("def l = [1, 2]; l.add(0, 9); l.add(3, 8); l")).toBe("[9, 1, 2, 8]")
  expect(
    shown("def l = [1]; def e = ''; try { l.add(2, 0) } catch (IndexOutOfBoundsException f) { e = 'outside' }; [e, l]")
  ).toBe("[outside, [1]]")
  expect(
    shown("def l = [1, 2]; try { for (x in l) l.add(0, x) } catch (ConcurrentModificationException f) { 'changed' }")
  ).toBe("changed")
  expect(() => resultOf("def l = [1]; l.add(0, l); l")).toThrow()
})

it("addAll() of a list takes an index, and String.join() any collection", () => {
  expect(shown("def l = [1, 2, 3]; l.addAll(0, [9, 8]); l")).toBe("[9, 8, 1, 2, 3]")
  expect(shown("def l = [1, 2]; l.addAll(1, l); l")).toBe("[1, 1, 2, 2]")
  expect(
    shown("[[1].addAll([]), [1, 2, 3, 2].findLastIndexOf { it == 2 }, [1, 2, 3].findIndexValues { it > 1 }]")
  ).toBe("[false, 3, [1, 2]]")
  expect(shown("[String.join('-', 'a', 'b'), String.join('-', ['a', 'b'] as Set), String.join('-', 'a')]")).toBe(
    "[a-b, a-b, a]"
  )
  expect(() => resultOf("[1].addAll(4, [9])")).toThrow("out of bounds")
})

it("The operator - of a string removes the first occurrence of a text", () => {
  expect(shown("['abcb' - 'b', 'abc' - 'x', 'a1' - 1, 'ab' - '']")).toBe("[acb, abc, a, ab]")
  expect(() => resultOf("'abc' - ~/b/")).toThrow("- does not take String")
  expect(() => resultOf("1 - 'b'")).toThrow("- does not take")
})

it("The property time of a date is its milliseconds", () => {
  expect(shown("[new Date(5).time, new Date(5).getTime()]")).toBe("[5, 5]")
})

it("Collections.sort() takes a closure that compares, and pow() is a method of large numbers", () => {
  expect(shown("l = [3, 1, 2]; Collections.sort(l, { a, b -> b <=> a }); l")).toBe("[3, 2, 1]")
  expect(() => resultOf("Collections.sort((1..3), { a, b -> b <=> a })")).toThrow("a range cannot be changed")
  expect(() => resultOf("[3, 1, 2].subList(0, 2).sort { -it }")).toThrow("the list of subList() cannot be changed")
  expect(shown("[2g.pow(70), (1.1g).pow(2), 2g.pow(0)]")).toBe("[1180591620717411303424, 1.21, 1]")
  expect(() => resultOf("2.pow(3)")).toThrow("write x ** n")
})
