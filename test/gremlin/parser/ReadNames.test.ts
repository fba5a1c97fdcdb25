import { describe, expect, it } from "vitest"
import { FakeHost, resultOf } from "../FakeHost.ts"

/** The traversals that a script runs. */
const traversalsOf = (script: string): readonly string[] => {
  const host = new FakeHost(() => [])
  host.run(script)
  return host.calls.filter((call) => call !== "begun")
}

const PROJECTED = 'list g.V().project("i").by(T.id)'

describe("A name that a block declares", () => {
  it.each([
    ["the parameter of a closure", "[1].each { id -> id }"],
    ["the parameter of a lambda", "[1].each(id -> id)"],
    ["the parameter of a function", "def f(id) { id }; f(1)"],
    ["the variable of a loop", "for (id in [1]) { id }"],
    ["the variable of a counting loop", "for (int id = 0; id < 1; id++) { id }"],
    ["a variable of a block", "if (true) { def id = 1 }"],
    ["the exception of a clause", "try { 1 } catch (Exception id) { id }"]
  ])("means the constant again after the block: %s", (_, block) => {
    expect(traversalsOf(`${block}; g.V().project('i').by(id).toList()`)).toStrictEqual([PROJECTED])
  })

  it("means the variable in the block and in the blocks in it", () => {
    expect(traversalsOf("['name'].each { id -> [1].each { g.V().values(id).toList() } }; null")).toStrictEqual([
      "list g.V().values(id) id=name"
    ])
    expect(traversalsOf("['name'].each { id -> g.V().project('i').by(id).toList() }; null")[0]).toContain("id=name")
  })

  it("stays a variable when a block assigns it without a declaration", () => {
    expect(resultOf("if (true) { id = 5 }; [id]")).toStrictEqual([5])
    expect(traversalsOf("if (true) { id = 'name' }; g.V().project('i').by(id).toList()")).toStrictEqual([
      'list g.V().project("i").by(id) id=name'
    ])
    expect(traversalsOf("def id; if (true) { id = 'name' }; g.V().project('i').by(id).toList()")).toStrictEqual([
      'list g.V().project("i").by(id) id=name'
    ])
  })
})

describe("A closure that a block declares", () => {
  it("hides a step of its name in the block alone", () => {
    const block = "[1].each { def out = { it + 1 }; out(it) }"
    expect(traversalsOf(`${block}; g.V().where(out('knows')).toList()`)).toStrictEqual([
      'list g.V().where(__.out("knows"))'
    ])
    expect(resultOf("[1].collect { def out = { it + 1 }; out(it) }")).toStrictEqual([2])
  })

  it("hides it in the whole script when the block assigns a variable that is not its own", () => {
    expect(resultOf("if (true) { out = { it + 1 } }; out(1)")).toBe(2)
    expect(resultOf("def out; if (true) { out = { it + 1 } }; out(1)")).toBe(2)
  })
})
