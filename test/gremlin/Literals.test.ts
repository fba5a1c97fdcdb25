import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { Variable } from "../../src/process/language/Bytecode.ts"
import { type GremlinMap, GremlinSet } from "../../src/structure/collections/Collections.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, Short } from "../../src/structure/numbers/Numbers.ts"
import { Direction, GType, T } from "../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { OffsetDateTime } from "../../src/structure/times/Temporal.ts"
import { FakeHost, resultOf } from "./FakeHost.ts"

const value = (literal: string): unknown => parseScript(`g.inject(${literal})`).traversal!.stepInstructions[0]!.args[0]

describe("A number", () => {
  it("without a suffix is the first of Int, Long and BigInteger that can hold it", () => {
    expect(value("0")).toBe(0)
    expect(value("-2147483648")).toBe(-2147483648)
    expect(value("+7")).toBe(7)
    expect(value("2147483648")).toBe(2147483648n)
    expect(value("-9223372036854775808")).toBe(-(2n ** 63n))
    expect(value("9223372036854775808")).toStrictEqual(new BigInteger(2n ** 63n))
    expect(Object.is(value("-0"), 0)).toBe(true)
  })

  it("has the type of its suffix", () => {
    expect(value("1b")).toStrictEqual(new Byte(1))
    expect(value("-1S")).toStrictEqual(new Short(-1))
    expect(value("1i")).toBe(1)
    expect(value("1L")).toBe(1n)
    expect(value("1n")).toStrictEqual(new BigInteger(1n))
    expect(value("1.5f")).toStrictEqual(new Float(1.5))
    expect(value("2d")).toStrictEqual(new Double(2))
    expect(value("1.50m")).toStrictEqual(new BigDecimal(150n, 2))
    expect(value("1E+3m")).toStrictEqual(new BigDecimal(1n, -3))
  })

  it("may be hexadecimal or octal, and contain underscores", () => {
    expect(value("0x1F")).toBe(31)
    expect(value("-0xFFl")).toBe(-255n)
    // In a hexadecimal number b is a digit.
    expect(value("0x1b")).toBe(27)
    expect(value("0777")).toBe(511)
    expect(value("0_7")).toBe(7)
    expect(value("1_000__000")).toBe(1_000_000)
    expect(value("0x7fffffff")).toBe(2147483647)
    expect(value("0xFFFFFFFF")).toBe(4294967295n)
  })

  it("with a decimal point or an exponent is a Double", () => {
    expect(value("1.0")).toStrictEqual(new Double(1))
    expect(value("1.5")).toBe(1.5)
    expect(value(".5")).toBe(0.5)
    expect(value("1e-3")).toBe(0.001)
    expect(value("1e400")).toBe(Number.POSITIVE_INFINITY)
    expect(Object.is(value("-0.0"), -0)).toBe(true)
    expect(value("09.5")).toBe(9.5)
    expect(value("NaN")).toBeNaN()
    expect(value("Infinity")).toBe(Number.POSITIVE_INFINITY)
    expect(value("-Infinity")).toBe(Number.NEGATIVE_INFINITY)
    expect(value("+Infinity")).toBe(Number.POSITIVE_INFINITY)
  })
})

describe("A string", () => {
  it("is written in single or double quotes", () => {
    expect(value("'a\"b'")).toBe('a"b')
    expect(value('"a\'b"')).toBe("a'b")
    expect(value("''")).toBe("")
    expect(value("'a\nb'")).toBe("a\nb")
    expect(value("'é😀'")).toBe("é😀")
  })

  it("may contain the escape sequences of Java", () => {
    expect(value("'\\b\\t\\n\\f\\r\\\"\\'\\\\'")).toBe("\b\t\n\f\r\"'\\")
    expect(value("'\\u00e9\\uuu00E9'")).toBe("éé")
    expect(value("'\\101\\7\\377\\400'")).toBe("A\u0007\u00ff\u00200")
    expect(value("'a\\\nb'")).toBe("ab")
  })

  it("keeps dollar signs that begin no value, and may be written in three quotes", () => {
    expect(value("'$\u007bx} $y'")).toBe("$\u007bx} $y")
    expect(value('"5 $ \\$z \\$\u007bx}"')).toBe("5 $ $z $\u007bx}")
    expect(value('"""a "quoted"\nword"""')).toBe('a "quoted"\nword')
    expect(value("'''it's'''")).toBe("it's")
  })
})

describe("A collection", () => {
  it("is a list, a set or a map", () => {
    expect(value("[1, 'a', [2]]")).toStrictEqual([1, "a", [2]])
    expect(value("[]")).toStrictEqual([])
    const set = value("{1, 1.0, 1}") as GremlinSet
    expect(set).toBeInstanceOf(GremlinSet)
    expect([...set]).toStrictEqual([1, new Double(1)])
    expect((value("{}") as GremlinSet).size).toBe(0)
    expect((value("[:]") as GremlinMap).size).toBe(0)
  })

  it("may have a comma after its last item, as in Groovy", () => {
    expect(value("[1, 2,]")).toEqual([1, 2])
    expect(value("[1 , ]")).toEqual([1])
    expect([...(value("[a: 1, b: 2,\n]") as GremlinMap)]).toEqual([
      ["a", 1],
      ["b", 2]
    ])
    for (const wrong of ["[,]", "[1,,2]", "[1,,]", "[:,]"]) expect(() => value(wrong), wrong).toThrow("Line 1")
  })

  it("has map keys of any type", () => {
    const map = value(
      "[a: 1, 'b c': 2, 3: 4, (T.id): 5, T.label: 6, (value): 7, Direction.OUT: 8, (to): 9, [1]: 10, {1}: 11, [x: 1]: 12, ('d'): 13, 1.5: 14]"
    ) as GremlinMap
    expect([...map.values()]).toStrictEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    expect([...map.keys()].slice(0, 8)).toStrictEqual([
      "a",
      "b c",
      3,
      T.id,
      T.label,
      T.value,
      Direction.OUT,
      Direction.IN
    ])
    expect(map.get([1])).toBe(10)
    expect(map.get("d")).toBe(13)
  })

  it("accepts keywords and names such as __proto__ as ordinary keys", () => {
    const map = value(
      "[id: 1, label: 2, new: 3, true: 4, g: 5, __proto__: 6, constructor: 7, 'toString': 8]"
    ) as GremlinMap
    expect([...map.keys()]).toStrictEqual(["id", "label", "new", "true", "g", "__proto__", "constructor", "toString"])
  })

  it("may be a range", () => {
    expect(value("1..3")).toStrictEqual([1, 2, 3])
    expect(value("3..1")).toStrictEqual([3, 2, 1])
    expect(value("-1..1")).toStrictEqual([-1, 0, 1])
    expect(value("'ab'..'ad'")).toStrictEqual(["ab", "ac", "ad"])
    expect(value("''..''")).toStrictEqual([])
  })
})

describe("Other literals", () => {
  it("are dates, UUIDs, booleans and null", () => {
    expect(value("datetime('2023-08-08T01:02:03.004+02:00')")).toStrictEqual(
      new OffsetDateTime(Date.UTC(2023, 7, 7, 23, 2, 3, 4), 0, 7200)
    )
    expect(value('DateTime("2023-08-08")')).toStrictEqual(new OffsetDateTime(Date.UTC(2023, 7, 8), 0, 0))
    expect(value("UUID('F47af10b-58cc-4372-a567-0f02b2f3d479')")).toStrictEqual(
      new Uuid("f47af10b-58cc-4372-a567-0f02b2f3d479")
    )
    expect(value("true")).toBe(true)
    expect(value("false")).toBe(false)
    expect(value("null")).toBeNull()
  })
})

describe("A literal of gremlin-lang", () => {
  const argument = (script: string): unknown =>
    (parseScript(script).traversal!.stepInstructions.at(-1)!.args[0] as { readonly value?: unknown }).value

  it("may be NaN, Infinity or a set as the key of a map, in parentheses", () => {
    expect([...(value("[(NaN): 1, (Infinity): 2]") as GremlinMap).keys()]).toEqual([
      Number.NaN,
      Number.POSITIVE_INFINITY
    ])
    const [key] = (value("[({1}): 'x', ({}) : 'y']") as GremlinMap).keys()
    expect(key).toStrictEqual(new GremlinSet([1]))
    expect(() => value("[({it -> 1}): 'x']")).toThrow()
    // A variable of the name comes first.
    expect(text(resultOf("NaN = 1; def Infinity = 2; [NaN, Infinity, -Infinity, [(NaN): 3, (Infinity): 4]]"))).toBe(
      "[1, 2, -2, {1=3, 2=4}]"
    )
  })

  it("is the type NULL where a step asks for a type", () => {
    expect(argument("g.V().values('a').is(typeOf(null))")).toBe(GType.NULL)
    expect(argument("g.V().values('a').is(P.typeOf(NULL))")).toBe(GType.NULL)
    expect(parseScript("g.inject(1).asNumber(null)").traversal!.stepInstructions[1]!.args).toEqual([GType.NULL])
    expect(value("null")).toBe(null)
  })

  it("is a type in a list or a map of a step, too", () => {
    for (const [name, type] of [
      ["int", GType.INT],
      ["UUID", GType.UUID]
    ] as const) {
      expect(value(`[${name}], 1`)).toEqual([type])
      expect(value(`[1, [${name} ]]`)).toEqual([1, [type]])
      expect(value(`{${name}}`)).toStrictEqual(new GremlinSet([type]))
      expect((value(`[a: ${name}]`) as GremlinMap).get("a")).toBe(type)
      expect(value(`[x, ${name}]`)).toEqual([new Variable("x"), type])
      expect(parseScript(`g.inject(${name})`).constants.get(name)).toBe(type)
    }
  })

  it("is a type as the whole argument of a step, also in parentheses and after a spread", () => {
    const given = (step: string): readonly string[] => {
      const host = new FakeHost(() => [1])
      host.run(`y = [1]; g.inject(1).${step}.next()`)
      return host.calls
    }
    const steps = ["asNumber(x)", "inject(x)", "is(eq(x))", "property('a', x)", "is(typeOf(x))"]
    for (const name of ["int", "UUID"]) {
      for (const step of steps) {
        expect(given(step.replace("x", `(${name})`)), step).toEqual(given(step.replace("x", name)))
      }
      for (const members of ["*[x]", "*[x, 2], 3", "[1, *[x]]", "*y, x", "*y, (x)"]) {
        const written = (type: string) => given(`inject(${members.replace("x", type)})`)
        expect(written(name), members).toEqual(written(`GType.${name.toUpperCase()}`))
      }
    }
  })

  it("is a class in an expression of a step, as in Groovy", () => {
    const given = (argument: string): unknown => {
      const host = new FakeHost(() => [1])
      host.run(`v = UUID.randomUUID(); m = [(UUID): 'u', (int): 'i', (long): 'l']; g.inject(${argument}).next()`)
      return host.calls
    }
    const types = (names: string) => given(names.replace(/UUID/g, "UUID.class"))
    for (const argument of [
      "v.class == UUID ? 'uuid' : 'other'",
      "UUID == v.class ? 'uuid' : 'other'",
      "v.class in [UUID, String]",
      "m[UUID]",
      "[UUID, 1].contains(UUID)",
      "[[UUID].size(), [int].contains(int)]"
    ])
      expect(given(argument), argument).toEqual(types(argument))
    expect(given("v.class == UUID ? 'uuid' : 'other'")).toEqual(["list g.inject(#) limit 1 #=uuid"])
    expect(given("v.class in [UUID, String]")).toEqual(["list g.inject(#) limit 1 #=true"])
    expect(given("m[UUID]")).toEqual(["list g.inject(#) limit 1 #=u"])
    expect(given("m[int] + m[long]")).toEqual(["list g.inject(#) limit 1 #=il"])
  })

  it("may be a UUID with short groups, as in Java", () => {
    expect(value("UUID('1-2-3-4-5')")).toStrictEqual(new Uuid("00000001-0002-0003-0004-000000000005"))
  })

  it("may be followed by a comma in a list of strategies", () => {
    for (const script of ["g.withStrategies(ReadOnlyStrategy, ).V()", "g.withoutStrategies(ReadOnlyStrategy,).V()"]) {
      expect(parseScript(script).traversal!.sourceInstructions[0]!.args).toHaveLength(1)
    }
    expect(() => parseScript("g.withStrategies(,).V()")).toThrow()
  })
})

describe("A comment of one line", () => {
  it.each(["\n", "\r\n", "\r"])("ends at %j", (end) => {
    const operators = (script: string) =>
      parseScript(script).traversal!.stepInstructions.map(({ operator }) => operator)
    expect(operators(`g.V() // drop(} ${end}.count()`)).toEqual(["V", "count"])
    expect(() => parseScript(`g.V().map({ // it' } ${end} it }).count()`)).not.toThrow()
    expect(operators(`g.V().property('a', // ) ${end} 1).count()`)).toEqual(["V", "property", "count"])
  })
})
