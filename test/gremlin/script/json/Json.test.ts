import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const read = (json: string): unknown => resultOf(`new groovy.json.JsonSlurper().parseText(${literal(json)})`)

/** A text as a literal of Groovy. */
const literal = (value: string): string =>
  `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`

/** The simple name of the class of the exception that a script catches, with its message. */
const caught = (script: string): unknown =>
  resultOf(`try { ${script} } catch (groovy.json.JsonException e) { 'JsonException ' + e.message }`)

describe("JsonSlurper", () => {
  it("reads objects as maps, in the order of their keys, and lists", () => {
    expect(text(read('{"b": [1, "x", null, true, []], "a": {"c": {}}}'))).toBe("{b=[1, x, null, true, []], a={c={}}}")
    expect(text(read(" [ ] "))).toBe("[]")
    expect(read('{"a": 1, "a": 2}')).toEqual(read('{"a": 2}'))
  })

  it("gives a number the smallest class that holds it", () => {
    const classes = resultOf(
      "new groovy.json.JsonSlurper().parseText('[1, -0, 2147483648, 99999999999999999999, 1.50, 1e5]').collect { it.class.simpleName + ' ' + it }"
    )
    expect(text(classes)).toBe(
      "[Integer 1, Integer 0, Long 2147483648, BigInteger 99999999999999999999, BigDecimal 1.50, BigDecimal 1E+5]"
    )
  })

  it("reads escapes, and characters of control as they are", () => {
    expect(read('"\\u00e9\\n\\/\\"\\\\"')).toBe('é\n/"\\')
    expect(read('"a\nb"')).toBe("a\nb")
  })

  it("gives maps and lists that a script may change and pass to a traversal", () => {
    const script =
      'def o = new groovy.json.JsonSlurper().parseText(\'{"a": {"b": 1}}\'); o.a.b = 5; o.c = [1]; o.c << o.a.b; groovy.json.JsonOutput.toJson(o)'
    expect(resultOf(script)).toBe('{"a":{"b":5},"c":[1,5]}')
  })

  it.each([
    "{a:1}",
    "{'a':1}",
    "[1,]",
    "[1 2]",
    '{"a" 1}',
    '{"a":1} x',
    "nul",
    "-",
    ".5",
    '"a',
    '"\\x"',
    '"\\u12"',
    "[",
    "NaN",
    " "
  ])("refuses %s as a JsonException with its place", (json) => {
    expect(caught(`new groovy.json.JsonSlurper().parseText(${literal(json)})`)).toMatch(
      /^JsonException .*at character \d+/
    )
  })

  it("refuses an empty text and null", () => {
    expect(() => read("")).toThrow("Text must not be null or empty")
    expect(() => resultOf("new groovy.json.JsonSlurper().parseText(null)")).toThrow("Text must not be null or empty")
  })

  it("reads at most 33,000 values, 1,048,576 characters and 100 levels", () => {
    const parse = "new groovy.json.JsonSlurper().parseText"
    expect(resultOf(`${parse}('[' + '1,' * 30000 + '1]').size()`)).toBe(30_001)
    expect(() => resultOf(`${parse}('[' + '1,' * 34000 + '1]')`)).toThrow("the limit for scripts is 100000")
    expect(resultOf(`${parse}('"' + 'x' * 1000000 + '"').size()`)).toBe(1_000_000)
    expect(() => resultOf(`${parse}('"' + 'x' * 1000000)`)).toThrow('a text ends without "')
    expect(text(resultOf(`${parse}('[' * 100 + ']' * 100)`))).toMatch(/^\[{100}\]{100}$/)
    expect(() => resultOf(`${parse}('[' * 500000)`)).toThrow("at most 100 levels deep")
  })
})

describe("JsonOutput", () => {
  const written = (value: string): unknown => resultOf(`groovy.json.JsonOutput.toJson(${value})`)

  it.each([
    ["[a: 1, b: [1, 2.5, 'x\"y', null, true], c: [d: [:]]]", '{"a":1,"b":[1,2.5,"x\\"y",null,true],"c":{"d":{}}}'],
    ["[(1): 'a', (true): 'b', (T.id): 3]", '{"1":"a","true":"b","id":3}'],
    [
      "'\\u007f\\u00e9\\ud83d\\ude00\\u0001\\b\\f\\n\\r\\t\\\\/<>'",
      '"\\u007f\\u00e9\\ud83d\\ude00\\u0001\\b\\f\\n\\r\\t\\\\/<>"'
    ],
    [
      "[1.5e10d, 1e-7d, -0.0d, 10000000000.0f, 123456789012345678901234567890, (byte) 1, 1L]",
      "[1.5E10,1.0E-7,-0.0,1.0E10,123456789012345678901234567890,1,1]"
    ],
    ["[[1, 2] as Set, 1..3, [1] as int[]]", "[[1,2],[1,2,3],[1]]"],
    ["null", "null"],
    ["'x' as char", '"x"'],
    ["new Date(1500000000123L)", '"2017-07-14T02:40:00+0000"'],
    ["UUID.fromString('123e4567-e89b-12d3-a456-426614174000')", '"123e4567-e89b-12d3-a456-426614174000"'],
    ['"gs ${1 + 1}"', '"gs 2"']
  ])("writes %s", (value, json) => {
    expect(written(value)).toBe(json)
  })

  it("refuses NaN, keys that are null, and values without a form in JSON", () => {
    expect(caught("groovy.json.JsonOutput.toJson(Double.NaN)")).toMatch(/^JsonException Number NaN can't be serialized/)
    expect(caught("groovy.json.JsonOutput.toJson([(null): 1])")).toMatch(/^JsonException Maps with null keys/)
    expect(() => written("{ 1 }")).toThrow("toJson() takes maps, lists")
    expect(() => written("java.time.LocalDate.of(2020, 1, 2)")).toThrow("and toString() the text of a value")
  })

  it("indents a text by four spaces for each level", () => {
    const json = '{"a":"\\u00e9 \\/","b":1.50,"c":[],"e":[{"f":null},-1e5]}'
    expect(resultOf(`groovy.json.JsonOutput.prettyPrint(${literal(json)})`)).toBe(
      '{\n    "a": "\\u00e9 /",\n    "b": 1.50,\n    "c": [\n        \n    ],\n    "e": [\n        {\n            "f": null\n        },\n        -1e5\n    ]\n}'
    )
    expect(() => resultOf("groovy.json.JsonOutput.prettyPrint('[1, x]')")).toThrow("prettyPrint() takes a text in JSON")
  })

  it("writes no text above the limit, however often a collection occurs in another one", () => {
    const doubled = "def l = ['xxxxxxxxxx']; 12.times { l = [l, l] }; groovy.json.JsonOutput.toJson(l).size()"
    expect(resultOf(doubled)).toBeGreaterThan(50_000)
    expect(() => resultOf(doubled.replace("12", "30"))).toThrow("the limit for scripts is 100000")
    expect(() => written("['x' * 1000000, 'x' * 1000000]")).toThrow("at most 1048576 characters")
    expect(() => written("'\\u00e9' * 1000000")).toThrow("at most 1048576 characters")
    const pretty = "groovy.json.JsonOutput.prettyPrint"
    expect(() => resultOf(`${pretty}('[' * 500000)`)).toThrow("at most 100 levels")
    expect(() => resultOf(`${pretty}('"' + 'x' * 1000000)`)).toThrow("takes a text in JSON")
    expect(() => resultOf(`${pretty}('[' * 90 + '1,' * 50000)`)).toThrow("at most 1048576 characters")
  })
})
