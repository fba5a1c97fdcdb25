import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const expectAll = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect(text(resultOf(script)), script).toBe(value)
}

describe("The values of a map", () => {
  it("are those that the map has when they are used", () => {
    const changed = "m = [a: 1]; v = m.values(); m.b = 2;"
    expectAll([
      [`${changed} v.size()`, "2"],
      [`${changed} v.sum()`, "3"],
      [`${changed} v`, "[1, 2]"],
      [`${changed} v + [3]`, "[1, 2, 3]"],
      [`${changed} [7].plus(v)`, "[7, 1, 2]"],
      [`${changed} 2 in v`, "true"],
      [`${changed} v.collect { it }`, "[1, 2]"],
      [`${changed} r = []; for (x in v) r << x; r`, "[1, 2]"],
      [`${changed} v[1]`, "2"],
      [`${changed} v as List`, "[1, 2]"],
      [`${changed} v.toString()`, "[1, 2]"],
      ["m = [a: 1]; v = m.values(); m.a = 5; v.first()", "5"],
      ["m = [:]; v = m.values(); m.b = 2; v ? 1 : 0", "1"],
      ["m = [a: 1]; v = m.values(); m.clear(); v.isEmpty()", "true"],
      ["m = [a: 2, b: 1]; v = m.values(); r = v.sort(); m.c = 0; r", "[1, 2]"],
      ["m = [a: 2, b: 3]; m.values().sort { -it }", "[3, 2]"]
    ])
  })

  it("are those of now also inside other collections, and for functions of classes", () => {
    const changed = "m = [a: 1]; v = m.values(); l = [v]; m.b = 2;"
    expectAll([
      [`${changed} l.toString()`, "[[1, 2]]"],
      [`${changed} [x: v].toString()`, "[x:[1, 2]]"],
      [`${changed} 'x' + l`, "x[[1, 2]]"],
      [`${changed} l.flatten()`, "[1, 2]"],
      [`${changed} l.collectMany { it }`, "[1, 2]"],
      [`${changed} Collections.max(v)`, "2"],
      [`${changed} m.remove('a'); Collections.min(v)`, "2"],
      [`${changed} (v as Set).size()`, "2"],
      [`${changed} l`, "[[1, 2]]"],
      ["m = [a: 1].withDefault { 0 }; v = m.values(); m.b; v", "[1, 0]"]
    ])
  })

  it("are not visited on while the map changes", () => {
    for (const use of [
      "for (x in m.values()) { m.c = 3 }",
      "m.values().each { m.c = 3 }",
      "m.values().find { m.c = 3; false }"
    ]) {
      expect(() => resultOf(`m = [a: 2, b: 1]; ${use}`), use).toThrow("has changed while its members were visited")
    }
  })

  it("are visited with the values of now, without a copy of all for each", () => {
    expectAll([
      ["m = [a: 1, b: 2]; r = []; for (x in m.values()) { r << x; m.b = 5 }; r", "[1, 5]"],
      ["m = [a: 1, b: 2]; m.values().collect { m.b = 5; it }", "[1, 5]"],
      ["m = [a: 1]; r = []; for (x in m.values()) { r << x; m.b = 1 }; r", "[1]"],
      ["m = [a: 1]; m.values().each { m.b = 1 }", "[1, 1]"],
      ["m = (1..90000).collectEntries { [it, it] }; for (x in m.values()) m[x] = 0; m.values().sum()", "0"]
    ])
  })

  it("lead no collection into itself", () => {
    const script = "m = [:]; v = m.values(); l = []; m.x = l; l << [v]; v.size(); l.flatten()"
    expect(() => resultOf(script)).toThrow("a collection cannot be put into itself")
  })

  it("are equal to themselves only", () => {
    expectAll([
      ["v = [a: 1].values(); [v] == [[1]]", "false"],
      ["v = [a: 1].values(); [v] == [v]", "true"],
      [
        "v = [a: 1].values(); [v instanceof List, v instanceof Collection, v instanceof Iterable]",
        "[false, true, true]"
      ],
      ["v = [a: 1].values(); Collection c = v; def l = v as List; [c.size(), l instanceof List]", "[1, true]"],
      ["v = [a: 1].values(); [[1]].contains(v)", "false"],
      ["v = [a: 1].values(); [v].contains(v)", "true"],
      ["v = [a: 1].values(); [[1], v, v].unique().size()", "2"],
      ["v = [a: 1].values(); ([[1], v, v] as Set).size()", "2"],
      ["m = [a: 1]; v = m.values(); v.equals([1]) || v.equals([a: 1].values())", "false"],
      ["m = [a: 1].withDefault { 0 }; m.values() == m.values()", "true"],
      ["m = [a: 1]; m.values() == [1]", "false"],
      ["m = [a: 1]; [1] == m.values()", "false"],
      ["m = [a: 1]; m.values() == m.values()", "true"]
    ])
  })

  it("are not changed, and do not come into their own map", () => {
    for (const script of ["m.values().remove(1)", "m.values().clear()", "m.values().removeIf { it == 1 }"]) {
      expect(() => resultOf(`m = [a: 1]; ${script}`), script).toThrow("values() cannot be changed in scripts")
    }
    for (const view of ["values()", "entrySet()", "entrySet().first()"]) {
      expect(() => resultOf(`m = [a: 1]; m.x = m.${view}`), view).toThrow("a collection cannot be put into itself")
    }
    expect(() => resultOf("l = []; m = [a: 1]; l << m.values(); m.l = l")).toThrow("cannot be put into itself")
  })
})

describe("The entries of a map", () => {
  it("have the value that the map has, and put a new value into it", () => {
    expectAll([
      ["m = [a: 1]; m.each { e -> e.value = 9 }; m", "{a=9}"],
      ["m = [a: 1]; m.each { it.value += 1 }; m", "{a=2}"],
      ["m = [a: 1]; for (e in m) e.value = 9; m", "{a=9}"],
      ["m = [a: 1]; for (e in m.entrySet()) e.value++; m", "{a=2}"],
      ["m = [a: 1]; m.entrySet().each { it.setValue(5) }; m", "{a=5}"],
      ["m = [a: 1]; e = m.entrySet().iterator().next(); r = e.setValue(5); [r, m.a]", "[1, 5]"],
      ["m = [a: 1]; e = m.find { true }; m.a = 7; e.value", "7"],
      ["m = [a: 1]; e = m.find { true }; m.remove('a'); e.value", "1"]
    ])
  })

  it("keep their last value when their key is removed, and then change no map", () => {
    const entry = "m = [a: 1]; e = m.entrySet().first();"
    expectAll([
      [`${entry} m.remove('a'); e.setValue(5); [m, e.value]`, "[{}, 5]"],
      [`${entry} m.a = 7; m.remove('a'); e.value`, "7"],
      [`${entry} m.remove('a'); m.a = 9; e.value`, "1"],
      [`${entry} m.remove('a'); m.a = 9; e.setValue(3); [m, e.value]`, "[{a=9}, 3]"],
      [`${entry} m.remove('a'); m.a = 9; e.value = 3; [m, e.value]`, "[{a=9}, 3]"],
      [`${entry} m.clear(); m.a = 2; e.value`, "1"],
      [`${entry} m.keySet().remove('a'); m.a = 2; e.value`, "1"],
      [`${entry} m.retainAll { k, v -> false }; m.a = 5; e.value`, "1"],
      [`${entry} m.remove('a'); m.x = e; m.x.value`, "1"],
      ["m = [a: 1].withDefault { 0 }; e = m.entrySet().first(); m.remove('a'); m.a = 3; e.value", "1"]
    ])
    expect(() => resultOf(`${entry} m.remove('a'); e.value = [e]`)).toThrow("cannot be put into itself")
    expect(() => resultOf(`${entry} m.remove('a'); m.x = e; e.value = m`)).toThrow("cannot be put into itself")
  })

  it("are a set that removes from the map", () => {
    expectAll([
      ["m = [a: 1]; v = m.entrySet(); m.b = 2; v.size()", "2"],
      ["m = [a: 1, b: 2]; m.entrySet().removeIf { it.value == 1 }; m", "{b=2}"],
      ["m = [a: 1, b: 2]; m.entrySet().retainAll { it.value == 1 }; m", "{a=1}"],
      ["m = [a: 1, b: 2]; s = m.entrySet(); s.remove(s.first()); m", "{b=2}"],
      ["m = [a: 1, b: 2]; m.entrySet().clear(); m", "{}"],
      ["m = [a: 1, b: 2]; m.entrySet() == [b: 2, a: 1].entrySet()", "true"],
      ["m = [a: 1, b: 2]; m.entrySet().contains(m.find { true })", "true"],
      ["m = [a: 1, b: 2]; m.entrySet().sort { -it.value }.collect { it.key }", "[b, a]"],
      ["m = [a: 1, b: 2]; m.entrySet()[0].key", "a"],
      ["s = m = [a: 1].entrySet() as Set; s.removeIf { it.value == 2 }; s.size()", "1"]
    ])
    expect(() => resultOf("m = [a: 1]; m.entrySet().add(1)")).toThrow("no entry can be added to entrySet()")
  })

  it("of no map of the script take no value", () => {
    const script =
      "s = ([a: 1].entrySet() as Set).toList(); e = s[0]; s = [:]; s.put(e, 1); s.keySet().first().setValue(2)"
    expect(() => resultOf(script)).toThrow("setValue(): the entry belongs to no map")
  })
})

describe("Dates with an offset", () => {
  it("are equal only with the same offset, and at one instant in the order of their local times", () => {
    const [utc, later] = ["2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"].map(
      (it) => `OffsetDateTime.parse('${it}')`
    )
    expectAll([
      [`${utc} == ${later}`, "false"],
      [`${utc}.equals(${later})`, "false"],
      [`${utc} <=> ${later}`, "-1"],
      [`${utc} < ${later}`, "true"],
      [`${utc} >= ${later}`, "false"],
      [`${utc}.compareTo(${later})`, "-1"],
      [`${utc} in [${later}]`, "false"],
      [`${utc} == ${utc}`, "true"]
    ])
  })
})

describe("A set", () => {
  it("has members by their index", () => {
    expectAll([["s = [3, 4] as Set; [s[0], s[-1], [b: 1].keySet()[0], s[2], s[-3]]", "[3, 4, b, null, null]"]])
  })
})
