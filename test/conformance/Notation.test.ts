import { describe, expect, it } from "vitest"
import { parseFeature } from "./Feature.ts"
import { literal } from "./Literal.ts"
import { type Elements, parseNotation, resolve } from "./Notation.ts"
import * as V from "./Value.ts"

const none = async (): Promise<never> => {
  throw new Error("no elements here")
}
const elements: Elements = { vertex: none, edge: none, vertexProperty: none }
const value = (text: string) => resolve(parseNotation(text), elements)

describe("The notation of values", () => {
  it.each<readonly [string, V.Value]>([
    ["marko", V.string("marko")],
    ["", V.string("")],
    ["1", V.string("1")],
    ["nothing is null", V.string("nothing is null")],
    ["{name=[josh]}", V.string("{name=[josh]}")],
    ["null", V.nullValue],
    ["false", V.boolean(false)],
    ["str[]", V.string("")],
    ["str[ v[1]]", V.string(" v[1]")],
    ["str[　abc]", V.string("　abc")],
    ["d[7].b", { kind: "byte", value: 7n }],
    ["d[-7].s", { kind: "short", value: -7n }],
    ["d[29].i", V.int(29)],
    ["d[2147483648].l", V.long(2147483648)],
    ["d[123456789012345678901].n", { kind: "bigInteger", value: 123456789012345678901n }],
    ["d[0.1].f", { kind: "float", value: Math.fround(0.1) }],
    ["d[1].d", V.double(1)],
    ["d[-Infinity]", V.double(Number.NEGATIVE_INFINITY)],
    ["d[-1.50].m", { kind: "bigDecimal", unscaled: -150n, scale: 2 }],
    ["t[label]", V.enumValue("T", "label")],
    ["D[from]", V.enumValue("Direction", "OUT")],
    ["M[outV]", V.enumValue("Merge", "outV")],
    ["uuid[f47af10b-58cc-4372-a567-0f02b2f3d479]", { kind: "uuid", value: "f47af10b-58cc-4372-a567-0f02b2f3d479" }],
    ["dt[1970-01-02T00:00:01Z]", { kind: "dateTime", epochDay: 1, nanoOfDay: 1_000_000_000n, offset: 0 }],
    ["l[]", V.list([])],
    ["l[a, d[1].i,null]", V.list([V.string("a"), V.int(1), V.nullValue])],
    ["l[l[a,b],str[c,d]]", V.list([V.list([V.string("a"), V.string("b")]), V.string("c,d")])],
    ["s[]", V.set([])],
    ["s[san diego]", V.set([V.string("san diego")])],
    ["p[null]", { kind: "path", labels: [], objects: [V.nullValue] }],
    ["m[{}]", V.map([])],
    [
      'm[{"a":1,"b":3000000000,"c":1.0,"d":true}]',
      V.map([
        [V.string("a"), V.int(1)],
        [V.string("b"), V.long(3_000_000_000)],
        [V.string("c"), V.double(1)],
        [V.string("d"), V.boolean(true)]
      ])
    ],
    [
      'm[{"d[1].i":["a"],"t[id]":{"x":null}}]',
      V.map([
        [V.int(1), V.list([V.string("a")])],
        [V.enumValue("T", "id"), V.map([[V.string("x"), V.nullValue]])]
      ])
    ],
    ['m[{"a":"m[{\\"b\\":\\"d[1].l\\"}]"}]', V.map([[V.string("a"), V.map([[V.string("b"), V.long(1)]])]])]
  ])("reads %s", async (text, expected) => {
    expect(await value(text)).toEqual(expected)
  })

  it.each([
    "d[x].i",
    "d[1.5].i",
    "d[1]",
    "d[].d",
    "v[marko].name",
    "e[marko]",
    "dt[yesterday]",
    "t[id].id",
    "m[{a:1}]"
  ])("refuses %s", (text) => {
    expect(() => parseNotation(text)).toThrow()
  })

  it("has elements by the names of vertices", () => {
    expect(parseNotation("v[NOT FADE AWAY].id")).toEqual({ kind: "vertex", name: "NOT FADE AWAY", part: "id" })
    const edge = { out: "josh", label: "created", in: "lop" }
    expect(parseNotation("e[josh-created->lop].sid")).toEqual({ kind: "edge", edge, part: "sid" })
    const age = { kind: "value", value: V.int(29) }
    expect(parseNotation("vp[marko-age->d[29].i]")).toEqual({
      kind: "vertexProperty",
      vertex: "marko",
      key: "age",
      value: age
    })
  })
})

describe("A literal of the language", () => {
  it.each([
    ["d[1].b", "1b"],
    ["d[1].l", "1l"],
    ["d[1].d", "1d"],
    ["d[0.5].m", "0.5m"],
    ["d[NaN]", "NaN"],
    ["d[-Infinity]", "-Infinity"],
    ['say "\\"', '"say \\"\\\\\\""'],
    ["l[a,null]", '["a",null]'],
    ["s[a]", '{"a"}'],
    ["m[{}]", "[:]"],
    ['m[{"t[id]":1,"D[OUT]":"M[outV]","a":"b"}]', '[(T.id):1i,(Direction.OUT):Merge.outV,"a":"b"]'],
    ["dt[2023-08-08T01:02:03.5Z]", 'datetime("2023-08-08T01:02:03.500000000Z")'],
    ["dt[2023-08-08T01:02:03-01:30]", 'datetime("2023-08-08T01:02:03-01:30")']
  ])("represents %s", async (notation, text) => {
    expect(literal(await value(notation))).toBe(text)
  })

  it("does not exist for an element or a collection with one", () => {
    const vertex: V.Value = { kind: "vertex", id: V.int(1), label: "person" }
    expect(literal(vertex)).toBeUndefined()
    expect(literal(V.list([vertex]))).toBeUndefined()
    expect(literal(V.map([[V.string("a"), vertex]]))).toBeUndefined()
  })
})

describe("The reader of feature files", () => {
  const feature = `# licence
@A @B
Feature: Step - x()

  @C
  Scenario: one
    Given the modern graph
    And the traversal of
      """
      g.V().
        out()
      """
    Then the result should be unordered
      | result |
      | a\\|b\\\\n\\n |
      | str[　x] |

  Scenario: one
    Given the empty graph`

  it("returns scenarios with tags, doc strings and tables", () => {
    const [one, two] = parseFeature("map/X", feature)
    expect(one).toMatchObject({ folder: "map", name: "one", key: "map/X#one", tags: ["@A", "@B", "@C"] })
    expect(one!.steps.map((step) => step.text)).toEqual([
      "the modern graph",
      "the traversal of",
      "the result should be unordered"
    ])
    expect(one!.steps[1]).toMatchObject({ line: 8, docString: "g.V().\n  out()" })
    expect(one!.steps[2]!.table).toEqual([["result"], ["a|b\\n\n"], ["str[　x]"]])
    expect(two).toMatchObject({ key: "map/X#one (2)", tags: ["@A", "@B"] })
  })

  it.each([
    ["Feature: x\n  Scenario Outline: y", "line 2"],
    ["Feature: x\n  Scenario: y\n    * a step", "line 3"],
    ["Feature: x\n  Given a step", "before the first scenario"],
    ['Feature: x\n  Scenario: y\n    Given a step\n      """\n      text', "without its end"],
    ["Feature: x\n  Scenario: y\n    | a |", "a table without a step"]
  ])("reports the line that it cannot read", (text, message) => {
    expect(() => parseFeature("map/X", text)).toThrow(message)
  })
})
