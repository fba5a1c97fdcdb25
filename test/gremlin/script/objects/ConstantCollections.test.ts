import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

const refused = (script: string): string =>
  shown(`try { ${script}; 'changed' } catch (UnsupportedOperationException e) { 'refused' }`)

it("List.of(), Set.of() and Map.of() give collections that cannot be changed", () => {
  expect(shown("[List.of(1, 2), Set.of(1), Map.of('a', 1, 'b', 2), List.of(), Map.of()]")).toBe(
    "[[1, 2], [1], {a=1, b=2}, [], {}]"
  )
  expect(shown("[List.copyOf([1] as Set), Set.copyOf([1, 1]), Map.copyOf([a: 1])]")).toBe("[[1], [1], {a=1}]")
  for (const list of ["List.of(1, 2)", "List.copyOf([1, 2])", "[1, 2].asImmutable()"]) {
    for (const change of ["l << 1", "l[0] = 3", "l.add(1)", "l.remove(0)", "l.sort()", "l.clear()"]) {
      expect.soft(refused(`def l = ${list}; ${change}`), `${list}; ${change}`).toBe("refused")
    }
  }
})

it("A map of Collections, Map.of() or asImmutable() cannot be changed", () => {
  const maps = ["Map.of('a', 1)", "Collections.singletonMap('a', 1)", "[a: 1].asImmutable()", "Map.copyOf([a: 1])"]
  const changes = [
    ...["m.b = 2", "m['b'] = 2", "m.put('b', 2)", "m << [b: 2]", "m.putAll([b: 2])", "m.remove('a')", "m.clear()"],
    ...["m.a++", "m.get('b', 2)", "m.computeIfAbsent('b') { 2 }", "m.merge('a', 2) { x, y -> x + y }"],
    ...["m.keySet().remove('a')", "m.entrySet().each { it.value = 5 }", "m.withDefault { 2 }.b", "m.with { b = 2 }"],
    ...["m.replaceAll { k, v -> 2 }", "m.removeAll { true }"]
  ]
  for (const map of maps) {
    for (const change of changes) expect.soft(refused(`def m = ${map}; ${change}`), `${map}; ${change}`).toBe("refused")
  }
  expect(refused("Collections.emptyMap().b = 2")).toBe("refused")
  expect(shown("def m = Map.of('a', 1); def n = m + [b: 2]; n.c = 3; [m, n, m.findAll { true } << [d: 4]]")).toBe(
    "[{a=1}, {a=1, b=2, c=3}, {a=1, d=4}]"
  )
})

it("A set of Collections, Set.of() or asImmutable() cannot be changed", () => {
  for (const set of ["Set.of(1)", "Collections.singleton(1)", "([1] as Set).asImmutable()", "Set.copyOf([1])"]) {
    for (const change of ["s << 2", "s.add(2)", "s.remove(1)", "s.clear()", "s.removeAll([1])", "s.retainAll([2])"]) {
      expect.soft(refused(`def s = ${set}; ${change}`), `${set}; ${change}`).toBe("refused")
    }
  }
  expect(refused("Collections.emptySet() << 1")).toBe("refused")
  expect(shown("def s = Set.of(1); [s + 2, s.collect { it + 1 }, s.toSet() << 3]")).toBe("[[1, 2], [2], [1, 3]]")
})

it("A constant collection has no null, and no key or member twice, as in Java", () => {
  for (const script of ["List.of(null)", "Set.of(1, null)", "Map.of('a', null)", "Map.copyOf([a: null])"]) {
    expect(shown(`try { ${script} } catch (NullPointerException e) { 'null' }`), script).toBe("null")
  }
  for (const script of ["Set.of(1, 1)", "Map.of('a', 1, 'a', 2)"]) {
    expect(shown(`try { ${script} } catch (IllegalArgumentException e) { 'twice' }`), script).toBe("twice")
  }
  expect(() => resultOf("Map.of('a')")).toThrow("Map.of() takes a value for each key")
})

it("The list of Arrays.asList() keeps its length, and its members can be replaced", () => {
  for (const change of ["l << 1", "l.add(1)", "l.remove(0)", "l.clear()", "l.addAll([1])", "l.unique()"]) {
    expect.soft(refused(`def l = Arrays.asList(2, 1); ${change}`), change).toBe("refused")
  }
  expect(shown("def l = Arrays.asList(2, 1); l[0] = 5; l.set(1, 4); l[-1]++; l.sort(); l")).toBe("[5, 5]")
  expect(shown("def l = Arrays.asList(2, 1); l.sort { it }; [l, l + 3, l.collect { it } << 4]")).toBe(
    "[[1, 2], [1, 2, 3], [1, 2, 4]]"
  )
  expect(() => resultOf("def l = Arrays.asList(2, 1); l[2] = 5")).toThrow("out of bounds")
})

it("sort(false) and unique(false) give a new list of a list that cannot be changed", () => {
  expect(shown("[List.of(2, 1).sort(false), List.of(2, 2).unique(false), (3..1).sort(false)]")).toBe(
    "[[1, 2], [2], [1, 2, 3]]"
  )
  expect(shown("[List.of(2, 1).sort(false) { it }, List.of(2, 1).toSorted(), List.of(1, 1).toUnique()]")).toBe(
    "[[1, 2], [1, 2], [1]]"
  )
})

it("asImmutable() gives a copy", () => {
  expect(shown("def l = [1]; def c = l.asImmutable(); l << 2; [c, l]")).toBe("[[1], [1, 2]]")
  expect(shown("def m = [a: 1]; def c = m.asImmutable(); m.b = 2; [c, m]")).toBe("[{a=1}, {a=1, b=2}]")
})
