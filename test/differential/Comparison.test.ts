import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { InternalError } from "../../src/services/Errors.ts"
import { double, int, list, long, map, set, string, type Value } from "../conformance/Value.ts"
import { compare } from "./Agreement.ts"
import { withSortedMembers } from "./Canonical.ts"
import { documented, topics } from "./Documentation.ts"
import { Known, type KnownDifference, matches, modelOf } from "./Known.ts"
import type { Outcome } from "./Outcome.ts"
import { orderedBy } from "./syntax/Ordered.ts"
import { smaller } from "./syntax/Reductions.ts"
import { shown } from "./syntax/Text.ts"
import { type Call, call, child, constant, type Traversal, text, whole } from "./syntax/Traversal.ts"

const values = (...all: ReadonlyArray<Value>): Outcome => ({ kind: "values", values: all })
const error = (code: number): Outcome => ({ kind: "error", code, message: "x" })
const reads = (reference: Outcome, candidate: Outcome) => compare(reference, candidate, { writes: false })

describe("The comparison of outcomes", () => {
  it("distinguishes the types of equal values at every depth", () => {
    expect(reads(values(int(1)), values(int(1)))).toBe("same")
    expect(reads(values(int(1)), values(long(1)))).toBe("different")
    expect(reads(values(double(1)), values({ kind: "float", value: 1 }))).toBe("different")
    expect(reads(values(list([int(1)])), values(list([long(1)])))).toBe("different")
    expect(reads(values(list([int(1)])), values(set([int(1)])))).toBe("different")
    expect(reads(values(double(0)), values(double(-0)))).toBe("different")
    expect(reads(values(double(Number.NaN)), values(double(Number.NaN)))).toBe("same")
    expect(reads(values(string("1")), values({ kind: "char", value: "1" }))).toBe("different")
  })

  it("ignores the last digits of floating point numbers", () => {
    expect(reads(values(double(0.1 + 0.2)), values(double(0.3)))).toBe("same")
    expect(reads(values(double(0.3001)), values(double(0.3)))).toBe("different")
  })

  it("reports a different order of results and lists, and ignores the order of maps and sets", () => {
    expect(reads(values(int(1), int(2)), values(int(2), int(1)))).toBe("order")
    expect(reads(values(list([int(1), int(2)])), values(list([int(2), int(1)])))).toBe("order")
    expect(reads(values(set([int(1), int(2)])), values(set([int(2), int(1)])))).toBe("same")
    const entries = [[string("a"), int(1)] as const, [string("b"), int(2)] as const]
    expect(reads(values(map(entries)), values(map([...entries].reverse())))).toBe("same")
    expect(reads(values(int(1), int(1)), values(int(1)))).toBe("different")
  })

  it("compares the order of the results of a request that orders them, except among equal ones", () => {
    const inOrder = (reference: Outcome, candidate: Outcome) =>
      compare(reference, candidate, { writes: false, ordered: "results" })
    expect(inOrder(values(int(1), int(2)), values(int(2), int(1)))).toBe("different")
    expect(inOrder(values(int(1), int(2)), values(int(1), int(2)))).toBe("same")
    expect(inOrder(values(int(1), long(1), int(2)), values(long(1), int(1), int(2)))).toBe("order")
    expect(inOrder(values(int(1), long(1), int(2)), values(int(1), int(2), long(1)))).toBe("different")
    expect(inOrder(values(list([int(1), int(2)])), values(list([int(2), int(1)])))).toBe("order")
    const listInOrder = { writes: false, ordered: "list" } as const
    expect(compare(values(list([int(1), int(2)])), values(list([int(2), int(1)])), listInOrder)).toBe("different")
    const date = (offset: number): Value => ({ kind: "dateTime", epochDay: 1, nanoOfDay: 7_200_000_000_000n, offset })
    const same: Value = { kind: "dateTime", epochDay: 1, nanoOfDay: 10_800_000_000_000n, offset: 3_600 }
    expect(inOrder(values(date(0), same), values(same, date(0)))).toBe("order")
    expect(inOrder(values(date(0), date(3_600)), values(date(3_600), date(0)))).toBe("different")
  })

  it("ignores the order of the members of collections in texts, and nothing else in texts", () => {
    expect(reads(values(string("{a=1, b=[x, y]}")), values(string("{b=[y, x], a=1}")))).toBe("order")
    expect(reads(values(string("{a=1, b=2}")), values(string("{a=2, b=1}")))).toBe("different")
    expect(reads(values(string("[ab]")), values(string("[ba]")))).toBe("different")
    expect(reads(values(string("x, y")), values(string("y, x")))).toBe("different")
    expect(withSortedMembers("v[2] {c, [b, a]} [")).toBe("v[2] {c, [b, a]} [")
    expect(withSortedMembers("v[2] {c, [b, a]}")).toBe("v[2] {[a, b], c}")
  })

  it("treats generated ids as equal if they are in the same order", () => {
    expect(compare(values(int(100_007), int(100_009)), values(int(100_001), int(100_002)), { writes: true })).toBe(
      "same"
    )
    expect(compare(values(int(100_007), int(100_007)), values(int(100_001), int(100_002)), { writes: true })).toBe(
      "different"
    )
    expect(reads(values(int(100_007)), values(int(100_001)))).toBe("different")
  })

  it("compares errors by class, and never an error with a value", () => {
    expect(reads(error(597), error(500))).toBe("same")
    expect(reads(error(595), error(597))).toBe("different")
    expect(reads({ ...error(599), message: "Error during serialization" } as Outcome, error(597))).toBe("different")
    expect(reads(error(599), error(597))).toBe("same")
    expect(reads(error(597), values())).toBe("different")
    expect(reads(values(), error(597))).toBe("different")
  })

  it("reports a defect of this server also where the reference fails", () => {
    const defect = new InternalError(new TypeError("x is undefined"))
    expect(reads(error(500), { kind: "error", code: 500, message: defect.message })).toBe("different")
  })

  it("ignores a reference that does not answer, and reports this server if it does not", () => {
    expect(reads({ kind: "timeout" }, values())).toBe("unknown")
    expect(reads({ kind: "lost", reason: "x" }, values())).toBe("unknown")
    expect(reads({ ...error(500), message: "Java heap space" } as Outcome, values())).toBe("unknown")
    expect(reads(values(), { kind: "timeout" })).toBe("different")
    expect(reads({ kind: "timeout" }, { kind: "lost", reason: "x" })).toBe("different")
  })
})

describe("The smaller forms of a traversal", () => {
  const traversal: Traversal = {
    source: [call("withSack", whole(5))],
    steps: [call("V"), call("where", child(call("out"), call("has", text("name")))), call("limit", whole(3))]
  }

  it("omit steps, replace a step by its child, and have smaller values", () => {
    const texts = [...smaller(traversal)].map(shown)
    expect(texts).toContain('g.V().where(__.out().has("name")).limit(3i)')
    expect(texts).toContain('g.withSack(5i).V().where(__.out().has("name"))')
    expect(texts).toContain('g.withSack(5i).V().out().has("name").limit(3i)')
    expect(texts).toContain('g.withSack(5i).V().where(__.has("name")).limit(3i)')
    expect(texts).toContain('g.withSack(5i).V().where(__.out().has("name")).limit(1i)')
    expect(texts).not.toContain(shown(traversal))
  })

  it("are a finite sequence", () => {
    let smallest = traversal
    for (let round = 0; round < 50; round++) {
      const { value, done } = smaller(smallest).next()
      if (done === true) break
      smallest = value
    }
    expect([...smaller(smallest)]).toEqual([])
  })
})

describe("The results of a traversal", () => {
  const ends = (...steps: ReadonlyArray<Call>) => orderedBy({ source: [], steps: [call("V"), ...steps] })

  it("have an order after order() with a total order, and after filters that follow it", () => {
    expect(ends(call("order"))).toBe("results")
    expect(ends(call("values", text("a")), call("order"), call("by", constant("Order", "desc")))).toBe("results")
    expect(ends(call("order"), call("by", text("a")), call("by", constant("T", "id")))).toBe("results")
    expect(ends(call("order"), call("dedup"), call("by", text("a")), call("limit", whole(2)), call("id"))).toBe(
      "results"
    )
    expect(ends(call("order"), call("by", constant("Order", "shuffle")), call("by", constant("T", "id")))).toBe(
      "results"
    )
    expect(ends(call("order"), call("fold"))).toBe("list")
  })

  it("have none after other steps, by a key alone, within a collection, and on a graph computer", () => {
    expect(ends()).toBe("nothing")
    expect(ends(call("order"), call("out"))).toBe("nothing")
    expect(ends(call("order"), call("by", text("a")))).toBe("nothing")
    expect(ends(call("order"), call("by", constant("Order", "shuffle")))).toBe("nothing")
    expect(ends(call("order"), call("by", constant("T", "id")), call("by", constant("Order", "shuffle")))).toBe(
      "nothing"
    )
    expect(ends(call("fold"), call("order", constant("Scope", "local")))).toBe("nothing")
    expect(orderedBy({ source: [call("withComputer")], steps: [call("V"), call("order")] })).toBe("nothing")
  })
})

describe("A known difference", () => {
  const rule: KnownDifference = {
    topic: "match()",
    reason: "because",
    traversal: "\\.max\\(\\)$",
    reference: "^error",
    candidate: "^1 results",
    example: { source: "gmodern", gremlin: "g.V().max()" }
  }

  it("matches if its traversal and all its outcomes match", () => {
    expect(matches(rule, "g.V().max()", error(597), values(int(1)))).toBe(true)
    expect(matches(rule, "g.V().min()", error(597), values(int(1)))).toBe(false)
    expect(matches(rule, "g.V().max()", values(), values(int(1)))).toBe(false)
    expect(matches(rule, "g.V().max()", error(597), values())).toBe(false)
  })

  it("never explains that this server did not answer, gave an unreadable answer, or failed because of a defect", () => {
    const any = { ...rule, traversal: "" }
    const { reference: _, candidate: __, ...everything } = any
    const { message } = new InternalError(new TypeError("x is undefined"))
    expect(matches(everything, "g.V()", values(), error(597))).toBe(true)
    const failures: ReadonlyArray<Outcome> = [
      { kind: "timeout" },
      { kind: "lost", reason: "an answer that does not decode" },
      { kind: "error", code: 500, message }
    ]
    for (const candidate of failures) {
      expect(matches(everything, "g.V()", values(), candidate)).toBe(false)
      expect(new Known([everything]).explains("g.V()", values(), candidate)).toBeUndefined()
    }
  })

  it("is counted when it explains a difference", () => {
    const known = new Known([rule])
    expect(known.explains("g.V().max()", error(597), values(int(1)))).toBe(rule)
    expect(known.explains("g.E()", error(597), values(int(1)))).toBeUndefined()
    expect(known.met).toEqual([1])
  })

  it("may require that results differ only in how often they occur", () => {
    const repeated = { ...rule, traversal: "", reference: "", candidate: "", sameMembers: true }
    expect(matches(repeated, "g.V()", values(int(1), int(2)), values(int(1), int(2), int(2)))).toBe(true)
    expect(matches(repeated, "g.V()", values(int(1), int(2)), values(int(1), int(3)))).toBe(false)
    expect(matches(repeated, "g.V()", values(int(1), int(2)), values(int(1)))).toBe(false)
    expect(matches(repeated, "g.V()", values(int(1)), values(int(3)))).toBe(true)
    expect(matches(repeated, "g.V()", error(597), values(int(1)))).toBe(false)
  })

  it("may require the same number of results", () => {
    const counted = { ...rule, traversal: "", reference: "", candidate: "", sameCount: true }
    expect(matches(counted, "g.V()", values(int(1)), values(int(2)))).toBe(true)
    expect(matches(counted, "g.V()", values(int(1)), values(int(2), int(3)))).toBe(false)
    expect(matches(counted, "g.V()", error(597), values())).toBe(false)
  })

  it("is in docs/reference/differences.md with its reason and its example", () => {
    const { rules } = Known.read("test/differential/known.json")
    const document = readFileSync("docs/reference/differences.md", "utf8")
    expect(documented(document, rules) === document, "npm run test:differential -- --docs writes the list").toBe(true)
    expect(documented(document, rules.slice(1)) === document).toBe(false)
    expect(() => documented("# Conformance", rules)).toThrow("has no place for known.json")
  })

  it("has a topic of the document, which has a section for each topic", () => {
    const { rules } = Known.read("test/differential/known.json")
    expect([...new Set(rules.map(({ topic }) => topic))].sort()).toEqual([...topics].sort())
    expect(documented(readFileSync("docs/reference/differences.md", "utf8"), [rule])).toContain(
      "\n\n### match()\n\n- because\n"
    )
  })

  it("has a unique reason, and an example on a graph of the fuzzer", () => {
    const { rules } = Known.read("test/differential/known.json")
    expect(new Set(rules.map(({ reason }) => reason)).size).toBe(rules.length)
    for (const { reason, example } of rules) {
      expect(reason).toMatch(/^[A-Za-z].*\.$/)
      expect(modelOf(example.source).source).toBe(example.source)
    }
  })
})
