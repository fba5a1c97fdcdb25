// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../FakeHost.ts"

/** The value of a script as a text. */
const shown = (script: string, results: readonly unknown[] = []): string => text(resultOf(script, results))

/** Scripts with the texts of their values. */
const table = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) {
    let found: string
    try {
      found = shown(script)
    } catch (error) {
      found = `failed: ${(error as Error).message}`
    }
    expect.soft(found, script).toBe(value)
  }
}

/** The class of the exception that ends a script, and the value of `x` after it. */
const afterChange = (script: string): string =>
  shown(
    `def x = [1, 2, 3]; def m = [a: 1, b: 2]; def e = 'none'; try { ${script} } catch (ConcurrentModificationException f) { e = 'changed' }; [e, x, m]`
  )

describe("An assignment to several targets", () => {
  it("evaluates its value once, and stores it in members", () => {
    table([
      ["def n = 0; def f = { ++n }; def a = [0, 0]; def m = [:]; a[1] = m.x = f(); [a, m, n]", "[[0, 1], {x=1}, 1]"],
      ["def n = 0; def f = { ++n }; def a = [0]; def b; b = a[0] = f(); [a, b, n]", "[[1], 1, 1]"],
      ["def a = [0]; def b = a[0] = 7; [a, b]", "[[7], 7]"]
    ])
  })
})

describe("A call whose value is null", () => {
  it("runs once", () => {
    table([
      ["def m = [:]; m.put('a', 1)", "null"],
      ["def m = [:]; [m.put('a', 1), m.put('a', 2), m]", "[null, 1, {a=2}]"],
      ["def m = [:]; def n = 0; for (i in [1, 2, 1]) { if (m.putIfAbsent(i, true) == null) n++ }; n", "2"],
      ["seen = [:]; [seen.putIfAbsent(1, true), seen.putIfAbsent(1, false)]", "[null, true]"],
      ["def l = [null, 1, 2]; def x = l.remove(0); [x, l]", "[null, [1, 2]]"],
      ["def l = [null, 1]; [l.set(0, 5), l]", "[null, [5, 1]]"],
      ["def l = [null, null, 1]; def f = { l.remove(0) }; [f(), l]", "[null, [null, 1]]"]
    ])
  })
})

describe("A literal of an array", () => {
  it("has the nesting limits of other collections", () => {
    expect(
      shown("def x = [1]; try { for (i in 1..500) { x = new Object[]{x} }; 'made' } catch (e) { 'refused' }")
    ).toBe("refused")
  })
})

describe("A map with default values", () => {
  it("stores and gives the value of the closure for a key that it lacks", () => {
    table([
      ["def m = [:].withDefault { it * 2 }; [m[3], m.get(4), m.size()]", "[6, 8, 2]"],
      ["def m = [:].withDefault { k -> [] }; m.a << 1; m['a'] << 2; m.b; m", "{a=[1, 2], b=[]}"],
      ["def m = [a: 5].withDefault { 0 }; 'abca'.toList().each { m[it] += 1 }; m.x++; m", "{a=7, b=1, c=1, x=1}"],
      ["def of = [a: 1]; def m = of.withDefault { 0 }; m.b; m.c = 3; of", "{a=1, b=0, c=3}"],
      ["def m = [:].withDefault { 0 }; [m.getOrDefault('x', 9), m.containsKey('x'), m == [:]]", "[9, false, true]"],
      [
        "def m = [:].withDefault { throw new IllegalStateException('no') }; try { m.x } catch (IllegalStateException e) { e.message }",
        "no"
      ]
    ])
  })
})

describe("An array of Java", () => {
  it("is a list", () => {
    table([
      ["def a = new int[]{1, 2, 3}; [a[1], a.length]", "[2, 3]"],
      ["def r = []; def a = [1, 2] as int[]; for (i in a) { a[1] = 9; r << i }; r", "[1, 2]"],
      ["def r = []; def a = [1, 2] as Integer[]; for (i in a) { a[1] = 9; r << i }; r", "[1, 9]"],
      ["new int[2]", "[0, 0]"],
      ["new String[]{'a', 'b'}.join()", "ab"],
      ["new String[2]", "[null, null]"],
      ["new Object[]{1, 'a', null}", "[1, a, null]"],
      ["'abc'.toCharArray().length", "3"],
      ["new long[]{1}[0] instanceof Long", "true"]
    ])
    expect(() => shown("new int[-1]")).toThrow(/at least 0/)
    expect(() => shown("new int[2][2]")).toThrow(/Line 1, column 11: an array has one dimension/)
    expect(() => shown("new Runtime[1]")).toThrow(/scripts do not have the constructor new Runtime/)
    expect(() => shown("new int[1000000000]")).toThrow(/the limit for scripts/)
  })

  it("counts against the limits of a script as a literal, too", () => {
    const nested = (levels: number): string => `${"new Object[]{".repeat(levels)}1${"}".repeat(levels)}`
    expect(shown(nested(5))).toBe("[[[[[1]]]]]")
    expect(() => shown(nested(20_000))).toThrow(/maxNestingDepth/)
    expect(() => shown("def a = 'a'; 40.times { a = new Object[]{a, a} }; a.flatten().size()")).toThrow(
      /the limit for scripts/
    )
  })
})

describe("iterator() of a traversal", () => {
  it("gives its results one by one", () => {
    expect(shown("def i = g.V().iterator(); def s = []; while (i.hasNext()) s << i.next(); s", [1, 2, 3])).toBe(
      "[1, 2, 3]"
    )
    expect(shown("g.V().iterator().next()", [7])).toBe("7")
  })
})

describe("A choice between two literal integers", () => {
  it("has the wider type of both, as in Groovy", () => {
    table([
      ["(true ? 1 : 2L) instanceof Long", "true"],
      ["(false ? 1 : 2L) instanceof Long", "true"],
      ["Integer i = 5; (true ? i : 2L) instanceof Long", "true"],
      ["Integer i = 5; (i ?: 2L) instanceof Long", "true"],
      ["(true ? (Integer) 5 : 2L) instanceof Long", "true"],
      ["Short i = 1; (true ? i : 2) instanceof Integer", "true"],
      ["Double d = 2; (false ? d : 1) instanceof Double", "true"],
      ["Integer i = 5; Long j = 2; (true ? i : j) instanceof Integer", "true"],
      ["Integer i = null; (true ? i : 2L) == null", "true"],
      ["(1 ?: 3L) instanceof Long", "true"],
      ["(true ? 1 : 2.5) instanceof Integer", "true"],
      ["def x = 3L; (true ? 1 : x) instanceof Integer", "true"]
    ])
  })
})

describe("A collection that changes while its members are visited", () => {
  it("ends a loop or a method at the next member, as in Java", () => {
    const methods =
      "each collect find findAll any every count sum max groupBy collectMany collectEntries findResult findIndexOf countBy split takeWhile dropWhile unique removeAll reverseEach"
    for (const method of methods.split(" ")) {
      const value = {
        collectMany: "[it]",
        collectEntries: "[it, 1]",
        find: "false",
        any: "false",
        findIndexOf: "false",
        findResult: "null"
      }
      const gives = Object.hasOwn(value, method) ? value[method as keyof typeof value] : "1"
      expect(afterChange(`x.${method} { x << 4; ${gives} }`), method).toContain("changed")
    }
    expect(afterChange("for (i in x) { x << i }")).toBe("[changed, [1, 2, 3, 1], {a=1, b=2}]")
    expect(afterChange("for (i in x) x.remove(0)")).toBe("[changed, [2, 3], {a=1, b=2}]")
    expect(afterChange("x.inject(0) { a, b -> x << 4; 1 }")).toContain("changed")
    expect(afterChange("x.sort { x << 4; it }")).toContain("changed")
    expect(afterChange("m.each { k, v -> m.remove(k) }")).toBe("[changed, [1, 2, 3], {b=2}]")
    expect(afterChange("for (p in m) { m.c = 3 }")).toBe("[changed, [1, 2, 3], {a=1, b=2, c=3}]")
  })

  it("may change after the last member, and its members may be replaced", () => {
    expect(afterChange("for (i in x) { if (i == 2) x.remove(2) }")).toBe("[none, [1, 2], {a=1, b=2}]")
    expect(afterChange("x.each { if (it == 3) x << 4 }")).toContain("changed")
    expect(afterChange("m.each { k, v -> if (k == 'b') m.c = 3 }")).toBe("[none, [1, 2, 3], {a=1, b=2, c=3}]")
    expect(afterChange("for (i in x) x.set(2, i + 7)")).toBe("[none, [1, 2, 16], {a=1, b=2}]")
    expect(afterChange("for (p in m) { m[p.key] = 5 }; for (i in x) x += 1; x.toList().each { x << it }")).toContain(
      "none"
    )
  })

  it("has an error with the place of the loop", () => {
    expect(() => shown("def x = [1, 2]\nfor (i in x) { x << i }")).toThrow(
      /Line 2.*has changed while its members were visited/
    )
  })
})

describe("A method that compares members", () => {
  it("takes numbers of different types with the same value for equal, as Groovy does", () => {
    table([
      ["[2L, 5, 2L, 3].intersect([7, 2, 2, -3L, 3.0])", "[2, 2, 3]"],
      ["[2L, 2, 'a', 0.5d, 0.50].unique()", "[2, a, 0.5]"],
      ["[[2L], [2], [3]].unique(false).size()", "2"],
      ["[2L, 5].disjoint([2])", "false"],
      ["[2L, 5, null, 'a'] - [2, null]", "[5, a]"],
      ["[2L, 3] - 2", "[3]"],
      ["[2L, 5].contains(2)", "false"]
    ])
  })
})

describe("A program", () => {
  it("runs the statements of Groovy", () => {
    table([
      ["if (1 > 2) { 'a' } else if (2 > 1) { 'b' } else { 'c' }", "b"],
      ["def x = 5\nif (x > 3)\n  x = 1\nelse\n  x = 2\nx", "1"],
      ["if (false) 1", "null"],
      ["def s = 0; for (i in 1..4) { s += i }; s", "10"],
      ["def s = 0; for (int i = 0; i < 4; i++) { if (i == 2) continue; s += i }; s", "4"],
      ["def s = ''; for (c in 'abc') s += c + '-'; s", "a-b-c-"],
      ["def s = []; for (e in [a: 1, b: 2]) { s << e.key + e.value }; s", "[a1, b2]"],
      ["def i = 0; while (true) { if (++i > 4) break }; i", "5"],
      ["def i = 0; do { i++ } while (i < 3); i", "3"],
      [
        "def s = 0; outer: for (i in 1..3) { for (j in 1..3) { if (j == 2) continue outer; if (i == 3) break outer; s += i * j } }; s",
        "3"
      ],
      ["def f(n) { n <= 1 ? 1 : n * f(n - 1) }\nf(5)", "120"],
      ["g2(2)\ndef g2(a, b = 10) { return a + b }", "12"],
      ["def (a, b) = [1, 2]; (a, b) = [b, a]; [a, b]", "[2, 1]"],
      ["int a = 1, b = 2; a + b", "3"],
      ["int x = 3.9; long y = 2; String z = 5; [x, y.class.simpleName, z.class.simpleName]", "[3, Long, String]"],
      ["assert 1 == 1; 'ok'", "ok"],
      ["return 1; 2", "1"],
      ["def x = 1 // a comment\n/* another */ x + 1", "2"]
    ])
  })

  it("refuses that a loop changes the number of members of its collection, as Groovy does", () => {
    const tried = (start: string, loop: string): string =>
      `def c = ${start}; def r = []; try { ${loop} } catch (e) { r << e.getClass().simpleName }; r`
    const modified = "ConcurrentModificationException"
    table([
      [tried("[1, 2, 3]", "for (x in c) { r << x; if (x == 1) c << 9 }"), `[1, ${modified}]`],
      [tried("[1, 2, 3]", "for (x in c) { r << x; if (x == 3) c << 9 }"), `[1, 2, 3, ${modified}]`],
      [tried("[1, 2, 3]", "for (x in c) { r << x; if (x == 2) c.remove(0) }"), "[1, 2]"],
      [tried("[1, 2, 3]", "for (x in c) { r << x; c.clear() }"), `[1, ${modified}]`],
      [tried("[3, 1, 2]", "for (x in c) { r << x; c[1] = 7 }"), "[3, 7, 2]"],
      [tried("[3, 1, 2]", "for (x in c) { r << x; c += 4 }"), "[3, 1, 2]"],
      [tried("[3, 1, 2]", "for (x in c.clone()) { r << x; c << x }"), "[3, 1, 2]"],
      [tried("[1, 2, 3] as Set", "for (x in c) { r << x; c << 9 }"), `[1, ${modified}]`],
      [tried("[1, 2, 3] as Set", "for (x in c) { r << x; c << 1 }"), "[1, 2, 3]"],
      [tried("[1, 2, 3] as Set", "for (x in c) { r << x; c.remove(x) }"), `[1, ${modified}]`],
      [tried("[1, 2, 3] as Set", "for (x in c) { r << x; if (x == 3) c << 9 }"), "[1, 2, 3]"],
      [tried("[a: 1, b: 2]", "for (e in c) { r << e.key; c.c = 3 }"), `[a, ${modified}]`],
      [tried("[a: 1, b: 2]", "for (e in c) { r << e.key; c.a = 3 }"), "[a, b]"],
      [tried("[a: 1, b: 2]", "for (e in c) { r << e.key; c.remove('b') }"), `[a, ${modified}]`],
      [tried("[1, 2, 3]", "c.each { r << it; if (it == 1) c << 9 }"), `[1, ${modified}]`],
      [tried("[1, 2, 3]", "c.eachWithIndex { x, i -> r << x; c << 9 }"), `[1, ${modified}]`],
      [tried("[1, 2, 3]", "c.collect { r << it; c << 9 }"), `[1, ${modified}]`],
      [tried("[1, 2, 3]", "c.findAll { r << it; c.clear() }"), `[1, ${modified}]`],
      [tried("[a: 1, b: 2]", "c.each { k, v -> r << k; c.c = 4 }"), `[a, ${modified}]`]
    ])
  })

  it("has Groovy's operators of lists, sets and maps", () => {
    table([
      ["[a: 1, b: 2] - [a: 1]", "{b=2}"],
      ["[a: 1, b: 2] - [a: 2]", "{a=1, b=2}"],
      ["[a: 1, b: 2L] - [b: 2]", "{a=1}"],
      ["def m = [a: 1, b: 2]; m -= [a: 1]; m", "{b=2}"],
      ["[a: 1, b: 2].minus([b: 2])", "{a=1}"],
      ["[a: 1, b: 2].intersect([a: 1, b: 3])", "{a=1}"],
      ["([1, 2, 3] as Set) - 2", "[1, 3]"],
      ["([1, 2, 3] as Set) - 2L", "[1, 3]"],
      ["([1, 2, 3] as Set) - [2, 3]", "[1]"],
      ["def s = [1, 2] as Set; s += 3; s -= 1; s", "[2, 3]"],
      ["[1, 2, 2L, 3] - 2", "[1, 3]"],
      ["[1, 2] * 2", "[1, 2, 1, 2]"],
      ["[1, 2] * 0", "[]"],
      ["([1, 2] as Set) * 2", "[1, 2]"],
      ["def l = [1]; l *= 3; l", "[1, 1, 1]"],
      ["[1, 2].multiply(2).leftShift(3)", "[1, 2, 1, 2, 3]"],
      ["-[1, -2]", "[-1, 2]"],
      ["[2G + 3, 2g.class.simpleName, 1.5G.class.simpleName, 0x10G]", "[5, BigInteger, BigDecimal, 16]"]
    ])
    expect(() => shown("[0] * 2000000000")).toThrow("the limit for scripts")
    expect(() => shown("[1] * -1")).toThrow("must not be negative")
  })

  it("chooses a case of switch as Groovy does", () => {
    const choice = (value: string): string =>
      `switch (${value}) { case 1: 'one'; break; case [2, 3]: 'few'; break; case 4..9: 'many'; break
       case String: 'text'; break; case { it instanceof Map }: 'map'; break; case ~/x+/: 'never'; break; default: 'other' }`
    table([
      [choice("1"), "one"],
      [choice("3"), "few"],
      [choice("7"), "many"],
      [choice("'abc'"), "text"],
      [choice("[a: 1]"), "map"],
      [choice("100"), "other"],
      ["def r = ''; switch (1) { case 1: r += 'a'; case 2: r += 'b'; break; case 3: r += 'c' }; r", "ab"],
      ["switch ('aab') { case ~/a+b/: return 'yes'; default: return 'no' }", "yes"]
    ])
  })

  it("catches and throws exceptions", () => {
    table([
      ["try { throw new IllegalStateException('x') } catch (IllegalStateException e) { e.message }", "x"],
      ["try { 1.intdiv(0) } catch (ArithmeticException e) { 'division' }", "division"],
      ["try { 1.intdiv(0) } catch (final Exception e) { 'division' }", "division"],
      ["try { 1.intdiv(0) } catch (final NullPointerException | ArithmeticException e) { 'any' }", "any"],
      ["try { 1.intdiv(0) } catch (final e) { 'untyped' }", "untyped"],
      ["try { null.size() } catch (NullPointerException e) { 'null' }", "null"],
      ["try { [].iterator().next() } catch (NoSuchElementException | IllegalStateException e) { 'none' }", "none"],
      ["def r = []; try { r << 1 } finally { r << 2 }; r", "[1, 2]"],
      [
        "def r = []; try { try { throw new Exception('a') } finally { r << 'f' } } catch (e) { r << e.getMessage() }; r",
        "[f, a]"
      ],
      ["def f() { try { return 1 } finally { 2 } }\nf()", "1"],
      [
        "try { throw new RuntimeException('a', new Exception('b')) } catch (e) { e.cause.message + e }",
        "bjava.lang.RuntimeException: a"
      ]
    ])
  })

  it("gives each failed operation the exception of Groovy, whatever texts its message quotes", () => {
    const classOf = (script: string): string => `try { ${script} } catch (Throwable e) { e.getClass().simpleName }`
    table(
      [
        ["null.length()", "NullPointerException"],
        ["'abc'.substring(4)", "StringIndexOutOfBoundsException"],
        ["[1].get(1)", "IndexOutOfBoundsException"],
        ["[].pop()", "NoSuchElementException"],
        ["[].iterator().next()", "NoSuchElementException"],
        ["unknown", "MissingPropertyException"],
        ["5.unknown", "MissingPropertyException"],
        ["def l = [1, 2]; for (x in l) { l << 3 }", "ConcurrentModificationException"],
        ["def f = null; f = { f() }; f()", "StackOverflowError"],
        ["[1] as Integer", "GroovyCastException"],
        ["UUID.fromString('the value of null is out of bounds')", "IllegalArgumentException"],
        ["Instant.parse('there is no variable here')", "DateTimeParseException"],
        ["LocalDate.parse('no further value')", "DateTimeParseException"],
        ["1 << []", "RuntimeException"]
      ].map(([script, type]) => [classOf(script!), type!])
    )
  })

  it("shows where an exception was thrown that no script catches", () => {
    expect(() => resultOf("x = 1\nthrow new IllegalStateException('bad')")).toThrow(
      "Line 2, column 1: IllegalStateException: bad"
    )
    expect(() => resultOf("try { throw new Error('x') } catch (e) { 1 }")).toThrow("Error: x")
  })

  it("has the operators of Groovy", () => {
    table([
      ["[1 <=> 2, 'b' <=> 'a', null <=> 1]", "[-1, 1, -1]"],
      ["[2 ** 3, 7 % 4, 5 & 3, 5 | 3, 5 ^ 3, 1 << 4, -8 >> 1, -8 >>> 28]", "[8, 3, 1, 7, 6, 16, -4, 15]"],
      ["['abc' ==~ /a.c/, 'xabcx' ==~ /abc/, ('xabcx' =~ /abc/) ? 1 : 0]", "[true, false, 1]"],
      ["('a1b22' =~ /([a-z])(\\d+)/)[1][2]", "22"],
      ["[1 in [1, 2], 3 !in [1, 2], 1 instanceof Integer, 'a' !instanceof String]", "[true, true, true, false]"],
      ["[null?.foo, null ?: 'x', 'a' ?: 'x']", "[null, x, a]"],
      ["[[a: 1], [a: 2]]*.a", "[1, 2]"],
      ["['ab', 'c']*.size()", "[2, 1]"],
      ["x = 1; x += 2; x -= 1; x *= 10; x **= 2; x %= 7; x <<= 2; x", "4"],
      ["x = null; x ?= 5; x", "5"],
      ["i = 1; [i++, i, ++i, i--, --i]", "[1, 2, 3, 3, 1]"],
      ["m = [n: 1]; m.n++; m['n'] += 5; m", "{n=7}"],
      ["0..<3", "[0, 1, 2]"],
      ["n = 4; 0..n - 1", "[0, 1, 2, 3]"],
      ["3..1", "[3, 2, 1]"],
      ["[-x, +x, ~x]\n".replace(/x/g, "5"), "[-5, 5, -6]"],
      ["def y; (y = 3) + y", "6"],
      ["1 < 2 ? 'yes' : 'no'", "yes"]
    ])
  })

  it("puts values into strings", () => {
    table([
      ['n = 5; "n ${n + 1}"', "n 6"],
      ['m = [a: [b: 3]]; "x $m.a.b."', "x 3."],
      ['"a ${"b ${1 + 1}"}"', "a b 2"],
      ['"cost \\$5 and $6"', "cost $5 and $6"],
      ["'n ${n}'", "n ${n}"],
      ['"org.apache.MatchStep$GreedyMatchAlgorithm"', "org.apache.MatchStep$GreedyMatchAlgorithm"],
      ['"""two\nlines ${1}"""', "two\nlines 1"],
      ["'''a\n'b' '''", "a\n'b' "],
      ["/a\\d\\/b/", "a\\d/b"],
      ['x = 2; "${x}" == "2"', "true"]
    ])
  })

  it("keeps $name in the argument of a step of gremlin-lang as it is where there is no variable of the name", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [] : undefined))
    const script =
      'g.withStrategies(MatchAlgorithmStrategy(matchAlgorithm: "a.MatchStep$Greedy")).V().has("x", "$y.z $k")'
    host.run(`def k = 1; ${script}.toList()`, undefined, undefined, "gremlin-lang")
    expect(host.calls).toEqual([
      'list g.withStrategies(new MatchAlgorithmStrategy(matchAlgorithm: "a.MatchStep\\$Greedy")).V().has("x", #) #=$y.z 1'
    ])
    expect(() => host.run('"$unknown"')).toThrow("there is no variable unknown")
    expect(() => host.run(`g.V().has("x", "$unknown")`)).toThrow("there is no variable unknown")
    expect(host.run(`def k = 1; g.inject("$k, \\$j").toList()`)).toEqual([])
  })

  it("has closures with their variables, parameters and defaults", () => {
    table([
      ["f = { it * 2 }; f(3) + f.call(4)", "14"],
      ["def f = { a, b = 10 -> a + b }; [f(1), f(1, 2)]", "[11, 3]"],
      ["def n = 0; [1, 2, 3].each { n += it }; n", "6"],
      ["def fs = []; for (i in 1..3) { def j = i; fs << { j * 10 } }; fs.collect { it() }", "[10, 20, 30]"],
      ["def counter() { def n = 0; return { ++n } }\nc = counter(); c(); c()", "2"],
      ["def fib; fib = { n -> n < 2 ? n : fib(n - 1) + fib(n - 2) }; fib(10)", "55"],
      ["[[1, 2], [3, 4]].collect { a, b -> a + b }", "[3, 7]"],
      ["def f = { String s, int n -> s * n }; f('ab', 2)", "abab"],
      ["[a: 1].with { a + size() }", "2"],
      ["[].tap { add(1); add(2) }", "[1, 2]"],
      ["def m = [:]; m.with { x = 1; y = 2 }; m", "{x=1, y=2}"],
      ["x = 1; m = [x: 0]; m.with { x = 5 }; [x, m]", "[1, {x=5}]"],
      ["x = 1; m = [x: 2]; m.with { x += 5 }; [x, m]", "[1, {x=7}]"],
      ["def x = 1; def m = [x: 0]; m.with { x = 5 }; [x, m]", "[5, {x=0}]"]
    ])
  })

  it("has Groovy's methods of collections", () => {
    table([
      ["[3, 1, 2].sort()", "[1, 2, 3]"],
      ["l = [3, 1, 2]; l.sort(); l", "[1, 2, 3]"],
      ["l = [3, 1, 2]; l.sort(false); l", "[3, 1, 2]"],
      ["l = [3, 1, 2]; l.sort { -it }; l", "[3, 2, 1]"],
      ["['bb', 'a', 'ccc'].sort { a, b -> b.size() <=> a.size() }", "[ccc, bb, a]"],
      ["[1, 2, 3].collect { it * 2 }.findAll { it > 2 }.inject(0) { a, b -> a + b }", "10"],
      ["[1, 2, 3].inject { a, b -> a * b }", "6"],
      ["[a: 1, b: 2].collect { k, v -> k + v }", "[a1, b2]"],
      ["[a: 1, b: 2].findAll { it.value > 1 }", "{b=2}"],
      ["[a: 1, b: 2].collectEntries { k, v -> [v, k] }", "{1=a, 2=b}"],
      ["['a', 'bb'].collectEntries { [(it): it.size()] }", "{a=1, bb=2}"],
      ["[1, 2, 3, 4].groupBy { it % 2 }", "{1=[1, 3], 0=[2, 4]}"],
      ["def m = [:]; ['ab', 'c', 'de'].each { m.get(it.size(), []) << it }; m", "{2=[ab, de], 1=[c]}"],
      ["['a', 'b', 'a'].countBy { it }", "{a=2, b=1}"],
      ["[1, 2, 3].find { it > 1 }", "2"],
      ["[[1, 2, 3].any { it > 2 }, [1, 2].every { it > 1 }, [1, 5].findIndexOf { it > 3 }]", "[true, false, 1]"],
      ["r = ''; ['a', 'b'].eachWithIndex { x, i -> r += x + i }; r", "a0b1"],
      [
        "r = 0; 3.times { r += it }; 1.upto(3) { r += it }; 3.downto(1) { r += it }; 0.step(10, 5) { r += it }; r",
        "20"
      ],
      ["[[1, [2]], 3].flatten()", "[1, 2, 3]"],
      ["[[1, 2], [3, 4]].transpose()", "[[1, 3], [2, 4]]"],
      ["['a', 'b'].withIndex()", "[[a, 0], [b, 1]]"],
      ["[[1, 2], [3]].collectMany { it }", "[1, 2, 3]"],
      ["[[1, 2, 3].max { -it }, [1, 2].min(), [1, 2].sum { it * 10 }, [1, 2].count { it > 1 }]", "[1, 1, 30, 1]"],
      ["[1, 2, 3].take(2) + [1, 2, 3].drop(2) + [1, 2].reverse()", "[1, 2, 3, 2, 1]"],
      ["m = [:]; m.computeIfAbsent('a') { [] } << 1; m", "{a=[1]}"],
      ["l = [1, 2, 3]; l.removeAll { it > 1 }; l", "[1]"],
      ["[1, 2, 1].unique()", "[1, 2]"],
      ["l = []; l[2] = 'x'; l", "[null, null, x]"]
    ])
  })

  it("has constants and methods of Java's classes, and never takes a constant for a text", () => {
    table([
      [
        "[Integer.MAX_VALUE, Long.MIN_VALUE, Double.NaN, Integer.MIN_VALUE]",
        "[2147483647, -9223372036854775808, NaN, -2147483648]"
      ],
      ["Integer.MAX_VALUE.class.simpleName", "Integer"],
      ["[Math.max(1, 2), Math.sqrt(9), Math.pow(2, 3), Math.abs(-5), Math.round(2.5d)]", "[2, 3.0, 8.0, 5, 3]"],
      ["Instant.EPOCH.class.simpleName + Duration.ZERO", "InstantPT0S"],
      ["System.currentTimeMillis() > 0 && System.nanoTime() instanceof Long", "true"],
      ["new Random(42).nextInt(100)", "30"],
      ["new Date(0).getTime()", "0"],
      ["LocalDate.parse('2024-02-29')", "2024-02-29"],
      ["java.util.UUID.randomUUID() instanceof UUID", "true"]
    ])
    expect(() => resultOf("Integer.MAX_VALU")).toThrow(
      "Line 1, column 9: Integer has no constant MAX_VALU in scripts. Did you mean Integer.MAX_VALUE?"
    )
    expect(() => resultOf("Double.foo")).toThrow("Double has no constant foo")
  })

  it("keeps declared variables to itself, and assigned ones and functions in the session", () => {
    const host = new FakeHost()
    host.run("def a = 1; int b = 2; c = 3; def twice(x) { x * 2 }")
    expect([...host.scope.variables.keys()]).toEqual(["c"])
    expect(host.run("twice(c)")).toBe(6)
    expect(() => host.run("a")).toThrow("there is no variable a")
    host.run("f = { it + c }")
    expect(host.run("f(1)")).toBe(4)
  })

  it("refuses a collection with very many places of variables", () => {
    for (const [open, close] of ["[]", "{}"]) {
      const script = `x = 1; ${open}${"x, ".repeat(150_000)}1${close}.size()`
      expect(() => new FakeHost().run(script)).toThrow("limit for scripts is 100000")
    }
  })

  it("prints to the output of its host", () => {
    const host = new FakeHost()
    host.run("println 'a' + 1\nprint 'b'; println(); [1, 2].each { println it }\nprintln \"${1 + 1}\"")
    expect(host.printed).toBe("a1\nb\n1\n2\n2\n")
  })

  it("runs traversals inside of loops, closures and functions", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [1, 2] : undefined))
    expect(host.run("def s = 0; for (i in 1..2) { s += g.V(i).next() }; s")).toBe(2)
    expect(host.run("def n(x) { g.V(x).toList().size() }\n[1, 2].collect { n(it) }")).toEqual([2, 2])
    expect(host.run("def r = []; g.V().each { r << it }; r")).toEqual([1, 2])
    expect(host.run("def id = 7; g.V(id).has('a', id + 1).toList().collect { it * 10 }")).toEqual([10, 20])
    expect(host.calls).toEqual([
      "list g.V(i) limit 1 i=1",
      "list g.V(i) limit 1 i=2",
      "list g.V(x) x=1",
      "list g.V(x) x=2",
      "list g.V()",
      'list g.V(id).has("a", #) id=7 #=8'
    ])
  })
})
