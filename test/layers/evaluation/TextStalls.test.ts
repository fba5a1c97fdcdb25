import { describe, expect, it } from "vitest"
import { http, post, UNTYPED } from "../support/HttpClient.ts"
import { LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

const measured = measuredServer()

const TOKEN_CHARS = 9_000_000
const body = (bindings: string, gremlin = "x.length()"): string =>
  `{"gremlin":"${gremlin}","bindings":{"x":${bindings}}}`
const typed = (type: string, value: string): string => `[{"@type":"${type}","@value":"${value}"}]`

/** Bodies of megabytes with one long token, the status of the answer, and a text in it. */
const bodies: ReadonlyArray<readonly [string, string, number, string]> = [
  ["a string of escapes", body(`"${"\\n".repeat(TOKEN_CHARS / 2)}"`), 200, String(TOKEN_CHARS / 2)],
  ["a string of escaped characters", body(`"${"\\u00e9".repeat(TOKEN_CHARS / 6)}"`), 200, String(TOKEN_CHARS / 6)],
  ["a string of line ends", body(`"${"\n".repeat(TOKEN_CHARS)}"`), 200, String(TOKEN_CHARS)],
  ["a string with a wrong escape at its end", body(`"${"\n".repeat(TOKEN_CHARS)}\\q"`), 400, "malformed escape"],
  ["an unclosed string", body(`"${"\\n".repeat(TOKEN_CHARS / 2)}`), 400, "unclosed string"],
  ["a number", body("1".repeat(TOKEN_CHARS)), 400, "more than 10000 characters"],
  ["a fraction", body(`1.${"1".repeat(TOKEN_CHARS)}`), 400, "more than 10000 characters"],
  ["white space", `{"gremlin":"1"${" ".repeat(TOKEN_CHARS)}}`, 200, "1"],
  ["an unknown name", `{"gremlin":"1","${"a\\n".repeat(TOKEN_CHARS / 3)}":1}`, 200, "1"],
  ["numbers of many digits", body(`[${Array(900).fill("1".repeat(9_990)).join(",")}]`, "x.size()"), 200, "900"],
  ["bytes in base64", body(typed("gx:ByteBuffer", "QUJD".repeat(TOKEN_CHARS / 4)), "x.size()"), 200, "1"],
  ["an unknown constant", body(typed("g:T", "9".repeat(TOKEN_CHARS))), 400, "T has no constant named"],
  ["a malformed UUID", body(typed("g:UUID", "9".repeat(TOKEN_CHARS))), 400, "is no UUID"],
  ["a malformed date", body(typed("gx:OffsetDateTime", "9".repeat(TOKEN_CHARS))), 400, "Can't parse '9999"],
  ["a malformed id", `{"gremlin":"1","requestId":"${"a".repeat(TOKEN_CHARS)}"}`, 400, "Invalid UUID string"],
  ["an unknown language", `{"gremlin":"1","language":"${"a".repeat(TOKEN_CHARS)}"}`, 400, "aaaa"],
  [
    "aliases",
    `{"gremlin":"1","aliases":{${Array.from({ length: 500_000 }, (_, i) => `"k${i}":"g"`).join(",")}}}`,
    400,
    "the limit is 1000"
  ]
]

/** Members that are visited once more for each collection around them. */
const members = Array.from({ length: 11_000 }, (_, at) => at).join(",")
const longScripts: ReadonlyArray<readonly [string, string]> = [
  ["nested sets", `if (false) { g.inject(${"{1,".repeat(245)}${members}${"}".repeat(245)}) }; 1`],
  ["nested keys of maps", `if (false) { x = ${"[".repeat(245)}[${members}]${":1]".repeat(245)} }; 1`],
  ["statements", "x = [a: 1, b: 2 + 3];\n".repeat(2_900)]
]

describe("No script of 64 kB blocks the event loop while it is parsed", () => {
  it.each(longScripts)("of %s", async (_, gremlin) => {
    expect(gremlin.length).toBeLessThan(65_536)
    const turn = await measured.turnOf(async () => {
      expect((await post(measured.authority, gremlin)).status).toBe(200)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })
})

describe("No body with one long token blocks the event loop", () => {
  it.each(bodies)("of %s", async (_, sent, status, said) => {
    const turn = await measured.turnOf(async () => {
      const answer = await http(measured.authority, { headers: { accept: UNTYPED } }, sent)
      expect(answer.status).toBe(status)
      expect(status === 200 ? String(answer.json.result.data[0]) : answer.json.message).toContain(said)
      // The message quotes the beginning of the wrong text.
      expect(answer.text.length).toBeLessThan(20_000)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })
})

const x = "a".repeat(1_000_000)
/** A pattern that nearly matches at every position of that text. */
const y = `${"a".repeat(5_000)}b${"a".repeat(5_000)}`
const ab = "ab ".repeat(170_000)

/** Work on texts in traversals and scripts, and the text of the answer or refusal. */
const work: ReadonlyArray<readonly [string, string, Record<string, unknown>, string]> = [
  ["containing()", "g.inject(x).is(containing(y)).count()", { x, y }, "0"],
  [
    "containing() in a longer text",
    "g.inject(x).is(containing(y)).count()",
    { x: x.repeat(5), y },
    "The search for a periodic text of"
  ],
  ["replace()", "g.inject(x).replace(y, '').length()", { x, y }, "1000000"],
  ["split()", "g.inject(x).split(y).count(local)", { x, y }, "1"],
  ["indexOf() of a script", "x.indexOf(y)", { x, y }, "-1"],
  ["lastIndexOf() of a script", "x.lastIndexOf(y)", { x, y }, "-1"],
  ["'in' of a script", "y in x", { x, y }, "false"],
  ["split() of a script", "x.split(y).size()", { x, y }, "1"],
  ["split() of a script into characters", "x.split('').size()", { x }, "limit for scripts is 100000"],
  ["replace() of a script", "x.replace('a', 'b').length()", { x }, "limit for scripts is 100000"],
  ["replace() of a script with a longer text", "x.replace(y, x).length()", { x, y }, "1000000"],
  ["reverse() of a script", "x.reverse().length()", { x }, "1000000"],
  ["a method of a script on a longer text", "x.toUpperCase()", { x: x.repeat(5) }, "reads at most 1048576 characters"],
  ["texts of a script in a list", "[x, x, x, x, x].toString().length()", { x }, "at most 1048576 characters"],
  ["join() of a script", "[x, x, x, x, x].join('').length()", { x }, "at most 1048576 characters"],
  ["asNumber()", "g.inject(x).asNumber()", { x: "1".repeat(TOKEN_CHARS) }, "at most 10000 characters"],
  [
    "asNumber() of hexadecimal digits",
    "g.inject(x).asNumber()",
    { x: `0x${"f".repeat(TOKEN_CHARS)}` },
    "10000 characters"
  ],
  ["asDate()", "g.inject(x).asDate()", { x: "1".repeat(TOKEN_CHARS) }, "Can't parse 1111"],
  ["a service that nobody knows", "g.call(x)", { x: x.repeat(9) }, "Unrecognized service: aaaa"],
  ["fail()", "g.inject(1).fail(x)", { x: x.repeat(9) }, "aaaa"],
  ["a template of format()", "g.inject(1).format(x)", { x: "%{a}".repeat(2_000_000) }, "1048576 characters"],
  ["placeholders", "g.inject(1).as('a').format(x)", { x: "%{a}".repeat(200_000) }, "10000 placeholders"],
  ["textFuzzy()", "g.inject(x).is(textFuzzy(y))", { x: x.repeat(4), y: x.repeat(4) }, "at most 65536 characters"],
  ["textContains()", "g.inject(x).is(textContains(y)).count()", { x: ab, y: "cd" }, "0"],
  [
    "textContains() in a longer text",
    "g.inject(x).is(textContains(y))",
    { x: ab.repeat(5), y: "cd" },
    "at most 524288"
  ],
  ["textContainsRegex()", "g.inject(x).is(textContainsRegex('(a|b|c)*d')).count()", { x: ab }, "0"],
  [
    "textContainsRegex() over many words",
    "g.inject(x).is(textContainsRegex('(a|b|c)*d')).count()",
    { x: Array.from({ length: 80_000 }, (_, i) => i).join(" ") },
    "too large for the words of this text"
  ],
  ["classes of a regular expression", "g.inject('a').is(regex(x))", { x: "\\p{L}".repeat(600) }, "100 Unicode classes"]
]

/** Scripts of the maximum length. */
const scripts: ReadonlyArray<readonly [string, string, string]> = [
  [
    "similar names",
    `${Array.from({ length: 90 }, (_, i) => `${"a".repeat(9_000)}${i} = 1`).join(";")};${"a".repeat(9_000)}`,
    "there is no variable"
  ],
  ["a name of other letters", "\u00e9".repeat(1_000_000), "10000 characters or more"],
  ["casts", `1${" as int".repeat(140_000)}`, "1"],
  ["variables in a set", `x = 1; {${"x, ".repeat(300_000)}1}.size()`, "limit for scripts is 100000"],
  ["lists that are compared", `x = [${"[1],".repeat(20_000)}1]; ${"x == x;".repeat(40)}1`, "1"],
  [
    "large integers as a text",
    `x = ${"9".repeat(9_900)}n; y = [${"x, ".repeat(500)}x]; y.toString().length()`,
    "limit for scripts is 100000"
  ],
  ["numbers of many digits", `[${`${"1".repeat(9_000)}n, `.repeat(110)}1].size()`, "111"]
]

describe("No text blocks the event loop", () => {
  it.each(work)("by %s", async (_, gremlin, bindings, said) => {
    const turn = await measured.turnOf(async () => {
      const answer = await post(measured.authority, gremlin, { bindings })
      expect(answer.json.message ?? String(answer.json.result.data[0])).toContain(said)
      expect(answer.text.length).toBeLessThan(20_000)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })

  it.each(scripts)("by a script with %s", async (_, gremlin, said) => {
    const turn = await measured.turnOf(async () => {
      const answer = await post(measured.authority, gremlin)
      expect(answer.json.message ?? String(answer.json.result.data[0])).toContain(said)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })
})
