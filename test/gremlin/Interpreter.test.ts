import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { ScriptSource, ScriptTraversal } from "../../src/gremlin/ScriptObjects.ts"
import { ScriptFailure } from "../../src/gremlin/SyntaxErrors.ts"
import type { Bytecode } from "../../src/process/language/Bytecode.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"
import { type BulkSet, GremlinMap, GremlinSet, type MapEntry } from "../../src/structure/collections/Collections.ts"
import { Detached, type Vertex } from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import { BigDecimal, Double } from "../../src/structure/numbers/Numbers.ts"
import { Cardinality, Direction } from "../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { OffsetDateTime } from "../../src/structure/times/Temporal.ts"
import { FakeHost, g, resultOf } from "./FakeHost.ts"

/** The error of a script, with its position. */
const failure = (script: string, results: readonly unknown[] = [], bindings = {}): string => {
  try {
    resultOf(script, results, bindings)
  } catch (error) {
    expect(error).toBeInstanceOf(ScriptFailure)
    return (error as ScriptFailure).message
  }
  throw new Error(`no failure: ${script}`)
}

const people = (): Detached => new Detached()

const marko = (): Vertex => {
  const source = people()
  const vertex = source.addVertex(1, "person")
  source.addVertexProperty(vertex, 0n, "name", "marko", null)
  source.addVertexProperty(vertex, 2n, "age", 29, null)
  return vertex
}

describe("A statement", () => {
  it("ends with its line or a semicolon, and the value of the last one is the result", () => {
    expect(resultOf("1; 2")).toBe(2)
    expect(resultOf("1\n2\n\n3;;")).toBe(3)
    expect(resultOf("")).toBeNull()
    expect(resultOf("; ;")).toBeNull()
    expect(resultOf("// nothing")).toBeNull()
    expect(resultOf("x = [1,\n 2,\n 3]\nx.size()")).toBe(3)
    expect(resultOf("return 1\n2")).toBe(1)
    expect(resultOf("1; return")).toBeNull()
    expect(resultOf("import java.util.*; import java.util.UUID\n4")).toBe(4)
  })

  it("assigns variables, which stay in the scope, and declares variables, which do not", () => {
    const host = new FakeHost()
    expect(host.run("x = 1")).toBe(1)
    expect(
      host.run("def y = x + 1\nint z = y + 1; final String s = 'a'; List<Vertex> l = []; var v = 1; def nothing")
    ).toBeNull()
    expect(host.run("a = b = 3")).toBe(3)
    expect(host.run("x += 4; x -= 1; x *= 6; x /= 3; x as int")).toBe(8)
    expect([...host.scope.variables.keys()]).toStrictEqual(["x", "b", "a"])
  })

  it("repeats strings, and returns the name of a value's class", () => {
    expect(resultOf("'ab' * 3 + '' * 9")).toBe("ababab")
    expect(failure("' ' * 1048577")).toContain("a string of a script has at most 1048576 characters")
    expect(failure("'a' * -1")).toContain("the number after * must not be negative")
    expect(resultOf("card.class.simpleName + ':' + card", [], { card: Cardinality.set })).toBe("Cardinality:set")
    expect(resultOf("[1.getClass().getSimpleName(), 'a'.class.simpleName]")).toStrictEqual(["Integer", "String"])
    expect(resultOf("[class: 'a'].class")).toBe("a")
  })

  it("may hide a name that the server binds", () => {
    const host = new FakeHost()
    host.run("g = g.withStrategies(ReadOnlyStrategy)")
    host.run("g.V().iterate()")
    expect(host.calls).toStrictEqual(["none g.withStrategies(ReadOnlyStrategy).V()"])
  })

  it("fails with the name of a missing variable", () => {
    expect(failure("x = 1\ny = z + x")).toBe(
      "Line 2, column 5: there is no variable z: assign it, or give it a value in the request's bindings"
    )
    expect(failure("graph1")).toContain("Did you mean graph?")
    expect(failure("g.V(id1).next()")).toContain("Line 1, column 5: there is no variable id1")
  })
})

describe("An expression", () => {
  it("calculates with numbers", () => {
    expect(resultOf("1 + 2 * 3 - 4")).toBe(3)
    expect(resultOf("(1 + 2) * 3")).toBe(9)
    expect(resultOf("10 - 3 - 2")).toBe(5)
    expect(resultOf("7 / 2")).toStrictEqual(new BigDecimal(35n, 1))
    expect(resultOf("8 / 2")).toStrictEqual(new BigDecimal(4n, 0))
    expect(resultOf("7 % 3")).toBe(1)
    expect(resultOf("-7 % 3")).toBe(-1)
    expect(resultOf("7.5 % 2")).toBe(1.5)
    expect(resultOf("1 + 1.5")).toBe(2.5)
    expect(resultOf("1.5f * 2")).toStrictEqual(new Double(3))
    expect(resultOf("[2147483647 + 1, 9223372036854775807L + 1]")).toStrictEqual([-2147483648, -9223372036854775808n])
    expect(resultOf("x = 5; -x")).toBe(-5)
    expect(resultOf("- 2.0")).toStrictEqual(new Double(-2))
    expect(resultOf("5 -3")).toBe(2)
  })

  it("concatenates strings, lists and maps", () => {
    expect(resultOf("'a' + 1 + 2.0 + null + [1, 'x']")).toBe("a12.0null[1, x]")
    expect(resultOf("[1] + [2, 3] + 4")).toStrictEqual([1, 2, 3, 4])
    expect(resultOf("[1, 2, 3, 2] - 2 - [3]")).toStrictEqual([1])
    expect(text(resultOf("[a: 1] + [a: 2, b: 3]"))).toBe("{a=2, b=3}")
    expect(text(resultOf("([1] as Set) + 2"))).toBe("[1, 2]")
    expect(resultOf("l = [1]; l << 2 << 3; l")).toStrictEqual([1, 2, 3])
  })

  it("compares values and makes decisions", () => {
    expect(resultOf("1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 == 1.0 && 'a' != 'b'")).toBe(true)
    expect(resultOf("1 > 2 || !('a' == 'b')")).toBe(true)
    expect(resultOf("2 in [1, 2] && 'k' in [k: 1] && !(3 in 1..2)")).toBe(true)
    expect(resultOf("[] || '' || 0 || null")).toBe(false)
    expect(resultOf("1 > 2 ? 'a' : 2 > 1 ? 'b' : 'c'")).toBe("b")
    expect(resultOf("null ?: ''  ?: 'x'")).toBe("x")
    expect(resultOf("NaN < 1")).toBe(false)
  })

  it("does not evaluate operands that cannot change its value", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [] : undefined))
    expect(host.run("false && g.V().hasNext()")).toBe(false)
    expect(host.run("true || g.V().hasNext()")).toBe(true)
    expect(host.run("true ? 1 : g.V().next()")).toBe(1)
    expect(host.run("x = null; x?.size()")).toBeNull()
    expect(host.calls).toStrictEqual([])
  })

  it("reads and changes members of collections", () => {
    expect(resultOf("l = ['a', 'b', 'c']; l[0] + l[-1] + l.get(1) + l[9]")).toBe("acbnull")
    expect(resultOf("l = [1, 2, 3]; l[1] = 9; l[-1] = 8; l[3] = 7; l")).toStrictEqual([1, 9, 8, 7])
    expect(resultOf("[1, 2, 3, 4][1..2]")).toStrictEqual([2, 3])
    expect(text(resultOf("m = [a: 1]; m.b = 2; m['c'] = m.a + m.get('b'); m.b += 5; m"))).toBe("{a=1, b=7, c=3}")
    expect(resultOf("m = [1: 'x', (T.id): 'y']; m[1] + m[T.id]")).toBe("xy")
    expect(resultOf("k = 'key'; [(k): 1].key")).toBe(1)
    expect(resultOf("x = 2; [x, x + 1, [x]]")).toStrictEqual([2, 3, [2]])
    expect(resultOf("'abc'[1]")).toBe("b")
    expect(resultOf("n = 3; 1..n")).toStrictEqual([1, 2, 3])
    expect(resultOf("x = 1; {x, 1, 2}")).toStrictEqual(new GremlinSet([1, 2]))
  })

  it("converts types", () => {
    expect(resultOf("'12' as int")).toBe(12)
    expect(resultOf("1 + 2 as String")).toBe("3")
    expect(resultOf("3.7 as long")).toBe(3n)
    expect(resultOf("1 as double")).toStrictEqual(new Double(1))
    expect(resultOf("[1, 1] as Set")).toStrictEqual(new GremlinSet([1]))
    expect(resultOf("'5'.toLong() + 1.intValue()")).toBe(6n)
    expect(resultOf("Integer.parseInt('7') + Long.valueOf(1)")).toBe(8n)
    expect(failure("1 as Date")).toContain("Integer cannot be converted to Date")
  })

  it("creates new collections each time the script runs", () => {
    const host = new FakeHost()
    const script = "l = [1]; l.add(2); l"
    expect(host.run(script)).toStrictEqual([1, 2])
    expect(host.run(script)).toStrictEqual([1, 2])
  })

  it("has a new value in each run for the current time and random UUIDs", () => {
    const before = Date.now()
    const date = resultOf("datetime()") as OffsetDateTime
    expect(date).toBeInstanceOf(OffsetDateTime)
    expect(date.epochMillis).toBeGreaterThanOrEqual(before)
    expect(resultOf("UUID() != UUID.randomUUID()")).toBe(true)
    expect(resultOf("UUID.fromString('f47af10b-58cc-4372-a567-0f02b2f3d479')")).toStrictEqual(
      new Uuid("f47af10b-58cc-4372-a567-0f02b2f3d479")
    )
  })
})

describe("A method of a value", () => {
  it("is available for strings, numbers and collections", () => {
    expect(resultOf("'a,b'.split(',').join('-').toUpperCase().contains('A-B')")).toBe(true)
    expect(resultOf("'  abc '.trim().substring(1).length()")).toBe(2)
    expect(resultOf("'aXbX'.replace('X', '.')")).toBe("a.b.")
    expect(resultOf("[3, 1, 2, 1].sort().unique().reverse()")).toStrictEqual([3, 2, 1])
    expect(resultOf("[3, 1].sum() + [3, 1].max() + [3, 1].min()")).toBe(8)
    expect(resultOf("[1, 2].size() + [1, 2].indexOf(2) + [1, 1].count(1)")).toBe(5)
    expect(resultOf("[a: 1].keySet().contains('a') && [a: 1].containsKey('a') && [a: 1].containsValue(1)")).toBe(true)
    expect(resultOf("[a: 1].getOrDefault('b', 5) + [a: 1].values().sum()")).toBe(6)
    expect(resultOf("e = [a: 1].entrySet().first(); e.key + e.value + e.getKey()")).toBe("a1a")
    expect(resultOf("m = [:]; m.put('a', 1); m.putAll([b: 2]); m.remove('a'); m.size()")).toBe(1)
    expect(resultOf("l = [1, 2]; l.addAll([3]); l.remove(0); l.isEmpty() ? 0 : l.last()")).toBe(3)
    expect(resultOf("i = [1, 2].iterator(); i.next(); i.hasNext() ? i.next() : 0")).toBe(2)
    expect(resultOf("1.equals(1) && !1.equals('1') && 1.compareTo(2) == -1")).toBe(true)
    expect(resultOf("2.toString() + true.toString()")).toBe("2true")
    expect(resultOf("new ArrayList() + new HashMap().size()")).toStrictEqual([0])
  })

  it("reads elements, properties and paths", () => {
    const values = (script: string): unknown => resultOf(script, [marko()])
    expect(values("g.V(1).next().id()")).toBe(1)
    expect(values("v = g.V(1).next(); v.label() + v.value('name') + v.property('age').value()")).toBe("personmarko29")
    expect(values("g.V(1).next().values('name', 'age').toList()")).toStrictEqual(["marko", 29])
    expect(values("g.V(1).next().keys()")).toStrictEqual(new GremlinSet(["name", "age"]))
    expect(values("g.V(1).next().property('none').isPresent()")).toBe(false)
    expect(values("g.V(1).next().properties('name').next().key()")).toBe("name")
    const path = new Path([1, 2, 3], [new Set(["a"]), new Set(["b"]), new Set(["b"])])
    expect(
      resultOf("p = g.V().path().next(); [p.size(), p[0], p.get('a'), p.get('b'), p.objects().last()]", [path])
    ).toStrictEqual([3, 1, 1, [2, 3], 3])
  })

  it("is refused if it is unknown, with the known methods", () => {
    expect(failure("'a'.execute()")).toContain("String has no method execute() in scripts; it has capitalize, ")
    expect(failure("[1].foo()")).toContain("ArrayList has no method foo()")
    expect(failure("x = 1\nx.y")).toContain(
      "Line 2, column 3: Integer has no property y; a method is called with parentheses"
    )
    expect(failure("[1].get()")).toContain("get() of ArrayList takes 1 arguments, not 0")
    expect(failure("[1].get(5)")).toContain("index 5 is out of bounds for length 1")
    expect(failure("'a'.constructor")).toContain("has no property constructor")
    expect(failure("'a'.__proto__")).toContain("has no property __proto__")
    expect(failure("[1].constructor()")).toContain("has no method constructor()")
    expect(failure("[a: 1].getClass().forName('java.lang.Runtime')")).toContain("scripts do not have the method")
    expect(failure("[a: 1].getClassLoader()")).toContain("has no method getClassLoader()")
    expect(resultOf("[a: 1].constructor")).toBeNull()
    expect(failure("null.size()")).toContain("the value before size is null: write ?.size")
    expect(failure("1 + true")).toContain("+ does not take Integer and Boolean")
    expect(failure("1 < 'ab'")).toContain("< does not take Integer and String")
    expect(failure("String.copyValueOf('a')")).toContain("Scripts have Gremlin and a part of Groovy only")
    expect(failure("g.V(1).next().value('x')", [marko()])).toContain('there is no property with the key "x"')
    expect(failure("5[0]")).toContain("[...] needs a list, a map, a string or a path before it, not")
    expect(failure("x = 5; x[0] = 1")).toContain("nothing can be assigned inside Integer")
    expect(failure("l = []; l[-1] = 1")).toContain("index -1 is out of bounds")
  })
})

describe("A traversal in a script", () => {
  it("runs when a method such as next() ends it, with no more results than needed", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" && call.want === "list" ? [7, 8] : undefined))
    expect(host.run("g.V().next()")).toBe(7)
    expect(host.run("g.V().next(2)")).toStrictEqual([7, 8])
    expect(host.run("g.V().toList()")).toStrictEqual([7, 8])
    expect(host.run("g.V().toSet()")).toStrictEqual(new GremlinSet([7, 8]))
    expect((host.run("g.V().toBulkSet()") as BulkSet).size).toBe(2)
    expect(host.run("g.V().hasNext()")).toBe(true)
    expect(host.run("g.V().tryNext().get() + g.V().tryNext().orElse(1)")).toBe(14)
    expect(host.run("g.V().iterate()")).toStrictEqual([])
    expect(host.calls).toStrictEqual([
      "list g.V() limit 1",
      "list g.V() limit 2",
      "list g.V()",
      "list g.V()",
      "list g.V()",
      "list g.V() limit 1",
      "list g.V() limit 1",
      "list g.V() limit 1",
      "none g.V()"
    ])
    expect(resultOf("g.V().tryNext().isPresent()")).toBe(false)
    expect(resultOf("g.V().tryNext().orElse('none')")).toBe("none")
    expect(failure("g.V().next()")).toContain("the traversal has no result for next()")
  })

  it("has no results left after iterate()", () => {
    const host = new FakeHost()
    expect(host.run("g.V().iterate(); g.V().iterate()")).toStrictEqual([])
    expect(host.run("x = g.V().iterate(); x.hasNext()")).toBe(false)
    expect(host.calls).toStrictEqual(["none g.V()", "none g.V()", "none g.V()"])
  })

  it("is the result if it is the last statement, and does not run before", () => {
    const host = new FakeHost()
    const last = host.run("g.V(); x = 5; g.V(x).out()") as ScriptTraversal
    expect(last).toBeInstanceOf(ScriptTraversal)
    expect(String(last)).toBe("g.V(x).out()")
    expect([...last.variables]).toStrictEqual([["x", 5]])
    expect(host.calls).toStrictEqual([])
  })

  it("keeps the bytecode of the parse, so that the cache finds its plan", () => {
    const script = "g.V(x).next()"
    const parsed = parseScript(script)
    const seen: Array<Bytecode> = []
    const host = new FakeHost(
      (call) => {
        if (call.kind === "traversal") seen.push(call.bytecode)
        return [1]
      },
      { x: 1 }
    )
    host.run(script)
    expect(seen[0]).toStrictEqual(parsed.traversal)
  })

  it("accepts variables and expressions as arguments", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [5] : undefined))
    host.run("v = g.V(1).next(); n = 2; g.V(v + 1, [v, n]).has('a', gt(n * 2)).limit(n).iterate()")
    host.run("p = gt(3); t = __.out('knows'); o = desc; g.V().has('age', p).where(t).order().by('a', o).iterate()")
    host.run("ids = [1, 2]; g.V(ids).has('x', within(ids)).inject([k: ids[0]]).iterate()")
    host.run("g.V(g.V().count().next()).iterate()")
    expect(host.calls).toStrictEqual([
      "list g.V(1) limit 1",
      'none g.V(#, [v, n]).has("a", P.gt(#)).limit(n) #=6 v=5 n=2 #=4',
      'none g.V().has("age", p).where(t).order().by("a", o) p=gt(3) t=__.out("knows") o=desc',
      'none g.V(ids).has("x", P.within(ids)).inject(["k": #]) ids=[1, 2] #=1',
      "list g.V().count() limit 1",
      "none g.V(#) #=5"
    ])
  })

  it("may be extended and iterated by later statements", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [1, 2, 3] : undefined))
    expect(String(host.run("t = g.V().out(); t.has('x', 1).values('y')"))).toBe('g.V().out().has("x", 1).values("y")')
    expect(host.run("t = g.V(); t.next() + t.next()")).toBe(3)
    expect(host.run("t.hasNext()")).toBe(true)
    expect(host.run("t")).toStrictEqual([3])
    expect(host.run("t = __.out(); t = t.in(); g.V().where(t).toList().size()")).toBe(3)
    expect(host.calls).toStrictEqual(["list g.V()", "list g.V().where(t) t=__.out().in()"])
  })

  it("has no results left after it was the result of a request", () => {
    const host = new FakeHost()
    host.run("t = g.addV()")
    expect(host.run("t.hasNext()")).toBe(false)
  })

  it("needs a source, and cannot be an argument", () => {
    expect(failure("__.out()")).toContain("an anonymous traversal has nothing to run on")
    expect(failure("x = 1; x.V()")).toContain("x is not a traversal source, but Integer")
    expect(failure("t = g.inject(1); t = t.withPath()")).toContain("t is not a traversal source, but GraphTraversal")
    expect(failure("t = g.inject(1); t.hasNext(); t.addV('x')")).toContain("the traversal t has run already")
    expect(failure("t = g.V(); g.V().where(t)")).toContain("begins at a source and cannot be nested")
    expect(failure("g.V(g)")).toContain("graphtraversalsource[g] cannot be an argument of a traversal")
    expect(failure("t = g.V(); t.outt()")).toContain("a traversal has no method outt(). Did you mean out()?")
    expect(failure("h = g; h.close(1)")).toContain("a traversal source has no method close()")
  })
})

describe("A transaction", () => {
  it("is controlled by the host", () => {
    const host = new FakeHost((call) => (call.kind === "transaction" && call.action === "isOpen" ? true : []))
    expect(host.run("g.tx().commit()")).toBeNull()
    expect(host.run("graph.tx().rollback()")).toBeNull()
    expect(host.run("g.tx().isOpen()")).toBe(true)
    expect(host.calls).toStrictEqual(["commit g", "rollback graph", "isOpen g"])
  })

  it("has a source that belongs to it", () => {
    const transaction = {}
    const host = new FakeHost((call) =>
      call.kind === "transaction" && call.action === "begin" ? new ScriptSource("g", [], transaction) : []
    )
    host.run("tx = g.tx(); gtx = tx.begin(); gtx.addV('a').iterate(); tx.commit()")
    expect(host.calls).toStrictEqual(["begin g", 'none g.addV("a")', "commit g"])
    expect((host.scope.variables.get("gtx") as ScriptSource).handle).toBe(transaction)
    const plain = new FakeHost()
    plain.run("gtx = g.tx().begin()")
    expect(plain.scope.variables.get("gtx")).toBe(g)
  })

  it("has no other methods", () => {
    expect(failure("g.tx().comit()")).toContain("a transaction has no method comit(). Did you mean commit()?")
  })
})

describe("A graph or an element", () => {
  it("is read and written through traversals", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [marko()] : undefined))
    host.run("v = graph.addVertex(label, 'person', 'name', 'marko'); w = graph.addVertex('dog'); graph.addVertex()")
    host.run("v.addEdge('knows', w, 'since', 2010); v.property('age', 30); v.property(single, 'age', 31); v.remove()")
    host.run("v.edges(OUT, 'knows').toList(); v.vertices(Direction.BOTH).hasNext(); graph.vertices(1, 2).next()")
    host.run("graph.edges().toList(); graph.traversal().V().toList()")
    expect(host.calls).toStrictEqual([
      'list g.addV("person").property("name", "marko")',
      'list g.addV("dog")',
      'list g.addV("vertex")',
      'list g.V(1).addE("knows").to(__.V(1)).property("since", 2010)',
      'list g.V(1).property("age", 30).with("~property.written")',
      'list g.V(1).property(Cardinality.single, "age", 31).with("~property.written")',
      "none g.V(1).drop()",
      'list g.V(1).toE(Direction.OUT, "knows")',
      "list g.V(1).to(Direction.BOTH)",
      "list g.V(1, 2)",
      "list g.E()",
      "list g.V()"
    ])
  })

  it("has results that IteratorUtils counts and collects", () => {
    expect(resultOf("IteratorUtils.count(g.V())", [5, 6])).toBe(2n)
    expect(resultOf("IteratorUtils.list(g.V()) + IteratorUtils.asList([7].iterator())", [5, 6])).toEqual([5, 6, 7])
    expect(resultOf("IteratorUtils.set(g.V()).size()", [5, 5])).toBe(1)
    expect(resultOf("import org.apache.tinkerpop.gremlin.util.Gremlin; Gremlin.version()")).toMatch(/^3\.8\./)
  })

  it("may be constructed as a reference", () => {
    const vertex = resultOf("i = 3; new ReferenceVertex(i, 'person')") as Vertex
    expect([vertex.id, vertex.label]).toStrictEqual([3, "person"])
  })
})

describe("The result of a script", () => {
  it("is a plain value", () => {
    expect(resultOf("[1, 2].iterator()")).toStrictEqual([1, 2])
    expect(resultOf("g.V().tryNext()", [5])).toBe(5)
    expect(resultOf("g.V().tryNext()")).toBeNull()
    expect(resultOf("g")).toBe(g)
    expect(resultOf("OUT")).toBe(Direction.OUT)
    const [entry] = resultOf("[a: 1].entrySet()") as Iterable<MapEntry>
    expect([entry?.key, entry?.value]).toEqual(["a", 1])
    expect(resultOf("''")).toBe("")
    expect(resultOf("[:]")).toStrictEqual(new GremlinMap())
    expect(resultOf("g.V().toString()")).toBe("g.V()")
  })
})

describe("The limits of a script", () => {
  it("bound values and operations", () => {
    expect(failure("s = 'aaaaaaaaaa'\n".concat("s = s + s\n".repeat(40)))).toContain("at most 1048576 characters")
    expect(failure("l = [1]\n".concat("l = l + l\n".repeat(40)))).toContain("in one operation")
    expect(failure("l = [1]\n".concat("l = [l, l]\n".repeat(40)))).toContain("in one operation")
    expect(failure("l = [1]\n".concat("l = [l]\n".repeat(400)))).toContain("nest at most 100 levels deep")
    expect(failure("l = (1..50000)\n".concat("m = l + [1]\n".repeat(200)))).toContain(
      "more than 2000000 items in total"
    )
    expect(failure("n = 1000000; (0..n).size()")).toContain("this range would process")
    expect(failure("l = (1..100000).toList(); l.sort()")).toContain("Use a traversal instead")
  })

  it("do not let a collection contain itself", () => {
    expect(failure("l = [1]; l << l")).toContain("a collection cannot be put into itself")
    expect(failure("l = [1]; l.add([l])")).toContain("a collection cannot be put into itself")
    expect(failure("m = [:]; m.m = m")).toContain("a collection cannot be put into itself")
  })

  it("pause a script that calculates for a long time", () => {
    const host = new FakeHost()
    host.run(`l = 1..50000\n${"l.contains(0)\n".repeat(10)}`, new TimeSlice(0))
    expect(host.calls.filter((call) => call === "pause").length).toBeGreaterThan(2)
  })

  it("do not hide errors of the host and of arithmetic", () => {
    const broken = new FakeHost(() => {
      throw new Error("storage is gone")
    })
    expect(() => broken.run("g.V().next()")).toThrow("storage is gone")
    expect(() => resultOf("1 / 0")).toThrow("by zero")
    expect(() => resultOf("Math.floorMod(1, 0)")).toThrow("by zero")
    expect(() => resultOf("'x' as int")).toThrow('For input string: "x"')
    expect(failure("def x = 1\nx / 0")).toMatch(/^Line 2, column 3: .*by zero/)
    expect(failure("def x = 1; x = x.intdiv(0)")).toMatch(/^Line 1, column \d+: .*by zero/)
    expect(failure("def x = 9223372036854775807L; x += 1; 'x' * -1; x.x")).toMatch(/^Line 1, column \d+: /)
    expect(resultOf("try { 1 % 0 } catch (ArithmeticException e) { e.message }")).toMatch(/^(?!Line).*by zero/)
  })
})
