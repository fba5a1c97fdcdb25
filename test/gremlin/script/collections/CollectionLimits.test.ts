import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

/** A list of 90 lists with 900 numbers each, whose members are all equal, and an equal one. */
const LARGE_LISTS = "def x = (1..90).collect { (1..900).toList() }; def y = (1..90).collect { (1..900).toList() }; "
/** Entries of maps that contain each other 40 levels deep, twice in each level. */
const DOUBLED_ENTRIES = "def x = [1]; for (i in 1..40) { def e = [k: x].entrySet()[0]; x = [e, e] }; "

describe("An entry of a map", () => {
  it("cannot be put into its own value, so that no collection contains itself", () => {
    for (const script of [
      "def m = [a: []]; m.each { e -> e.value << e }; m",
      "def m = [a: []]; def e = m.entrySet()[0]; m.a.add(e); m",
      "def m = [a: []]; def e = m.entrySet()[0]; m.a[0] = e; m"
    ]) {
      expect(() => resultOf(script), script).toThrow(/a collection cannot be put into itself/)
    }
  })

  it("counts with its value against the limits", () => {
    for (const use of ["x", "x.toString()", "x as Set", "[(x): 1]"]) {
      expect(() => resultOf(DOUBLED_ENTRIES + use), use).toThrow(
        /adding a collection would process|copying a collection would process|nest at most/
      )
    }
  })
})

describe("Members that an index of several positions chooses", () => {
  it("are the members themselves, and count against the limits", () => {
    expect(shown("def x = [[1]]; def y = x[[0, 0]]; y[0] << 2; y")).toBe("[[1, 2], [1, 2]]")
    const chosen = "def x = [(1..900).toList()]; def y = x[(1..90000).collect { 0 }]; y as Set"
    expect(() => resultOf(chosen)).toThrow(/adding collections would process/)
  })
})

describe("An operation that adds many collections", () => {
  it("is refused when they have more items than one operation may process", () => {
    const large = "def x = []; for (i in 1..300) x << (1..900).toList(); def m = [:]; def z = [a: 1]; "
    const uses = ["[] + x", "[].addAll(x)", "x.withIndex()", "x[(0..299).toList()]", "[x, x].transpose()"]
    for (const use of uses) expect(() => resultOf(large + use), use).toThrow(/adding (a collection|collections) would/)
    expect(() => resultOf(`${large} for (i in 0..299) m[i] = x[i]; z.putAll(m)`)).toThrow(/adding collections/)
    // Several operations may add more.
    expect(shown(`${large} for (i in 0..299) m[i] = x[i]; m.size()`)).toBe("300")
  })
})

describe("A method that adds all members", () => {
  it("is refused when the sums process too many items together", () => {
    for (const [script, what] of [
      ["(1..3000).collect { [(it): 1] }.sum()", "sum()"],
      ["(1..3000).sum { [(it): 1] }", "sum()"],
      ["([2G ** 9999] * 90000).sum()", "sum()"],
      ["([2G ** 9999] * 90000).average()", "average()"]
    ] as const) {
      expect(() => resultOf(script), script).toThrow(`${what} would process`)
    }
  })

  it("adds and compares many members that are small", () => {
    expect(shown("def l = (1..90000).toList(); [l.grep(5), l.grep([5, 6, 7]), l.grep(Integer).size()]")).toBe(
      "[[5], [5, 6, 7], 90000]"
    )
    expect(shown("def l = (1..90000).collect { 1 }; [l.sum(), l.sum { it }, l.average()]")).toBe("[90000, 90000, 1]")
    expect(shown("def l = (1..90000).collect { 0.5 }; [l.sum(), l.average()]")).toBe("[45000.0, 0.5]")
    expect(shown("[[null, 1].sum(), [null].sum(), [].sum(), [1].sum(2)]")).toBe("[1, null, null, 3]")
  })
})

describe("collectMany()", () => {
  it("counts the lists of its closure one by one", () => {
    const large = "n = 0; def x = (1..30000).toList(); try { (1..50).collectMany { n++; x } } catch (Exception e) { n }"
    expect(resultOf(large)).toBe(4)
    expect(() => resultOf("def x = (1..30000).toList(); (1..50).collectMany { x }")).toThrow(
      "collectMany() would process"
    )
    expect(shown("[[1, 2], [3] as Set, []].collectMany { it } + [a: [4]].collectMany { k, v -> v }")).toBe(
      "[1, 2, 3, 4]"
    )
  })
})

describe("A large set", () => {
  it("gives its size and its first member without being copied", () => {
    const set = "def s = (1..90000).toSet(); "
    expect(shown(`${set} def n = 0; for (i in 1..20000) { n += s.size(); n += s.first() }; n`)).toBe("1800020000")
    expect(shown("[([] as Set).size(), ([3] as Set).first(), ([3] as Set).head(), ([] as Set).isEmpty()]")).toBe(
      "[0, 3, 3, true]"
    )
  })
})

describe("An operation on nested collections", () => {
  it("is refused when it would compare or hash more members than one operation may", () => {
    const large = "def x = [(1..900).toList()]; def y = []; for (i in 1..200) y << x; "
    expect(() => resultOf(`${large} y.size()`)).not.toThrow()
    const uses = [
      ...["y as Set", "new HashSet(y)", "y.toSet()", "y.unique()", "y.toUnique()", "y.intersect(y)", "y.disjoint(y)"],
      ...[
        "y - y",
        "y.removeAll(y)",
        "y.containsAll(y)",
        "y.contains(x)",
        "y.indexOf(x)",
        "y.lastIndexOf(x)",
        "y.count(x)"
      ],
      ...["y.remove(x)", "y.sort()", "y.min()", "y.max()", "y <=> y", "y < y", "y.compareTo(y)"],
      ...["[:][y]", "[:].get(y)", "[:].containsKey(y)", "[:].remove(y)", "y in ([] as Set)", "[:].getOrDefault(y, 1)"]
    ]
    for (const use of uses) {
      expect(() => resultOf(large + use), use).toThrow(/would process \d+ items in one operation/)
    }
  })

  it("counts the characters of long strings that it compares", () => {
    const strings = "def s = 'a' * 1000000; def l = (0..100).collect { s.substring(it) }; "
    for (const use of ["l.sort()", "l.unique()", "l.max()", "l.indexOf(s)"]) {
      expect(() => resultOf(strings + use), use).toThrow(/would process \d+ items in one operation/)
    }
  })

  it("works below the limit", () => {
    expect(shown(`${LARGE_LISTS} x == y`)).toBe("true")
    expect(shown("[[1], [2]].containsAll([[2]])")).toBe("true")
    expect(shown("(1..2000).toList().containsAll((1..2000).toList().reverse())")).toBe("true")
    expect(shown("def x = [[1], [2]]; [x.indexOf([2]), x.lastIndexOf([1]), x.count([1]), x - [[1]]]")).toBe(
      "[1, 0, 1, [[2]]]"
    )
  })
})

describe("split() with a closure", () => {
  it("calls the closure once for each member", () => {
    expect(shown("def n = 0; def parts = [1, 2, 3].split { n++; it > 1 }; [parts, n]")).toBe("[[[2, 3], [1]], 3]")
    expect(shown("def n = 0; def parts = [1, 2].split { n++ % 2 == 0 }; parts")).toBe("[[1], [2]]")
  })
})

describe("The values of a map", () => {
  it("cannot be changed, because only the map can be", () => {
    for (const change of [
      "m.values() << 7",
      "m.values()[0] = 7",
      "m.values()[0..0] = [7]",
      "m.values().add(7)",
      "m.values().unique { it }",
      "m.values().removeAll { it }",
      "g.V().fill(m.values())"
    ]) {
      expect(() => resultOf(`def m = [a: 1, b: 1]; ${change}`), change).toThrow("values() cannot be changed in scripts")
    }
    expect(() => resultOf("def m = [a: 1]; m.entrySet() << 7")).toThrow("no entry can be added to entrySet()")
    expect(shown("def m = [a: 1]; def v = m.values(); v += 3; v")).toBe("[1, 3]")
    expect(shown("def m = [a: 2, b: 1]; [m.values().sort(), m.values().sort { -it }]")).toBe("[[1, 2], [2, 1]]")
  })
})

describe("A range", () => {
  it("cannot be changed", () => {
    for (const change of ["r << 1", "r[0] = 1", "r.removeAll { it > 1 }", "r.unique { it }", "g.V().fill(r)"]) {
      expect(() => resultOf(`def r = 1..3; ${change}`), change).toThrow("a range cannot be changed")
    }
  })
})

describe("An array", () => {
  const arrays = ["int[] a = [2, 1]", "def a = [2, 1] as int[]", "def a = new int[2]"]

  it("keeps its length", () => {
    for (const array of arrays) {
      for (const change of [
        "a << 3",
        "a.add(3)",
        "a.addAll([3])",
        "a.remove(0)",
        "a.clear()",
        "a.unique()",
        "a.unique { it }",
        "a.removeAll { it > 1 }",
        "a[0..1] = [3]",
        "a[0, 1] = [3, 4]",
        "g.V().fill(a)"
      ]) {
        expect(() => resultOf(`${array}; ${change}`), change).toThrow("an array keeps its length")
      }
    }
    expect(shown("int[] a = [2, 1]; a.sort(); a")).toBe("[1, 2]")
    expect(shown("int[] a = [2, 1]; a.swap(0, 1); a")).toBe("[1, 2]")
  })

  it("keeps the type of its members", () => {
    for (const array of arrays)
      expect(() => resultOf(`${array}; a[0] = 'xx'`), array).toThrow(/String.*int|int.*String/)
    expect(shown("int[] a = [1]; a[0] = 3L; [a[0], a[0].class.simpleName]")).toBe("[3, Integer]")
    expect(shown("int[] a = [1]; a[0] += 1.7; a[0]++; a")).toBe("[3]")
    expect(shown("String[] a = ['a']; a[0] = 1; [a, a.class.simpleName]")).toBe("[[1], String[]]")
    expect(shown("boolean[] a = [true]; a[0] = 0; a")).toBe("[false]")
    expect(shown("Object[] a = [1, 'a']; a[1] = [1]; a")).toBe("[1, [1]]")
    expect(shown("int[] a = [1]; int[] b = a; b[0] = 7; a")).toBe("[7]")
    expect(shown("int[] a; a")).toBe("null")
    expect(() => resultOf("int[] a = ['xx']")).toThrow()
  })
})
